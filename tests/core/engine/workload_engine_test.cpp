// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/workload_engine.h"

#include "core/engine/preconditions.h"
#include "core/lock/lock_policies.h"
#include "engine_test_support.h"
#include "recording_sink.h"

#include <chrono>
#include <set>

#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::uint64_t kLoops = 30;
constexpr const char* kLock = "i2c-2 bus lock";

/// The run of 2009 on this machine, under each policy.
class BusOf2009 : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const std::array needs{Need::Cpus, Need::RtRights, Need::RtRuntime, Need::NiceRights};
        if (const auto met = require(needs); !met)
            GTEST_SKIP() << "needs real-time rights and two CPUs: " << met.error().sentence();
    }
    [[nodiscard]] static Scenario scenario(std::uint64_t loops) {
        return *loadScenario("i2c-bus-2009", {.loops = loops});
    }
    Result<RunResult> run(const WorkloadSpec& spec, const JobContext& job = {},
                          const RunObserver& observer = {}) {
        WorkloadEngine engine(spec, policy(), cpusOfThisMachine(), sink_);
        return engine.run(job, observer);
    }

    [[nodiscard]] static const LockPolicyRow& policy() { return **findLockPolicy(GetParam()); }

    RecordingSink sink_;
};

std::vector<std::string> realPolicies() {
    std::vector<std::string> names;
    for (const LockPolicyRow& row : lockPolicies()) {
        if (row.makeReal && !row.traits.realTimeOnly && !row.traits.busyWaits)
            names.emplace_back(row.name);
    }
    return names;
}

std::string policyName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Table, BusOf2009, testing::ValuesIn(realPolicies()), policyName);

/// The release, then one operation after another: wait, hold with the transfer inside, release.
void expectWellFormed(const std::vector<WrittenMarker>& markers, std::uint64_t operations) {
    ASSERT_EQ(markers.size(), 1 + 6 * operations);
    EXPECT_EQ(markers[0].kind, "release");
    for (std::size_t i = 1; i < markers.size(); i += 6) {
        EXPECT_EQ(markers[i].kind, "wait");
        EXPECT_EQ(markers[i].name, kLock);
        EXPECT_EQ(markers[i + 1].kind, "end");
        EXPECT_EQ(markers[i + 2].kind, "hold");
        EXPECT_EQ(markers[i + 2].name, kLock);
        EXPECT_EQ(markers[i + 3].kind, "xfer");
        EXPECT_EQ(markers[i + 3].name, "i2c-2 read_byte_data");
        EXPECT_EQ(markers[i + 4].kind, "end");
        EXPECT_EQ(markers[i + 5].kind, "unhold");
        EXPECT_EQ(markers[i + 5].name, kLock);
        EXPECT_EQ(markers[i + 5].number, markers[i + 2].number);
    }
}

TEST_P(BusOf2009, MarkersTellEveryOperationInOrder) {
    const Scenario run2009 = scenario(kLoops);
    const auto result = run(run2009.spec);
    ASSERT_TRUE(result) << result.error().sentence();
    for (const ThreadRunResult& thread : result->threads) {
        SCOPED_TRACE(thread.name);
        expectWellFormed(sink_.ofThread(thread.tid), kLoops);
    }
    std::set<std::uint64_t> cookies;
    for (const WrittenMarker& marker : sink_.markers()) {
        EXPECT_EQ(marker.tgid, getpid());
        if (marker.kind == "hold") {
            EXPECT_TRUE(cookies.insert(marker.number).second) << "a cookie names one hold";
        }
    }
    EXPECT_EQ(cookies.size(), 3 * kLoops);
}

TEST_P(BusOf2009, HoldsNeverOverlap) {
    const Scenario run2009 = scenario(kLoops);
    ASSERT_TRUE(run(run2009.spec));
    std::uint64_t holder = 0;
    for (const WrittenMarker& marker : sink_.markers()) {
        if (marker.kind == "hold") {
            ASSERT_EQ(holder, 0u);
            holder = marker.number;
        } else if (marker.kind == "unhold") {
            ASSERT_EQ(holder, marker.number);
            holder = 0;
        }
    }
    EXPECT_EQ(holder, 0u);
}

TEST_P(BusOf2009, LockIsAnnouncedOnceBeforeTheStart) {
    const Scenario run2009 = scenario(kLoops);
    ASSERT_TRUE(run(run2009.spec));
    const auto isAnnouncement = [](const WrittenMarker& m) { return m.kind == "lock"; };
    const auto count = std::ranges::count_if(sink_.markers(), isAnnouncement);
    if ((*policy().makeReal({})).futexAddress() == 0) {
        EXPECT_EQ(count, 0) << "it has no single word";
        return;
    }
    ASSERT_EQ(count, 1);
    const WrittenMarker& first = sink_.markers().front();
    EXPECT_EQ(first.kind, "lock");
    EXPECT_EQ(first.name, kLock);
    EXPECT_NE(first.number, 0u);
}

