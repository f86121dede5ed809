// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/priorities.h"

#include "analyzed_script.h"

namespace inversight {

static bool operator==(const PriorityStep& a, const PriorityStep& b) {
    return a.range == b.range && a.effective == b.effective && a.base == b.base;
}
static void PrintTo(const PriorityStep& step, std::ostream* out) {
    *out << "[" << step.range.begin << "," << step.range.end << ") " << step.effective << "/"
         << step.base;
}

} // namespace inversight

namespace inversight::test {

namespace {

using Steps = std::vector<PriorityStep>;

const Steps& stepsOf(const AnalyzedStore& trace, std::int32_t tid) {
    return trace.get<Priorities>().byThread[trace.thread(tid).index()];
}

TEST(Priorities, ABoostRaisesTheEffectiveOneOnly) {
    TraceScript script;
    script.task(5, "low", 120).task(6, "high", 0);
    script.at(10).switchTo(5).at(20).switchTo(6, kTaskPreempted).at(30).setprio(5, 0);
    script.at(40).switchTo(5, kTaskInterruptible).at(50).setprio(5, 120).at(60).waking(6);
    script.at(70).switchTo(6);
    const AnalyzedStore trace(script);
    EXPECT_EQ(stepsOf(trace, 5),
              (Steps{{{10, 30}, 120, 120}, {{30, 50}, 0, 120}, {{50, 70}, 120, 120}}));
    EXPECT_EQ(stepsOf(trace, 6), (Steps{{{20, 70}, 0, 0}}));
    const auto& priorities = trace.get<Priorities>();
    EXPECT_TRUE(priorities.at(trace.thread(5), 30)->boosted());
    EXPECT_FALSE(priorities.at(trace.thread(5), 50)->boosted());
    EXPECT_EQ(priorities.baseAt(trace.thread(5), 40), 120);
    EXPECT_EQ(priorities.at(trace.thread(5), 9), nullptr);
    EXPECT_EQ(priorities.at(trace.thread(5), 70)->effective, 120); // the last instant
    EXPECT_EQ(priorities.baseAt(ThreadId::none(), 40), std::nullopt);
}

TEST(Priorities, NestedAndPartialChangesKeepTheBase) {
    TraceScript script;
    script.task(5, "low", 120).at(0).switchTo(5);
    script.at(10).setprio(5, 98).at(20).setprio(5, 0).at(30).setprio(5, 98).at(40).setprio(5, 120);
    script.at(50).switchTo(0);
    EXPECT_EQ(stepsOf(AnalyzedStore(script), 5), (Steps{{{0, 10}, 120, 120},
                                                        {{10, 20}, 98, 120},
                                                        {{20, 30}, 0, 120},
                                                        {{30, 40}, 98, 120},
                                                        {{40, 50}, 120, 120}}));
}

TEST(Priorities, ATraceThatBeginsInABoostLearnsTheBaseFromItsEnd) {
    TraceScript script;
    script.task(5, "low", 0).at(0).switchTo(5).at(20).setprio(5, 98).at(40).setprio(5, 120);
    script.at(50).switchTo(0);
    EXPECT_EQ(stepsOf(AnalyzedStore(script), 5),
              (Steps{{{0, 20}, 0, 120}, {{20, 40}, 98, 120}, {{40, 50}, 120, 120}}));
}

TEST(Priorities, ARaiseInsideAnUnseenBoostIsFoundOutAtItsEnd) {
    TraceScript script;
    script.task(5, "low", 115).at(0).switchTo(5).at(20).setprio(5, 0).at(40).setprio(5, 120);
    script.at(50).switchTo(0);
    EXPECT_EQ(stepsOf(AnalyzedStore(script), 5),
              (Steps{{{0, 20}, 115, 120}, {{20, 40}, 0, 120}, {{40, 50}, 120, 120}}));
}

TEST(Priorities, SetschedulerChangesTheBase) {
    TraceScript script;
    script.task(5, "t", 120).at(0).switchTo(5).at(10).task(5, "t", 49).switchTo(0);
    script.at(20).task(5, "t", 120).waking(5);
    EXPECT_EQ(stepsOf(AnalyzedStore(script), 5),
              (Steps{{{0, 10}, 120, 120}, {{10, 20}, 49, 49}, {{20, 20}, 120, 120}}));
}

TEST(Priorities, ALostDeboostEndsWithTheNextSign) {
    TraceScript script;
    script.task(5, "low", 120).at(0).switchTo(5).at(10).setprio(5, 0);
    script.at(30).task(5, "low", 120).switchTo(0).at(40).waking(5);
    EXPECT_EQ(stepsOf(AnalyzedStore(script), 5),
              (Steps{{{0, 10}, 120, 120}, {{10, 30}, 0, 120}, {{30, 40}, 120, 120}}));
}

TEST(Priorities, EqualPrioritiesEndABoostButNotADeadlineTasks) {
    TraceScript script; // 4.12 to 4.17 print the end as 0 -> 0
    script.task(5, "low", 120).task(6, "dl", -1).at(0).switchTo(5);
    script.at(10).setprio(5, 0).at(20).setprio(5, 0).at(25).setprio(6, -1);
    script.at(30).task(5, "low", 120).switchTo(6).at(40).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_EQ(stepsOf(trace, 5),
              (Steps{{{0, 10}, 120, 120}, {{10, 20}, 0, 120}, {{20, 40}, 120, 120}}));
    EXPECT_EQ(stepsOf(trace, 6), (Steps{{{25, 40}, -1, -1}}));
}

TEST(Priorities, WhoRanBeforeTheFirstSignHadItsPriority) {
    TraceScript script;
    script.at(0).marker(Note{"from here"}).at(50).waking(9);
    script.at(100).switchTo(5);
    const AnalyzedStore trace(script);
    EXPECT_EQ(stepsOf(trace, 0), (Steps{{{0, 100}, 120, 120}}));
}

} // namespace

} // namespace inversight::test
