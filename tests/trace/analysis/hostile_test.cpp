// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Traces as no kernel writes them: every analysis must come to an end with its invariants intact.
#include "analyzed_script.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/thread_states.h"
#include "trace/model/trace_store_builder.h"

#include <array>
#include <ctime>
#include <numeric>
#include <random>

namespace inversight::test {

namespace {

/// Events of every kind with random fields, which contradict each other freely.
class RandomTrace {
public:
    explicit RandomTrace(std::uint32_t seed, int cpus = 3) : random_(seed), cpus_(cpus) {
        stream_ = builder_.declareStream({"", ClockDomain::fromName("mono"), cpus});
        for (std::uint16_t kind = 0; kind <= static_cast<std::uint16_t>(EventKind::Marker); ++kind)
            types_.push_back(builder_.declareType({static_cast<std::uint16_t>(kind + 1), "test",
                                                   "kind" + std::to_string(kind),
                                                   static_cast<EventKind>(kind)}));
        for (int cpu = 0; cpu < cpus; ++cpu)
            static_cast<void>(builder_.cpuSink(stream_, cpu));
    }

    std::shared_ptr<const TraceStore> make(int events) {
        for (int i = 0; i < events; ++i)
            addEvent();
        return *std::move(builder_).finish(JobContext());
    }

private:
    std::int32_t below(std::int32_t limit) {
        return std::uniform_int_distribution<std::int32_t>(0, limit - 1)(random_);
    }
    EventHeader header(EventKind kind) {
        // Mostly forward; equal times and steps back occur too.
        time_ += below(10) == 0 ? -below(50) : below(40);
        return {time_, 0, below(8), types_[static_cast<std::size_t>(kind)]};
    }
    std::int32_t prio() {
        constexpr std::array values{-1, 0, 49, 89, 98, 100, 115, 120, 139, 301};
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }
    void addEvent();
    void addSched(CpuEventSink& sink, int kind);
    void addLock(CpuEventSink& sink, int kind);
    void addMarker(CpuEventSink& sink);

