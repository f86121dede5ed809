// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/thread_states.h"

#include "analyzed_script.h"
#include "trace/analysis/state_writer.h"

namespace inversight {

static bool operator==(const ThreadStateInterval& a, const ThreadStateInterval& b) {
    return a.range == b.range && a.state == b.state && a.cpu == b.cpu;
}
static void PrintTo(const ThreadStateInterval& interval, std::ostream* out) {
    *out << "[" << interval.range.begin << "," << interval.range.end << ") "
         << threadStateName(interval.state) << " " << interval.cpu;
}

} // namespace inversight

namespace inversight::test {

namespace {

using enum ThreadState;
using Story = std::vector<ThreadStateInterval>;

const Story& storyOf(const AnalyzedStore& trace, std::int32_t tid, std::int32_t cpu = 0) {
    return trace.get<ThreadStates>().byThread[trace.thread(tid, 0, cpu).index()];
}

TEST(ThreadStates, SleepWakeUpRunAndPreemption) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).switchTo(6, kTaskInterruptible).at(30).waking(5).at(33);
    script.wakeup(5).at(40).switchTo(5, kTaskPreempted).at(60).switchTo(6, kTaskUninterruptible);
    script.at(80).switchTo(0, kTaskIdle).at(100).waking(9);
    const AnalyzedStore trace(script);
    EXPECT_EQ(storyOf(trace, 5), (Story{{{0, 10}, Running, 0},
                                        {{10, 30}, Sleeping},
                                        {{30, 40}, RunnableWoken},
                                        {{40, 60}, Running, 0},
                                        {{60, 100}, Uninterruptible}}));
    EXPECT_EQ(storyOf(trace, 6), (Story{{{0, 10}, Unknown},
                                        {{10, 40}, Running, 0},
                                        {{40, 60}, RunnablePreempted},
                                        {{60, 80}, Running, 0},
                                        {{80, 100}, ThreadState::Idle}}));
    EXPECT_EQ(storyOf(trace, 0), (Story{{{0, 80}, Sleeping}, {{80, 100}, Running, 0}}));
    const auto& totals = trace.get<ThreadStates>().totals[trace.thread(5).index()];
    EXPECT_EQ(totals[static_cast<std::size_t>(Running)], 30);
    EXPECT_EQ(totals[static_cast<std::size_t>(RunnableWoken)], 10);
}

TEST(ThreadStates, AWakingBeforeTheThreadHasLeft) {
    TraceScript script; // BUGS B23
    script.cpu(1).at(3000050).switchTo(20).cpu(0).at(3000060).switchTo(30);
    script.cpu(1).at(3000100).waking(30).cpu(0).at(3000105).switchTo(0, kTaskInterruptible);
    script.at(3000110).wakeup(30).at(3000130).switchTo(30);
    script.at(3000140).switchTo(0, kTaskInterruptible);
    EXPECT_EQ(storyOf(AnalyzedStore(script), 30), (Story{{{3000050, 3000060}, Unknown},
                                                         {{3000060, 3000105}, Running, 0},
                                                         {{3000105, 3000110}, Sleeping},
                                                         {{3000110, 3000130}, RunnableWoken},
                                                         {{3000130, 3000140}, Running, 0}}));
}

TEST(ThreadStates, AWakingBeforeTheThreadHasLeftWithoutAnyWakeup) {
    TraceScript script;
    script.cpu(1).at(0).switchTo(20).cpu(0).at(0).switchTo(30).cpu(1).at(100).waking(30);
    script.cpu(0).at(105).switchTo(0, kTaskInterruptible).at(130).switchTo(30).at(140).switchTo(0);
    EXPECT_EQ(
        storyOf(AnalyzedStore(script), 30),
        (Story{{{0, 105}, Running, 0}, {{105, 130}, RunnableWoken}, {{130, 140}, Running, 0}}));
}

TEST(ThreadStates, WithoutAWakeupNothingIsCalledLatency) {
    TraceScript script; // BUGS B22
    script.at(1000).switchTo(5).fork(6, "sup").at(2000).switchTo(0, kTaskInterruptible);
    script.cpu(1).at(9000).switchTo(6).at(9100).switchTo(0, kTaskInterruptible);
    script.at(9500).switchTo(6).at(9600).switchTo(0);
    EXPECT_EQ(storyOf(AnalyzedStore(script), 6), (Story{{{1000, 9000}, Unknown},
                                                        {{9000, 9100}, Running, 1},
                                                        {{9100, 9500}, Sleeping},
                                                        {{9500, 9600}, Running, 1}}));
}

TEST(ThreadStates, AWakeUpJustAfterTheRunItCausedIsClockSkew) {
    TraceScript script; // BUGS B29
    script.cpu(1).at(4000000).switchTo(7).at(4500000).switchTo(0, kTaskInterruptible);
    script.cpu(1).at(5000015).switchTo(7).cpu(0).at(5000020).waking(7);
    script.cpu(1).at(6000000).switchTo(0, kTaskInterruptible).cpu(0).at(7000000).waking(9);
    // Not runnable through its second sleep, which the late event does not belong to.
    EXPECT_EQ(storyOf(AnalyzedStore(script), 7), (Story{{{4000000, 4500000}, Running, 1},
                                                        {{4500000, 5000015}, Sleeping},
                                                        {{5000015, 6000000}, Running, 1},
                                                        {{6000000, 7000000}, Sleeping}}));
}