TEST_P(BusOf2009, FiguresAreThoseOfTheWorkload) {
    const Scenario run2009 = scenario(kLoops);
    const auto result = run(run2009.spec);
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(result->policy, GetParam());
    EXPECT_FALSE(result->interrupted);
    ASSERT_EQ(result->threads.size(), 3u);
    std::int64_t longest = 0;
    for (const ThreadRunResult& thread : result->threads) {
        SCOPED_TRACE(thread.name);
        EXPECT_EQ(thread.operationCount, kLoops);
        EXPECT_EQ(thread.errorCount, 0u);
        EXPECT_EQ(thread.latency.count(), kLoops);
        // 390 us of wire and twice 50 us of CPU.
        EXPECT_GE(thread.latency.min(), 490'000);
        EXPECT_GE(thread.runTimeNs, thread.latency.sum());
        longest = std::max(longest, thread.runTimeNs);
    }
    EXPECT_GE(result->totalNs, longest);
    // One bus: no more than one operation at a time.
    EXPECT_GE(result->totalNs, static_cast<std::int64_t>(3 * kLoops) * 490'000);
    // FIFO 99 sleeps 1 ms after each read but the last.
    EXPECT_GE(result->threads[2].runTimeNs,
              result->threads[2].latency.sum() + static_cast<std::int64_t>(kLoops - 1) * 1'000'000);
    EXPECT_THAT(
        result->warnings,
        Contains(HasSubstr("worker fifo-99 runs at FIFO 99, above the kernel's interrupt")));
}

TEST_P(BusOf2009, WorkersAreWhatTheScenarioSays) {
    const Scenario run2009 = scenario(2);
    std::vector<ManifestThread> seen;
    std::size_t markersAtStart = 0;
    RunObserver observer;
    observer.started = [&](const std::vector<ManifestThread>& threads) {
        seen = threads;
        for (const ManifestThread& thread : threads)
            markersAtStart += sink_.ofThread(thread.tid).size();
    };
    const auto result = run(run2009.spec, {}, observer);
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_EQ(markersAtStart, 0u) << "nobody may have started yet";
    ASSERT_EQ(seen.size(), 3u);
    const std::vector<int> cpu{cpusOfThisMachine().workerCpus};
    EXPECT_EQ(seen[0], (ManifestThread{seen[0].tid, "prio-0", "other", 0, 0, cpu}));
    EXPECT_EQ(seen[1], (ManifestThread{seen[1].tid, "prio-m5", "other", 0, -5, cpu}));
    EXPECT_EQ(seen[2].schedulingClass, "fifo");
    EXPECT_EQ(seen[2].priority, 99);
    EXPECT_EQ(seen[2].cpus, cpu);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(result->threads[i].tid, seen[i].tid);
    EXPECT_EQ(std::set<std::int32_t>({seen[0].tid, seen[1].tid, seen[2].tid}).size(), 3u);
}

TEST_P(BusOf2009, StopRequestEndsItAndKeepsTheFigures) {
    const Scenario run2009 = scenario(100'000);
    std::stop_source stop;
    RunObserver observer;
    std::chrono::steady_clock::time_point requested;
    observer.progress = [&](const RunProgress& progress) {
        EXPECT_EQ(progress.operationsTotal, 300'000u);
        if (progress.operationsDone > 0 && !stop.stop_requested()) {
            EXPECT_GE(progress.maxLatencyNs, 490'000);
            requested = std::chrono::steady_clock::now();
            stop.request_stop();
        }
    };
    const std::size_t threads = threadCount();
    const auto result = run(run2009.spec, JobContext(stop.get_token()), observer);
    const auto ended = std::chrono::steady_clock::now();
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(result->interrupted);
    EXPECT_LT(ended - requested, std::chrono::seconds(2));
    EXPECT_EQ(threadCount(), threads);
    std::uint64_t operations = 0;
    for (const ThreadRunResult& thread : result->threads) {
        EXPECT_EQ(thread.latency.count(), thread.operationCount);
        operations += thread.operationCount;
    }
    EXPECT_GT(operations, 0u);
    EXPECT_LT(operations, 300'000u);
    const auto holdsIn = [&](const char* kind) {
        return std::ranges::count_if(sink_.markers(),
                                     [&](const auto& m) { return m.kind == kind; });
    };
    EXPECT_EQ(holdsIn("hold"), static_cast<std::ptrdiff_t>(operations));
    EXPECT_EQ(holdsIn("unhold"), static_cast<std::ptrdiff_t>(operations));
}

TEST(WorkloadEngine, CallerIsPutBackWhereItWas) {
    const auto scenario = parseScenario(fairScenario(3));
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    cpu_set_t before;
    cpu_set_t after;
    ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
    NullMarkerSink sink;
    WorkloadEngine engine(scenario->spec, **findLockPolicy("rt_mutex"), cpusOfThisMachine(), sink);
    const auto result = engine.run({}, {});
    ASSERT_TRUE(result) << result.error().sentence();
    ASSERT_EQ(sched_getaffinity(0, sizeof(after), &after), 0);
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
    EXPECT_EQ(result->threads[0].operationCount, 3u);
}

TEST(WorkloadEngine, LongSleepsAndComputationsEndOnAStopRequest) {
    for (const char* step : {R"({"sleep":{"duration_ns":3600000000000}})",
                             R"({"run":{"duration_ns":3600000000000}})"}) {
        SCOPED_TRACE(step);
        std::string json = fairScenario(1);
        const std::string transfer = R"({"transfer":{"bus":"i2c-2","operation":"quick"}})";
        json.replace(json.find(transfer), transfer.size(), transfer + "," + step);
        const auto scenario = parseScenario(json);
        ASSERT_TRUE(scenario) << scenario.error().sentence();
        std::stop_source stop;
        RunObserver observer;
        observer.progress = [&](const RunProgress&) { stop.request_stop(); };
        NullMarkerSink sink;
        WorkloadEngine engine(scenario->spec, **findLockPolicy("rt_mutex"), cpusOfThisMachine(),
                              sink);
        const auto begin = std::chrono::steady_clock::now();
        const auto result = engine.run(JobContext(stop.get_token()), observer);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
        ASSERT_TRUE(result) << result.error().sentence();
        EXPECT_TRUE(result->interrupted);
        EXPECT_EQ(result->threads[0].operationCount, 1u);
    }
}

} // namespace
} // namespace inversight
