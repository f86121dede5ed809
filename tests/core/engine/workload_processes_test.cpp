// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/preconditions.h"
#include "core/engine/workload_engine.h"
#include "core/lock/lock_policies.h"
#include "engine_test_support.h"

#include <chrono>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <sys/wait.h>

/// The same workload on processes, as in the program of 2009.
namespace inversight {
namespace {

// A process forked from one with threads may not begin any under ThreadSanitizer.
#if defined(__SANITIZE_THREAD__)
constexpr bool kMayForkThreads = false;
#else
constexpr bool kMayForkThreads = true;
#endif

class Processes : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!kMayForkThreads)
            GTEST_SKIP() << "needs a build without ThreadSanitizer";
        const std::array needs{Need::Cpus, Need::RtRights, Need::RtRuntime, Need::NiceRights};
        if (const auto met = require(needs); !met)
            GTEST_SKIP() << "needs real-time rights and two CPUs: " << met.error().sentence();
    }
    static Result<RunResult> run(const WorkloadSpec& spec, const std::string& policy,
                                 const JobContext& job = {}, const RunObserver& observer = {}) {
        NullMarkerSink sink;
        WorkloadEngine engine(spec, **findLockPolicy(policy), cpusOfThisMachine(), sink,
                              {.workers = WorkerKind::Process});
        return engine.run(job, observer);
    }
    static void expectNoChild() {
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a worker's process was left behind";
    }
};

std::vector<std::string> policiesForFairThreads() {
    std::vector<std::string> names;
    for (const LockPolicyRow& row : lockPolicies()) {
        if (row.makeReal && !row.traits.realTimeOnly && !row.traits.busyWaits)
            names.emplace_back(row.name);
    }
    return names;
}

INSTANTIATE_TEST_SUITE_P(Table, Processes, testing::ValuesIn(policiesForFairThreads()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST_P(Processes, DoWhatThreadsDo) {
    const auto scenario = loadScenario("i2c-bus-2009", {.loops = 20});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    std::set<std::int32_t> tids;
    RunObserver observer;
    observer.started = [&](const std::vector<ManifestThread>& threads) {
        for (const ManifestThread& thread : threads) {
            tids.insert(thread.tid);
            EXPECT_TRUE(std::ifstream("/proc/" + std::to_string(thread.tid) + "/stat").good());
        }
        EXPECT_EQ(threads[2].schedulingClass, "fifo");
        EXPECT_EQ(threads[2].priority, 99);
        EXPECT_EQ(threads[1].nice, -5);
    };
    const auto result = run(scenario->spec, GetParam(), {}, observer);
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(tids.size(), 3u);
    EXPECT_FALSE(tids.contains(getpid()));
    EXPECT_FALSE(result->interrupted);
    for (const ThreadRunResult& thread : result->threads) {
        EXPECT_EQ(thread.operationCount, 20u) << thread.name;
        EXPECT_EQ(thread.latency.count(), 20u);
        EXPECT_GE(thread.latency.min(), 490'000);
        EXPECT_EQ(thread.parts->wire.count(), 20u);
    }
    // One bus for all of them: the lock holds between processes.
    EXPECT_GE(result->totalNs, std::int64_t{3 * 20} * 490'000);
    expectNoChild();
}

TEST_P(Processes, EndOnAStopRequest) {
    const auto scenario = loadScenario("i2c-bus-2009", {.loops = 100'000});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    std::stop_source stop;
    RunObserver observer;
    observer.progress = [&](const RunProgress& progress) {
        if (progress.operationsDone > 0)
            stop.request_stop();
    };
    const auto begin = std::chrono::steady_clock::now();
    const auto result = run(scenario->spec, GetParam(), JobContext(stop.get_token()), observer);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(result->interrupted);
    EXPECT_GT(result->threads.front().operationCount, 0u);
    expectNoChild();
}

TEST_P(Processes, FailAsThreadsFail) {
    const auto scenario = loadScenario("i2c-bus-2009", {.loops = 1});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const bool tried = withoutSchedulingRights([&] {
        const auto result = run(scenario->spec, GetParam());
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::PermissionDenied);
        EXPECT_THAT(result.error().where, testing::HasSubstr("cannot be set to"));
        expectNoChild();
    });
    if (!tried)
        GTEST_SKIP() << "needs RLIMIT_RTPRIO and RLIMIT_NICE at 0";
}

TEST_P(Processes, NameADeadlock) {
    const auto scenario = loadScenario("deadlock", {});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const auto result = run(scenario->spec, GetParam());
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_THAT(result->deadlock, testing::AnyOf(testing::ElementsAre("L", "B", "H", "A", "L"),
                                                 testing::ElementsAre("H", "A", "L", "B", "H")));
}

} // namespace
} // namespace inversight