    std::mt19937 random_;
    int cpus_;
    TraceStoreBuilder builder_;
    StreamId stream_;
    std::vector<EventTypeId> types_;
    std::int64_t time_ = 1000;
};

void RandomTrace::addEvent() {
    CpuEventSink& sink = builder_.cpuSink(stream_, below(cpus_));
    const std::int32_t kind = below(40);
    if (kind == 0)
        sink.lost(below(2) == 0 ? std::nullopt : std::optional<std::uint64_t>(below(100)));
    else if (kind < 20)
        addSched(sink, kind);
    else if (kind < 30)
        addLock(sink, kind - 20);
    else
        addMarker(sink);
}

void RandomTrace::addSched(CpuEventSink& sink, int kind) {
    if (kind < 9) {
        SchedSwitchFields fields{below(8), prio(), below(8), prio(), "prev", "next"};
        fields.prevState = static_cast<TaskState>(below(10));
        fields.preempted = below(4) == 0;
        sink.event(header(EventKind::SchedSwitch), fields);
    } else if (kind < 13) {
        sink.event(
            header(EventKind::SchedWake),
            SchedWakeFields{static_cast<WakeEventKind>(below(3)), below(8), prio(), below(4), "w"});
    } else if (kind < 17) {
        sink.event(header(EventKind::PiSetprio), PiSetprioFields{below(8), prio(), prio(), "pi"});
    } else if (kind == 17) {
        sink.event(header(EventKind::SchedFork), SchedForkFields{below(8), 1 + below(7), "a", "b"});
    } else if (kind == 18) {
        sink.event(header(EventKind::SchedExit), SchedExitFields{below(8), prio(), "x"});
    } else {
        sink.event(header(EventKind::SchedMigrate),
                   SchedMigrateFields{below(8), prio(), below(4), below(4), "m"});
    }
}

void RandomTrace::addLock(CpuEventSink& sink, int kind) {
    const auto address = static_cast<std::uint64_t>(0x1000 + 0x10 * below(3));
    constexpr std::array<std::uint32_t, 5> operations{0x80, 0x86, 0x87, 0x8d, 0x81};
    if (kind < 3)
        sink.event(header(EventKind::ContentionBegin),
                   ContentionBegin{address, static_cast<std::uint32_t>(below(64))});
    else if (kind < 5)
        sink.event(header(EventKind::ContentionEnd), ContentionEnd{address, -below(2)});
    else if (kind < 8)
        sink.event(header(EventKind::FutexEnter),
                   FutexEnter{address, operations[static_cast<std::size_t>(below(5))], 0});
    else
        sink.event(header(EventKind::FutexExit), FutexExit{-below(2)});
}

void RandomTrace::addMarker(CpuEventSink& sink) {
    MarkerFields fields;
    fields.kind = static_cast<MarkerKind>(below(11));
    fields.tgid = below(3) - 1;
    fields.number = static_cast<std::uint32_t>(below(2));
    fields.value = static_cast<std::uint64_t>(
        fields.kind == MarkerKind::LockAddress ? 0x1000 + 0x10 * below(3) : below(4));
    fields.subject = below(2) == 0 ? "m" : "n";
    fields.detail = "read";
    sink.event(header(EventKind::Marker), fields);
}

void expectInside(const TimeRange& range, const TimeRange& whole) {
    EXPECT_LE(range.begin, range.end);
    EXPECT_GE(range.begin, whole.begin);
    EXPECT_LE(range.end, whole.end);
}

void expectRunsOfACpuApart(const AnalyzedStore& trace) {
    const auto& runs = trace.get<SchedRuns>();
    std::size_t count = 0;
    for (const auto& [cpu, ids] : runs.byCpu) {
        std::int64_t end = std::numeric_limits<std::int64_t>::min();
        for (const std::uint32_t id : ids) {
            ASSERT_EQ(runs.runs[id].cpu, cpu);
            ASSERT_GE(runs.runs[id].range.begin, end) << "cpu " << cpu;
            expectInside(runs.runs[id].range, trace.store->range());
            end = runs.runs[id].range.end;
        }
        count += ids.size();
    }
    EXPECT_EQ(count, runs.runs.size());
}

void expectStatesWithoutGap(const AnalyzedStore& trace) {
    const auto& states = trace.get<ThreadStates>();
    const TimeRange whole = trace.store->range();
    ASSERT_EQ(states.byThread.size(), trace.store->threads().size());
    for (std::size_t i = 0; i < states.byThread.size(); ++i) {
        std::int64_t at = whole.begin;
        const ThreadStateInterval* previous = nullptr;
        for (const ThreadStateInterval& interval : states.byThread[i]) {
            ASSERT_EQ(interval.range.begin, at);
            ASSERT_GT(interval.range.end, at);
            ASSERT_EQ(interval.state == ThreadState::Running, interval.cpu >= 0);
            const bool repeats =
                previous && previous->state == interval.state && previous->cpu == interval.cpu;
            ASSERT_FALSE(repeats);
            previous = &interval;
            at = interval.range.end;
        }
        ASSERT_EQ(at, whole.end);
        const auto& totals = states.totals[i];
        ASSERT_EQ(std::accumulate(totals.begin(), totals.end(), std::int64_t{0}), whole.length());
    }
}

void expectPrioritiesWithoutGap(const AnalyzedStore& trace) {
    for (const auto& steps : trace.get<Priorities>().byThread) {
        std::int64_t at = steps.empty() ? 0 : steps.front().range.begin;
        for (const PriorityStep& step : steps) {
            ASSERT_EQ(step.range.begin, at);
            ASSERT_LE(step.range.begin, step.range.end);
            ASSERT_LE(step.effective, step.base);
            at = step.range.end;
        }
    }
}

void expectHoldsOfALockApart(const AnalyzedStore& trace) {
    const auto& ownership = trace.get<Ownership>();
    for (const auto& ids : ownership.byLock) {
        std::int64_t end = std::numeric_limits<std::int64_t>::min();
        for (const std::uint32_t id : ids) {
            ASSERT_GE(ownership.holds[id].range.begin, end);
            end = ownership.holds[id].range.end;
        }
    }
}

void expectWaitsAndBoostsSound(const AnalyzedStore& trace) {
    for (const LockWait& wait : trace.get<LockWaits>().waits) {
        EXPECT_LE(wait.range.begin, wait.range.end);
        EXPECT_NE(wait.owner, wait.thread);
        EXPECT_EQ(wait.owner.valid(), wait.evidence.has_value());
        EXPECT_EQ(wait.owner.valid(), wait.confidence != Confidence::Unknown);
        EXPECT_FALSE(wait.acquired && !wait.endSeen);
    }
    for (const Boost& boost : trace.get<Boosts>().boosts) {
        EXPECT_LE(boost.range.begin, boost.range.end);
        EXPECT_LT(boost.toPrio, boost.fromPrio);
        EXPECT_NE(boost.donor, boost.target);
        EXPECT_EQ(boost.donor.valid(), boost.confidence != Confidence::Unknown);
        ASSERT_FALSE(boost.levels.empty());
        EXPECT_EQ(boost.levels.front().time, boost.range.begin);
    }
}

class HostileTrace : public testing::TestWithParam<std::uint32_t> {};

TEST_P(HostileTrace, KeepsTheInvariantsOfEveryAnalysis) {
    const AnalyzedStore trace(RandomTrace(GetParam()).make(3000));
    ASSERT_GT(trace.store->eventCount(), 2500U);
    expectRunsOfACpuApart(trace);
    expectStatesWithoutGap(trace);
    expectPrioritiesWithoutGap(trace);
    expectHoldsOfALockApart(trace);
    expectWaitsAndBoostsSound(trace);
    for (const BusTransfer& transfer : trace.get<Bus>().transfers)
        EXPECT_LE(transfer.range.begin, transfer.range.end);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostileTrace, testing::Range(1U, 41U));

TEST(HostileTraces, ASingleEventHasNoLength) {
    TraceScript script;
    script.at(5).switchTo(7);
    const AnalyzedStore trace(script);
    expectStatesWithoutGap(trace);
    EXPECT_THAT(trace.get<ThreadStates>().byThread[trace.thread(7).index()], testing::IsEmpty());
}

/// Intervals that open and never end, all at once.
std::shared_ptr<const TraceStore> openIntervals(std::int64_t count) {
    TraceScript script;
    script.at(0).switchTo(5);
    for (std::int64_t i = 0; i < count; ++i) {
        script.at(10 * i).task(9, "t", static_cast<std::int32_t>(i % 2 + 1)).setprio(9, 130);
        script.marker(WaitBegin{i % 2 ? "a" : "b"});
        script.contentionBegin(0x10000 + 16 * static_cast<std::uint64_t>(i), kContentionMutex);
        script.marker(HoldBegin{"c", static_cast<std::uint64_t>(i)});
    }
    return script.toStore();
}

double processorSeconds(const std::shared_ptr<const TraceStore>& store) {
    const std::clock_t begin = std::clock();
    const AnalyzedStore trace(store);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(HostileTraces, OpenIntervalsDoNotCostASquare) {
    const auto small = openIntervals(20000);
    const auto large = openIntervals(160000);
    const double unit = std::max(processorSeconds(small), 0.005);
    // Linear is 8 times as much, a square 64 times; caches and a busy machine take their part.
    EXPECT_LT(processorSeconds(large), 30 * unit);
}

} // namespace

} // namespace inversight::test
