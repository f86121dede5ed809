// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/sched_runs.h"

#include "analyzed_script.h"
#include "trace/model/trace_store_builder.h"

namespace inversight::test {

namespace {

struct Stay {
    std::int32_t tid;
    TimeRange range;
    bool beginSeen = true;
    bool endSeen = true;
    bool operator==(const Stay&) const = default;
};
void PrintTo(const Stay& run, std::ostream* out) {
    *out << run.tid << " [" << run.range.begin << "," << run.range.end << ")"
         << (run.beginSeen ? "" : " begin unseen") << (run.endSeen ? "" : " end unseen");
}

std::vector<Stay> runsOn(const AnalyzedStore& trace, std::int32_t cpu) {
    const auto& runs = trace.get<SchedRuns>();
    std::vector<Stay> list;
    for (const auto& [runCpu, ids] : runs.byCpu)
        if (runCpu == cpu)
            for (const std::uint32_t id : ids) {
                const SchedRun& run = runs.runs[id];
                list.push_back({trace.store->threads()[run.thread].tid, run.range, run.beginSeen,
                                run.endSeen});
            }
    return list;
}

TEST(SchedRuns, FollowTheSwitchesOfACpu) {
    TraceScript script;
    script.task(5, "a", 120).task(6, "b", 10);
    script.at(100).waking(5).at(110).switchTo(5).at(150).switchTo(6, kTaskPreempted);
    script.at(170).switchTo(0, kTaskUninterruptible).at(200).waking(6);
    const AnalyzedStore trace(script);
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {100, 110}, false, true}, Stay{5, {110, 150}},
                                     Stay{6, {150, 170}}, Stay{0, {170, 200}, true, false}));
    const auto& runs = trace.get<SchedRuns>().runs;
    EXPECT_EQ(runs[1].prio, 120);
    EXPECT_EQ(runs[1].endState, TaskState::Runnable);
    EXPECT_TRUE(runs[1].endPreempted);
    EXPECT_EQ(runs[2].prio, 10);
    EXPECT_EQ(runs[2].endState, TaskState::Uninterruptible);
    EXPECT_TRUE(trace.store->threads()[runs[0].thread].isIdle());
}

TEST(SchedRuns, NothingIsClaimedBeforeACpusFirstEvent) {
    // CPU 1's older events were overwritten: what ran there from 0 to 500 is not known.
    TraceScript script;
    script.at(0).switchTo(5);
    script.cpu(1).at(500).waking(7).at(600).switchTo(7);
    script.cpu(0).at(700).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(runsOn(trace, 1), testing::ElementsAre(Stay{0, {500, 600}, false, true},
                                                       Stay{7, {600, 700}, true, false}));
}

TEST(SchedRuns, ALossCutsTheRunOfItsCpuOnly) {
    TraceScript script;
    script.at(0).switchTo(5).cpu(1).at(0).switchTo(7);
    script.cpu(0).at(100).waking(9).lost(3).at(300).waking(9).at(350).switchTo(6);
    script.cpu(1).at(400).switchTo(0);
    script.cpu(0).at(400).switchTo(0);
    const AnalyzedStore trace(script);
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {0, 0}, false, true}, Stay{5, {0, 100}, true, false},
                                     Stay{5, {300, 350}, false, true}, Stay{6, {350, 400}},
                                     Stay{0, {400, 400}, true, false}));
    EXPECT_THAT(runsOn(trace, 1), testing::Contains(Stay{7, {0, 400}}));
}

/// A trace whose switches contradict each other: TraceScript keeps its own books, this does not.
class RawSwitches {
public:
    RawSwitches() {
        stream_ = builder_.declareStream({"", ClockDomain::fromName("mono"), 2});
        switch_ = builder_.declareType({1, "sched", "sched_switch", EventKind::SchedSwitch});
        other_ = builder_.declareType({2, "x", "x", EventKind::Other});
    }
    RawSwitches& change(std::int64_t time, std::int32_t prev, std::int32_t next) {
        SchedSwitchFields fields{prev, 120, next, 120, "p", "n"};
        fields.prevState = TaskState::Interruptible;
        builder_.cpuSink(stream_, 0).event({time, 0, prev, switch_}, fields);
        return *this;
    }
    RawSwitches& other(std::int64_t time, std::int32_t tid) {
        builder_.cpuSink(stream_, 0).event({time, 0, tid, other_});
        return *this;
    }
    std::shared_ptr<const TraceStore> store() { return *std::move(builder_).finish(JobContext()); }

private:
    TraceStoreBuilder builder_;
    StreamId stream_;
    EventTypeId switch_;
    EventTypeId other_;
};

TEST(SchedRuns, AMissingSwitchEndsARunAtItsLastSign) {
    RawSwitches raw;
    // 5 runs from 10; its switch out is missing; 6 is seen from 40 and leaves at 50.
    raw.change(10, 0, 5).other(20, 5).other(40, 6).other(45, 6).change(50, 6, 0).other(60, 0);
    const AnalyzedStore trace(raw.store());
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {10, 10}, false, true}, Stay{5, {10, 20}, true, false},
                                     Stay{6, {40, 50}, false, true},
                                     Stay{0, {50, 60}, true, false}));
}

/// Kernels trace between the event of a switch and the switch itself.
TEST(SchedRuns, AnEventOfATaskThatHasLeftIsNoRun) {
    RawSwitches raw;
    raw.change(5, 0, 5).change(10, 5, 6).other(11, 5).other(13, 6).change(20, 6, 0).other(25, 0);
    const AnalyzedStore trace(raw.store());
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {5, 5}, false, true}, Stay{5, {5, 10}},
                                     Stay{6, {10, 20}}, Stay{0, {20, 25}, true, false}));
}

TEST(SchedRuns, TimesThatStepBackDoNotMakeRunsOverlap) {
    RawSwitches raw;
    raw.change(10, 0, 5).change(30, 5, 6).change(20, 6, 7).change(40, 7, 0).other(50, 0);
    const AnalyzedStore trace(raw.store());
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {10, 10}, false, true}, Stay{5, {10, 30}},
                                     Stay{6, {30, 30}}, Stay{7, {30, 40}},
                                     Stay{0, {40, 50}, true, false}));
}

TEST(SchedRuns, TheSameSwitchInTwoBuffersIsOneSwitch) {
    TraceStoreBuilder builder;
    const StreamId first = builder.declareStream({"", ClockDomain::fromName("mono"), 1});
    const StreamId second = builder.declareStream({"b", ClockDomain::fromName("mono"), 1});
    const EventTypeId type =
        builder.declareType({1, "sched", "sched_switch", EventKind::SchedSwitch});
    for (const StreamId stream : {first, second}) {
        const std::int64_t later = stream == second ? 1 : 0;
        builder.cpuSink(stream, 0).event({10 + later, 0, 0, type},
                                         SchedSwitchFields{0, 120, 5, 120, "swapper/0", "a"});
        builder.cpuSink(stream, 0).event({20 + later, 0, 5, type},
                                         SchedSwitchFields{5, 120, 0, 120, "a", "swapper/0"});
    }
    const AnalyzedStore trace(*std::move(builder).finish(JobContext()));
    EXPECT_THAT(runsOn(trace, 0),
                testing::ElementsAre(Stay{0, {10, 10}, false, true}, Stay{5, {10, 20}},
                                     Stay{0, {20, 21}, true, false}));
}

} // namespace

} // namespace inversight::test
