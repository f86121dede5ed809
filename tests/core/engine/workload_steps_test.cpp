// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/thread_clock.h"
#include "core/engine/preconditions.h"
#include "core/engine/workload_engine.h"
#include "core/lock/lock_policies.h"
#include "engine_test_support.h"
#include "recording_sink.h"

#include <gmock/gmock.h>

/// Every part of a scenario that real threads run: releases, locks, distributions, classes, CPUs.
namespace inversight {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

/// A run of a scenario document under a policy, and what it wrote.
class Steps : public testing::Test {
protected:
    Result<RunResult> run(const std::string& json, std::string_view policy = "pthread",
                          EngineOptions options = {}) {
        const Scenario scenario = TRY(parseScenario(json));
        return run(scenario.spec, policy, options);
    }
    Result<RunResult> run(const WorkloadSpec& spec, std::string_view policy,
                          EngineOptions options = {}) {
        const CpuPlan cpus = planCpus(RtEnvironment::probe().allowedCpus, spec.cpuCount);
        WorkloadEngine engine(spec, **findLockPolicy(policy), cpus, sink_, options);
        return engine.run({}, {});
    }
    [[nodiscard]] std::vector<WrittenMarker> markersOf(const char* kind) const {
        std::vector<WrittenMarker> found;
        std::ranges::copy_if(sink_.markers(), std::back_inserter(found),
                             [&](const WrittenMarker& marker) { return marker.kind == kind; });
        return found;
    }
    RecordingSink sink_;
};

class RealTimeSteps : public Steps {
protected:
    void SetUp() override {
        const std::array needs{Need::Cpus, Need::RtRights, Need::RtRuntime};
        if (const auto met = require(needs); !met)
            GTEST_SKIP() << "needs real-time rights and two CPUs: " << met.error().sentence();
    }
};

/// A scenario with the lock A and B and these threads.
std::string document(const std::string& threads, const std::string& more = "") {
    return R"({"scenario":1,"name":"test","locks":[{"name":"A"},{"name":"B"}],)" + more +
           R"("threads":[)" + threads + "]}";
}

TEST_F(Steps, ReleasesArePlannedFromTheStartOffsetOn) {
    const auto result = run(document(
        R"({"name":"t","class":"other","start_ns":3000000,"period_ns":10000000,"loops":4,
            "deadline_ns":9000000,"body":[{"run":{"duration_ns":500000}},{"next_period":{}}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    const auto releases = markersOf("release");
    ASSERT_EQ(releases.size(), 4u);
    for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(releases[i].number, i);
        EXPECT_EQ(releases[i].plannedNs - releases[i - 1].plannedNs, 10'000'000);
    }
    const ThreadRunResult& thread = result->threads.front();
    EXPECT_EQ(thread.jobs->count, 4u);
    EXPECT_EQ(thread.jobs->response.count(), 4u);
    EXPECT_GE(thread.jobs->response.min(), 500'000);
    EXPECT_FALSE(result->interrupted);
    // The fourth release is 33 ms behind the start; it ends without waiting for a fifth.
    EXPECT_GE(result->totalNs, 33'500'000);
    EXPECT_LT(result->totalNs, 43'000'000);
}

TEST_F(Steps, LateJobsMissTheirDeadlinesAndFollowAtOnce) {
    const auto result = run(document(
        R"({"name":"t","class":"other","period_ns":2000000,"loops":5,"deadline_ns":2000000,
            "body":[{"run":{"duration_ns":3000000}},{"next_period":{}}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    const ThreadRunResult& thread = result->threads.front();
    EXPECT_EQ(thread.jobs->count, 5u);
    EXPECT_EQ(thread.jobs->deadlineMissCount, 5u);
    // Job k is released at 2k and ends at 3(k + 1) at the earliest.
    EXPECT_GE(thread.jobs->response.max(), 7'000'000);
}

TEST_F(Steps, ADurationEndsTheLoops) {
    const auto result = run(document(
        R"({"name":"t","class":"other","duration_ns":20000000,"body":[{"sleep":{"duration_ns":1000000}}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    const ThreadRunResult& thread = result->threads.front();
    EXPECT_FALSE(result->interrupted);
    EXPECT_GE(thread.jobs->count, 5u);
    EXPECT_LE(thread.jobs->count, 20u);
    EXPECT_GE(result->totalNs, 20'000'000);
}

TEST_F(Steps, LocksNestAndMarksAreWritten) {
    const auto result = run(document(
        R"({"name":"t","class":"other","loops":2,"body":[{"lock":"A"},{"lock":"B"},{"mark":"inside"},
            {"unlock":"B"},{"unlock":"A"}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    Names story;
    for (const WrittenMarker& marker : sink_.ofThread(result->threads.front().tid))
        story.push_back(marker.kind + (marker.name.empty() ? "" : " " + marker.name));
    Names loop{"wait A", "end",         "hold A",   "wait B",  "end",
               "hold B", "note inside", "unhold B", "unhold A"};
    Names expected{"release"};
    for (int i = 0; i < 2; ++i)
        expected.insert(expected.end(), loop.begin(), loop.end());
    EXPECT_EQ(story, expected);
    ASSERT_EQ(result->locks.size(), 2u);
    EXPECT_EQ(result->locks[0].name, "A");
    EXPECT_EQ(result->locks[1].policy, "pthread");
    const auto announced = markersOf("lock");
    ASSERT_EQ(announced.size(), 2u);
    EXPECT_EQ(announced[0].name, "A");
    EXPECT_NE(announced[0].number, announced[1].number);
}

TEST_F(Steps, AFailedTryLockIsCountedAndGoesOnBehindItsUnlock) {
    const auto result = run(document(
        R"({"name":"owner","class":"other","body":[{"lock":"A"},{"sleep":{"duration_ns":60000000}},{"unlock":"A"}]},
           {"name":"tries","class":"other","start_ns":20000000,"body":[{"trylock":"A"},{"mark":"got it"},
            {"unlock":"A"},{"sleep":{"duration_ns":60000000}},{"trylock":"A"},{"mark":"late"},{"unlock":"A"}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(result->threads[1].tryFailedCount, 1u);
    const auto notes = markersOf("note");
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_EQ(notes[0].name, "late");
}

TEST_F(Steps, ALockOfItsOwnPolicyKeepsIt) {
    const auto result = run(
        R"({"scenario":1,"name":"own","locks":[{"name":"A","policy":"mutex"},{"name":"B"}],
            "threads":[{"name":"t","class":"other","body":[{"lock":"A"},{"unlock":"A"},{"lock":"B"},{"unlock":"B"}]}]})",
        "rt_mutex");
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(result->locks[0].policy, "mutex");
    EXPECT_EQ(result->locks[1].policy, "rt_mutex");
}

TEST_F(Steps, TimesThatVaryStayInTheirRange) {
    const auto result = run(document(
        R"({"name":"t","class":"other","loops":20,"body":[{"run":{"duration_ns":{"uniform":{"low_ns":100000,"high_ns":900000}}}}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    const ThreadRunResult& thread = result->threads.front();
    EXPECT_EQ(thread.jobs->count, 20u);
    EXPECT_GE(thread.jobs->response.min(), 100'000);
    EXPECT_GT(thread.jobs->response.max() - thread.jobs->response.min(), 100'000);
}

TEST_F(Steps, PartsOfATransferSumToItsLatency) {
    const auto result = run(
        R"({"scenario":1,"name":"parts","buses":[{"name":"i2c-2","backend":"sim-i2c","cpu_before_ns":200000,"cpu_after_ns":100000}],
            "threads":[{"name":"t","class":"other","loops":1,"body":[{"run":{"duration_ns":1000000}},
            {"transfer":{"bus":"i2c-2","operation":"read_byte_data"}}]}]})");
    ASSERT_TRUE(result) << result.error().sentence();
    const ThreadRunResult& thread = result->threads.front();
    const LatencyParts& parts = thread.parts.value();
    EXPECT_EQ(parts.lockWait.sum() + parts.toWire.sum() + parts.wire.sum() + parts.fromWire.sum(),
              thread.latency.sum());
    EXPECT_GE(parts.releaseToRequest.min(), 1'000'000);
    EXPECT_GE(parts.toWire.min(), 200'000);
    EXPECT_GE(parts.wire.min(), 390'000);
    EXPECT_GE(parts.fromWire.min(), 100'000);
}

TEST_F(Steps, FaultsOfTheBusAreCounted) {
    const auto result = run(
        R"({"scenario":1,"name":"faults","buses":[{"name":"i2c-2","backend":"sim-i2c","clock_hz":1000000,"nack_ppm":1000000}],
            "threads":[{"name":"t","class":"other","loops":3,"body":[{"transfer":{"bus":"i2c-2","operation":"quick"}}]}]})");
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(result->threads.front().operationCount, 3u);
    EXPECT_EQ(result->threads.front().errorCount, 3u);
    EXPECT_EQ(result->threads.front().latency.count(), 0u);
}

class DeadlockOfTwo : public RealTimeSteps, public testing::WithParamInterface<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Table, DeadlockOfTwo,
                         testing::Values("mutex-2009", "mutex", "rt_mutex", "late-boost",
                                         "priority-queue", "pthread"),
                         [](const auto& tested) {
                             std::string name(tested.param);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST_P(DeadlockOfTwo, IsReportedInOrderAndNeverHung) {
    const auto scenario = loadScenario("deadlock", {});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const auto result = run(scenario->spec, GetParam());
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(result->interrupted);
    EXPECT_LT(result->totalNs, 1'000'000'000);
    EXPECT_THAT(result->deadlock, testing::AnyOf(ElementsAre("L", "B", "H", "A", "L"),
                                                 ElementsAre("H", "A", "L", "B", "H")));
    EXPECT_THAT(result->warnings, Contains(HasSubstr(", which waits for ")));
}

TEST_F(RealTimeSteps, ACeilingLetsNoDeadlockBegin) {
    const auto scenario = loadScenario("deadlock", {});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const auto result = run(scenario->spec, "ceiling");
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_FALSE(result->interrupted);
    EXPECT_TRUE(result->deadlock.empty());
}

TEST_F(RealTimeSteps, ThreadsMayHaveCpusOfTheirOwn) {
    const auto scenario = loadScenario("two-cpus", {});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const auto result = run(scenario->spec, "rt_mutex");
    ASSERT_TRUE(result) << result.error().sentence();
    // L's remaining 3 ms on the other CPU; M would have made it 12.
    const ThreadRunResult& high = result->threads[2];
    EXPECT_EQ(high.name, "H");
    EXPECT_LT(high.jobs->maxWaitNs, 12'000'000);
}

TEST_F(RealTimeSteps, DeadlineThreadsRun) {
    const auto result = run(document(
        R"({"name":"dl","class":"deadline","sched_runtime_ns":2000000,"sched_deadline_ns":10000000,
            "loops":3,"period_ns":10000000,"body":[{"run":{"duration_ns":500000}},{"next_period":{}}]})"));
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(result->threads.front().jobs->count, 3u);
}

TEST_F(Steps, MoreCpusThanThereAreAreRefused) {
    const auto result = run(
        R"({"scenario":1,"name":"wide","cpus":64,"threads":[{"name":"t","class":"other","body":[{"run":{"duration_ns":1}}]}]})");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(result.error().what,
                HasSubstr("the scenario has 64 CPUs, and the workers may use"));
}

TEST_F(Steps, LayoutsThatAPolicyCannotServeAreRefused) {
    const std::string mixed =
        document(R"({"name":"low","class":"other","body":[{"lock":"A"},{"unlock":"A"}]},
                    {"name":"high","class":"fifo","priority":20,"body":[{"lock":"A"},{"unlock":"A"}]})");
    const auto ceiling = run(mixed, "ceiling");
    ASSERT_FALSE(ceiling);
    EXPECT_EQ(ceiling.error().what, "policy ceiling: low (nice 0) is no FIFO or RR thread");
    EXPECT_EQ(ceiling.error().where, "lock A");
    for (const char* policy : {"ticket", "spin"}) {
        const auto busy = run(mixed, policy);
        ASSERT_FALSE(busy);
        EXPECT_EQ(busy.error().what,
                  std::string("policy ") + policy +
                      ": high (FIFO 20) could busy-wait on the CPU that low needs to let go");
    }
}

TEST_F(Steps, BusyWaitingFairThreadsShareACpu) {
    const std::string two = document(
        R"({"name":"a","class":"other","loops":50,"body":[{"lock":"A"},{"run":{"duration_ns":10000}},{"unlock":"A"}]},
                    {"name":"b","class":"other","loops":50,"body":[{"lock":"A"},{"run":{"duration_ns":10000}},{"unlock":"A"}]})");
    for (const char* policy : {"ticket", "spin"}) {
        const auto result = run(two, policy);
        ASSERT_TRUE(result) << result.error().sentence();
        EXPECT_FALSE(result->interrupted);
    }
}

} // namespace
} // namespace inversight