TEST(ThreadStates, ANewThreadIsRunnableFromItsFirstWakeUp) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).fork(6, "child").at(12).wakeup(6).at(20).switchTo(6);
    script.at(30).exit().at(35).switchTo(5, kTaskDead).at(50).switchTo(0);
    EXPECT_EQ(storyOf(AnalyzedStore(script), 6), (Story{{{0, 12}, Unknown},
                                                        {{12, 20}, RunnableWoken},
                                                        {{20, 35}, Running, 0},
                                                        {{35, 50}, Dead}}));
}

TEST(ThreadStates, StoppedAndDeadByTheirStateBits) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).switchTo(6, kTaskTraced).at(20).switchTo(0, kTaskZombie);
    script.at(30).waking(5).at(40).switchTo(5);
    const AnalyzedStore trace(script);
    EXPECT_EQ(storyOf(trace, 5),
              (Story{{{0, 10}, Running, 0}, {{10, 30}, Stopped}, {{30, 40}, RunnableWoken}}));
    EXPECT_EQ(storyOf(trace, 6),
              (Story{{{0, 10}, Unknown}, {{10, 20}, Running, 0}, {{20, 40}, Dead}}));
}

TEST(ThreadStates, WaitsAndTransfersAreLaidOverSleepsOnly) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(WaitBegin{"bus"}).at(20).switchTo(0, kTaskInterruptible);
    script.at(40)
        .waking(5)
        .at(50)
        .switchTo(5)
        .at(60)
        .marker(HoldBegin{"bus", 1})
        .marker(SliceEnd{});
    script.at(65).marker(TransferBegin{"i2c-0", "read"}).at(70).switchTo(0, kTaskInterruptible);
    script.at(90).waking(5).at(95).switchTo(5).at(97).marker(SliceEnd{});
    script.at(98).marker(HoldEnd{"bus", 1}).at(100).switchTo(0, kTaskInterruptible);
    script.at(120).waking(9);
    EXPECT_EQ(storyOf(AnalyzedStore(script), 5), (Story{{{0, 20}, Running, 0},
                                                        {{20, 40}, BlockedLock},
                                                        {{40, 50}, RunnableWoken},
                                                        {{50, 70}, Running, 0},
                                                        {{70, 90}, Wire},
                                                        {{90, 95}, RunnableWoken},
                                                        {{95, 100}, Running, 0},
                                                        {{100, 120}, Sleeping}}));
}

Story laidOver(Story story, const std::vector<TimeRange>& ranges, ThreadState state) {
    Story scratch{{{7, 9}, Dead}};
    layOver(story, ranges, state, scratch);
    return story;
}

TEST(ThreadStates, LayOverSplitsAtTheEdgesAndLocksWinOverTransfers) {
    const Story story{{{0, 10}, Running, 0}, {{10, 50}, Sleeping}, {{50, 60}, Uninterruptible}};
    const Story wire = laidOver(story, {{5, 20}, {30, 55}}, Wire);
    EXPECT_EQ(wire, (Story{{{0, 10}, Running, 0},
                           {{10, 20}, Wire},
                           {{20, 30}, Sleeping},
                           {{30, 55}, Wire},
                           {{55, 60}, Uninterruptible}}));
    EXPECT_EQ(laidOver(wire, {{35, 40}}, BlockedLock), (Story{{{0, 10}, Running, 0},
                                                              {{10, 20}, Wire},
                                                              {{20, 30}, Sleeping},
                                                              {{30, 35}, Wire},
                                                              {{35, 40}, BlockedLock},
                                                              {{40, 55}, Wire},
                                                              {{55, 60}, Uninterruptible}}));
    EXPECT_EQ(laidOver(story, {}, Wire), story);
    EXPECT_EQ(laidOver({}, {{0, 5}}, Wire), Story{});
}

TEST(ThreadStates, ALossMakesItsCpusThreadsUnknownUntilTheNextSign) {
    TraceScript script; // BUGS B6: the D wait from 1000 is not given as 900 ms
    script.at(900).switchTo(10).at(1000).switchTo(11, kTaskUninterruptible).lost(2);
    script.at(1800).waking(12).at(1900).switchTo(10, kTaskInterruptible);
    script.at(1950).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_EQ(
        storyOf(trace, 10),
        (Story{{{900, 1000}, Running, 0}, {{1000, 1900}, Unknown}, {{1900, 1950}, Running, 0}}));
    EXPECT_EQ(
        storyOf(trace, 11),
        (Story{{{900, 1800}, Unknown}, {{1800, 1900}, Running, 0}, {{1900, 1950}, Sleeping}}));
}

TEST(ThreadStates, ALossOnAnotherCpuLeavesASleepAlone) {
    TraceScript script;
    script.at(0).switchTo(10).at(10).switchTo(0, kTaskInterruptible);
    script.cpu(1).at(15).switchTo(7).lost().at(30).switchTo(0);
    script.cpu(0).at(50).waking(10).at(55).switchTo(10).at(60).switchTo(0);
    EXPECT_EQ(storyOf(AnalyzedStore(script), 10), (Story{{{0, 10}, Running, 0},
                                                         {{10, 50}, Sleeping},
                                                         {{50, 55}, RunnableWoken},
                                                         {{55, 60}, Running, 0}}));
}

} // namespace

} // namespace inversight::test
