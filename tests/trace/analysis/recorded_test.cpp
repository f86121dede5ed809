// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Recordings of real kernels (the shared traces' README.md says what is in them).
#include "analyzed_script.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/thread_states.h"
#include "trace/decode/trace_source.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <tuple>

namespace inversight::test {

namespace {

std::string tracesFolder() {
    const char* folder = std::getenv("INVERSIGHT_TRACES");
    return folder ? folder : INVERSIGHT_TRACES_DEFAULT;
}

/// Name, old and new priority of a raise, and how often it occurs.
using RaiseCounts = std::map<std::tuple<std::string, std::int32_t, std::int32_t>, int>;

RaiseCounts countRaises(const AnalyzedStore& trace) {
    RaiseCounts counts;
    for (const Boost& boost : trace.get<Boosts>().boosts) {
        std::int32_t prio = boost.fromPrio;
        for (const BoostLevel& level : boost.levels) {
            if (level.prio < prio)
                ++counts[{trace.store->threadName(boost.target), prio, level.prio}];
            prio = level.prio;
        }
    }
    return counts;
}

class RecordedTrace : public testing::Test {
protected:
    /// The recording, analyzed; null: skip.
    std::unique_ptr<AnalyzedStore> load(const std::string& name) {
        const std::string source = tracesFolder() + "/" + name + ".dat";
        if (!std::filesystem::exists(source)) {
            why_ = "needs " + source + " (INVERSIGHT_TRACES names the folder)";
            return nullptr;
        }
        auto loaded = loadTrace(source, JobContext());
        EXPECT_TRUE(loaded) << loaded.error().sentence();
        return loaded ? std::make_unique<AnalyzedStore>(loaded->store) : nullptr;
    }

    std::string why_;
};

/// Every boost of a worker is fifo-99's, over `lock`, and ends in the trace.
void expectBoostsOfWorkers(const AnalyzedStore& trace, const std::string& lock) {
    for (const Boost& boost : trace.get<Boosts>().boosts) {
        const std::string target = trace.store->threadName(boost.target);
        if (target != "prio-0" && target != "prio-m5")
            continue;
        ASSERT_EQ(trace.store->threadName(boost.donor), "fifo-99");
        ASSERT_TRUE(boost.lock.valid());
        ASSERT_EQ(trace.get<LockEvents>().locks[boost.lock.index()].name, lock);
        ASSERT_EQ(boost.toPrio, 0);
        ASSERT_EQ(boost.confidence, Confidence::High);
        ASSERT_TRUE(boost.beginSeen && boost.endSeen);
        ASSERT_FALSE(boost.nominal);
    }
}

void expectTotalsOfTheWholeTrace(const AnalyzedStore& trace) {
    for (const auto& totals : trace.get<ThreadStates>().totals)
        EXPECT_EQ(std::accumulate(totals.begin(), totals.end(), std::int64_t{0}),
                  trace.store->range().length());
}

TEST_F(RecordedTrace, PiFutex) {
    const auto trace = load("kernel-6.1-pifutex");
    if (!trace)
        GTEST_SKIP() << why_;
    EXPECT_EQ(countRaises(*trace), (RaiseCounts{{{"prio-0", 120, 0}, 17},
                                                {{"prio-0", 115, 0}, 24},
                                                {{"prio-0", 120, 115}, 24},
                                                {{"prio-m5", 115, 0}, 56}}));
    expectBoostsOfWorkers(*trace, "futex 0x4bc3e0");
    expectTotalsOfTheWholeTrace(*trace);
    // The step before: prio-m5's own request, which raises among fair threads only.
    for (const Boost& boost : trace->get<Boosts>().boosts) {
        if (boost.levels.size() == 1)
            continue;
        EXPECT_EQ(trace->store->threadName(boost.levels.front().donor), "prio-m5");
    }
}

TEST_F(RecordedTrace, RtMutexBus) {
    const auto trace = load("kernel-6.1-busrtmutex");
    if (!trace)
        GTEST_SKIP() << why_;
    EXPECT_EQ(countRaises(*trace),
              (RaiseCounts{{{"prio-0", 120, 0}, 35}, {{"prio-m5", 115, 0}, 163}}));
    expectBoostsOfWorkers(*trace, "lock 0xffffffffc0263028");
    expectTotalsOfTheWholeTrace(*trace);
    // Each contended wait of fifo-99 that boosted somebody names that one as the owner.
    int named = 0;
    for (const LockWait& wait : trace->get<LockWaits>().waits)
        named += trace->store->threadName(wait.thread) == "fifo-99" &&
                 wait.evidence == OwnerEvidence::PiSetprio;
    EXPECT_EQ(named, 198);
}

TEST_F(RecordedTrace, RtMutexBusOnPreemptRt) {
    const auto trace = load("kernel-6.1-rt-busrtmutex");
    if (!trace)
        GTEST_SKIP() << why_;
    EXPECT_EQ(countRaises(*trace), (RaiseCounts{{{"prio-0", 120, 0}, 69},
                                                {{"prio-m5", 115, 0}, 127},
                                                {{"ktimers/0", 98, 0}, 196},
                                                {{"ksoftirqd/0", 120, 98}, 2}}));
    expectBoostsOfWorkers(*trace, "lock 0xffffffffc0222028");
    expectTotalsOfTheWholeTrace(*trace);
    for (const Boost& boost : trace->get<Boosts>().boosts) {
        if (trace->store->threadName(boost.target) != "ksoftirqd/0")
            continue;
        EXPECT_EQ(trace->store->threadName(boost.donor), "ktimers/0");
    }
}

TEST_F(RecordedTrace, MutexBusOnPreemptRt) {
    const auto trace = load("kernel-6.1-rt-busmutex");
    if (!trace)
        GTEST_SKIP() << why_;
    EXPECT_EQ(countRaises(*trace), (RaiseCounts{{{"prio-0", 120, 0}, 84},
                                                {{"prio-m5", 115, 0}, 113},
                                                {{"ktimers/0", 98, 0}, 197}}));
}

TEST_F(RecordedTrace, MutexBusHasNoBoostAndOneWaitPerContention) {
    const auto trace = load("kernel-6.1-busmutex");
    if (!trace)
        GTEST_SKIP() << why_;
    EXPECT_EQ(countRaises(*trace), RaiseCounts{});
    // 1107 begins, 502 ends on one address: phases of a wait are not waits.
    std::map<std::string, int> waits;
    for (const LockWait& wait : trace->get<LockWaits>().waits)
        ++waits[trace->get<LockEvents>().locks[wait.lock.index()].name];
    EXPECT_EQ(waits.size(), 1U);
    EXPECT_LE(waits.begin()->second, 503);
    EXPECT_GE(waits.begin()->second, 502);
}

} // namespace

} // namespace inversight::test
