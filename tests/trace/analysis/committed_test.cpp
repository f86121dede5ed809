// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The recordings committed in tests/data (its README says how they were made): what today's readers
// and analyses say of them must stay true, whatever is changed.
#include "analyzed_script.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_waits.h"
#include "trace/decode/trace_source.h"

#include <map>
#include <set>

namespace inversight::test {

namespace {

LoadedTrace committed(const std::string& name) {
    auto loaded = loadTrace(std::string(INVERSIGHT_TEST_DATA) + "/" + name, JobContext());
    EXPECT_TRUE(loaded) << loaded.error().sentence();
    return loaded ? *std::move(loaded) : LoadedTrace{};
}

const std::set<std::string> kWorkers{"prio-0", "prio-m5", "fifo-99"};

} // namespace

TEST(CommittedTrace, ManifestSaysWhatRan) {
    const LoadedTrace trace = committed("i2c-bus-2009-rt_mutex.dat");
    ASSERT_TRUE(trace.report.manifest);
    EXPECT_EQ(trace.report.manifest->policy, "rt_mutex");
    EXPECT_EQ(trace.report.manifest->engine, "real");
    std::map<std::string, std::string> classes;
    for (const ManifestThread& thread : trace.report.manifest->threads)
        classes[thread.name] = thread.schedulingClass;
    EXPECT_EQ(classes, (std::map<std::string, std::string>{
                           {"prio-0", "other"}, {"prio-m5", "other"}, {"fifo-99", "fifo"}}));
    EXPECT_TRUE(trace.store->losses().empty());
}

TEST(CommittedTrace, EveryWorkerDidTwentyOperationsOfAtLeastTheWireTime) {
    for (const char* name : {"i2c-bus-2009-rt_mutex.dat", "i2c-bus-2009-mutex-2009.dat"}) {
        const AnalyzedStore trace(committed(name).store);
        std::set<std::string> workers;
        for (const ThreadLatency& thread : trace.get<Latency>().threads) {
            workers.insert(trace.store->threadName(thread.thread));
            EXPECT_EQ(thread.operations.size(), 20u) << name;
            EXPECT_GE(thread.latency.min(), 390'000 + 2 * 80'000) << name;
        }
        EXPECT_EQ(workers, kWorkers) << name;
    }
}

TEST(CommittedTrace, UnderRtMutexEveryWaitOfTheTopWorkerForAKnownOwnerBoostsThatOwner) {
    const AnalyzedStore trace(committed("i2c-bus-2009-rt_mutex.dat").store);
    const Boosts& boosts = trace.get<Boosts>();
    std::size_t waits = 0;
    for (const LockWait& wait : trace.get<LockWaits>().waits) {
        if (trace.store->threadName(wait.thread) != "fifo-99" || !wait.owner.valid())
            continue;
        ++waits;
        bool boosted = false;
        for (const std::uint32_t index : boosts.byTarget[wait.owner.index()]) {
            for (const BoostLevel& level : boosts.boosts[index].levels)
                boosted |= level.donor == wait.thread && level.lock == wait.lock &&
                           wait.range.contains(level.time);
        }
        EXPECT_TRUE(boosted) << "wait at " << wait.range.begin;
    }
    EXPECT_GE(waits, 10u);
}

TEST(CommittedTrace, UnderMutex2009NoWorkerIsBoosted) {
    const AnalyzedStore trace(committed("i2c-bus-2009-mutex-2009.dat").store);
    for (const Boost& boost : trace.get<Boosts>().boosts)
        EXPECT_FALSE(kWorkers.contains(trace.store->threadName(boost.target)));
}

} // namespace inversight::test
