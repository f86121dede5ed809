// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Scheduling classes, releases, costs and buses of the model.
#include "core/lock/lock_policies.h"
#include "tests/core/virtual/virtual_run.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::runVirtual;
using test::specWith;
using test::VirtualRun;
using testing::ElementsAre;

using test::kUs;
using test::kMs;

VirtualRun runWith(const std::string& members, const char* policy = "mutex-2009") {
    return runVirtual(specWith(members), policy);
}

TEST(VirtualScheduler, RoundRobinSharesOneLevelInSlices) {
    const VirtualRun run = runWith(R"("virtual": { "rr_slice_ns": 2000000 }, "threads": [
        { "name": "a", "class": "rr", "priority": 5,
          "body": [ { "run": { "duration_ns": 5000000 } } ] },
        { "name": "b", "class": "rr", "priority": 5,
          "body": [ { "run": { "duration_ns": 3000000 } } ] },
        { "name": "c", "class": "fifo", "priority": 4,
          "body": [ { "run": { "duration_ns": 1000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "a[0,2) b[2,4) a[4,6) b[6,7) a[7,8) c[8,9)");
}

TEST(VirtualScheduler, FifoRunsUntilItIsDone) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "a", "class": "fifo", "priority": 5,
          "body": [ { "run": { "duration_ns": 5000000 } } ] },
        { "name": "b", "class": "fifo", "priority": 5,
          "body": [ { "run": { "duration_ns": 3000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "a[0,5) b[5,8)");
}

/// A preempted thread goes on before its equals.
TEST(VirtualScheduler, ThePreemptedStaysAtTheHeadOfItsLevel) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "a", "class": "fifo", "priority": 5,
          "body": [ { "run": { "duration_ns": 4000000 } } ] },
        { "name": "b", "class": "fifo", "priority": 5, "start_ns": 1000000,
          "body": [ { "run": { "duration_ns": 1000000 } } ] },
        { "name": "h", "class": "fifo", "priority": 6, "start_ns": 2000000,
          "body": [ { "run": { "duration_ns": 1000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "a[0,2) h[2,3) a[3,5) b[5,6)");
}

TEST(VirtualScheduler, EarliestDeadlineFirst) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "late", "class": "deadline", "sched_runtime_ns": 9000000,
          "sched_deadline_ns": 30000000,
          "body": [ { "run": { "duration_ns": 5000000 } } ] },
        { "name": "soon", "class": "deadline", "sched_runtime_ns": 9000000,
          "sched_deadline_ns": 10000000,
          "start_ns": 1000000, "body": [ { "run": { "duration_ns": 3000000 } } ] },
        { "name": "rt", "class": "fifo", "priority": 99,
          "body": [ { "run": { "duration_ns": 1000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "late[0,1) soon[1,4) late[4,8) rt[8,9)");
}

/// 2 ms in every 10: the rest of the time belongs to others.
TEST(VirtualScheduler, ADeadlineThreadIsHeldToItsBudget) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "dl", "class": "deadline", "sched_runtime_ns": 2000000,
          "sched_deadline_ns": 10000000,
          "body": [ { "run": { "duration_ns": 5000000 } } ] },
        { "name": "rt", "class": "fifo", "priority": 1,
          "body": [ { "run": { "duration_ns": 20000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "dl[0,2) rt[2,10) dl[10,12) rt[12,20) dl[20,21) rt[21,25)");
}

/// A boost by a DEADLINE thread is priority -1, and the owner needs no budget for it.
TEST(VirtualScheduler, ADeadlineDonorLendsItsDeadline) {
    const VirtualRun run = runWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "L", "class": "fifo", "priority": 1,
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 4000000 } }, { "unlock": "R" } ] },
        { "name": "M", "class": "fifo", "priority": 50, "start_ns": 2000000,
          "body": [ { "run": { "duration_ns": 10000000 } } ] },
        { "name": "D", "class": "deadline", "sched_runtime_ns": 1000000,
          "sched_deadline_ns": 20000000,
          "start_ns": 1000000, "body": [ { "lock": "R" }, { "run": { "duration_ns": 500000 } },
          { "unlock": "R" } ] } ])",
                                   "rt_mutex");
    EXPECT_THAT(run.setprios(), ElementsAre("L 1->100 at 1", "L 100->1 at 4"));
    EXPECT_EQ(run.thread("D").waitNs, 3 * kMs);
}

std::int64_t endMs(const VirtualRun& run, const char* name) {
    return run.thread(name).response.max() / kMs;
}

/// nice 0 against nice 5 weighs 1024 : 335; the lighter one has had a quarter when the other ends.
TEST(VirtualScheduler, FairThreadsShareByWeight) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "n0", "class": "other", "body": [ { "run": { "duration_ns": 300000000 } } ] },
        { "name": "n5", "class": "other", "nice": 5,
          "body": [ { "run": { "duration_ns": 300000000 } } ] } ])");
    EXPECT_NEAR(static_cast<double>(endMs(run, "n0")), 300.0 * (1024 + 335) / 1024, 3.0);
    EXPECT_EQ(endMs(run, "n5"), 600);
}

/// A sleeper comes back ahead by its credit, and preempts if that is more than the granularity.
TEST(VirtualScheduler, AFairWakeUpPreemptsByItsLag) {
    const auto timeline = [](const std::string& creditNs) {
        return runWith(R"("virtual": { "fair": { "latency_ns": 20000000,
            "min_granularity_ns": 20000000, "wake_up_granularity_ns": 5000000,
            "sleeper_credit_ns": )" +
                       creditNs + R"( } }, "threads": [
            { "name": "hog", "class": "other", "body": [ { "run": { "duration_ns": 60000000 } } ] },
            { "name": "s", "class": "other", "start_ns": 1000000, "loops": 2, "body": [
              { "run": { "duration_ns": 100000 } }, { "sleep": { "duration_ns": 3000000 } } ] } ])")
            .timeline();
    };
    // It first runs when the hog's slice is over: a new thread has no credit.
    EXPECT_EQ(timeline("20000000"), "hog[0,20) s[20,20.1) hog[20.1,23.1) s[23.1,23.2) "
                                    "hog[23.2,26.2) hog[26.2,60.2)");
    EXPECT_EQ(timeline("4000000"),
              "hog[0,20) s[20,20.1) hog[20.1,40.1) s[40.1,40.2) hog[40.2,60.2)");
}

TEST(VirtualScheduler, IdleCpusTakeWhatWaits) {
    const VirtualRun run = runWith(R"("cpus": 2, "threads": [
        { "name": "a", "class": "fifo", "priority": 5,
          "body": [ { "run": { "duration_ns": 4000000 } } ] },
        { "name": "b", "class": "fifo", "priority": 6,
          "body": [ { "run": { "duration_ns": 2000000 } } ] },
        { "name": "c", "class": "fifo", "priority": 7, "start_ns": 1000000,
          "body": [ { "run": { "duration_ns": 2000000 } } ] } ])");
    // c preempts the less urgent one, which goes on where b has ended.
    EXPECT_EQ(run.timeline(0), "a[0,1) c[1,3)");
    EXPECT_EQ(run.timeline(1), "b[0,2) a[2,5)");
}

TEST(VirtualScheduler, ReleasesArePlannedNotRelative) {
    const VirtualRun run = runWith(R"("threads": [
        { "name": "p", "class": "fifo", "priority": 1, "period_ns": 10000000, "deadline_ns": 8000000,
          "loops": 4, "body": [ { "run": { "duration_ns": 6000000 } }, { "next_period": {} } ] },
        { "name": "h", "class": "fifo", "priority": 2, "start_ns": 1000000,
          "body": [ { "run": { "duration_ns": 7000000 } } ] } ])");
    EXPECT_EQ(run.timeline(), "p[0,1) h[1,8) p[8,19) p[20,26) p[30,36)");
    EXPECT_EQ(run.thread("p").jobCount, 4u);
    EXPECT_EQ(run.thread("p").response.max(), 13 * kMs);
    EXPECT_EQ(run.thread("p").deadlineMissCount, 2u) << "the late job, and the one it delays";
}

TEST(VirtualScheduler, CostsAreSpentOnTheCpu) {
    const VirtualRun run = runWith(R"("virtual": { "context_switch_ns": 1000, "wake_up_ns": 10000,
        "lock_ns": 100000, "syscall_ns": 1000000, "timer_late_ns": 5000000 },
        "locks": [ { "name": "R" } ], "threads": [
        { "name": "a", "class": "fifo", "priority": 1, "body": [ { "lock": "R" }, { "unlock": "R" },
          { "sleep": { "duration_ns": 20000000 } } ] } ])");
    // switch, two times lock, one system call; 25 ms asleep; switch and wake-up
    EXPECT_EQ(run.thread("a").response.max(), 26'212 * kUs);
}

std::string busWith(
    const std::string& members,
    const std::string& body = R"({ "transfer": { "bus": "B", "operation": "read_byte_data" } })") {
    return R"("seed": 3, "buses": [ { "name": "B", "backend": "sim-i2c", "clock_hz": 100000)" +
           members + R"( } ], "threads": [ { "name": "a", "class": "fifo", "priority": 1,
           "loops": 1000, "body": [ )" +
           body + " ] } ]";
}

TEST(VirtualBus, WireTimeIsTheFormulas) {
    const VirtualRun run = runWith(busWith(""));
    EXPECT_EQ(run.thread("a").operationCount, 1000u);
    EXPECT_EQ(run.thread("a").latency.min(), 390 * kUs);
    EXPECT_EQ(run.thread("a").latency.max(), 390 * kUs);
    EXPECT_EQ(run.result.totalNs, 390 * kMs);
}

TEST(VirtualBus, StretchingAndPollingLengthenIt) {
    const VirtualRun stretched =
        runWith(busWith(R"(, "stretch_ns": { "uniform": { "low_ns": 0, "high_ns": 10000 } })"));
    EXPECT_GT(stretched.thread("a").latency.max(), 399 * kUs);
    EXPECT_LE(stretched.thread("a").latency.max(), 400 * kUs);
    const VirtualRun polled = runWith(busWith(R"(, "poll_ns": 100000)"));
    EXPECT_EQ(polled.thread("a").latency.max(), 400 * kUs);
}

TEST(VirtualBus, NackEndsATransferEarly) {
    const VirtualRun run = runWith(busWith(R"(, "nack_ppm": 100000)"));
    EXPECT_NEAR(static_cast<double>(run.thread("a").errorCount), 100, 35);
    EXPECT_EQ(run.thread("a").latency.count() + run.thread("a").errorCount, 1000u);
    const auto errors = static_cast<std::int64_t>(run.thread("a").errorCount);
    EXPECT_EQ(run.result.totalNs, (1000 - errors) * 390 * kUs + errors * 110 * kUs);
}

TEST(VirtualBus, LostArbitrationIsRepeatedUnderOneHold) {
    const VirtualRun run = runWith(busWith(R"(, "arbitration_loss_ppm": 500000, "retries": 30)"));
    EXPECT_EQ(run.thread("a").errorCount, 0u);
    EXPECT_EQ(run.result.locks[0].acquiredCount, 1000u);
    EXPECT_EQ(run.thread("a").latency.min(), 390 * kUs);
    EXPECT_EQ((run.thread("a").latency.max() - 390 * kUs) % (100 * kUs), 0);
    EXPECT_GT(run.thread("a").latency.max(), 390 * kUs);
    const VirtualRun never = runWith(busWith(R"(, "arbitration_loss_ppm": 1000000, "retries": 2)"));
    EXPECT_EQ(never.thread("a").errorCount, 1000u);
    EXPECT_EQ(never.result.totalNs, 1000 * 300 * kUs);
}

TEST(VirtualEngine, TheSameSeedGivesTheSameRun) {
    const std::string document =
        busWith(R"(, "cpu_before_ns": { "normal": { "mean_ns": 50000, "deviation_ns": 9000 } })");
    const VirtualRun first = runWith(document);
    EXPECT_EQ(first.result.totalNs, runWith(document).result.totalNs);
    std::string other = document;
    other.replace(other.find("\"seed\": 3"), 9, "\"seed\": 4");
    EXPECT_NE(first.result.totalNs, runWith(other).result.totalNs);
}

TEST(VirtualEngine, ADurationEndsEveryThread) {
    const VirtualRun run =
        runVirtual("i2c-bus-2009", "rt_mutex", {.duration = std::chrono::milliseconds(100)});
    EXPECT_GE(run.result.totalNs, 99 * kMs);
    EXPECT_LE(run.result.totalNs, 103 * kMs);
    for (const VirtualThreadResult& thread : run.result.threads)
        EXPECT_GT(thread.operationCount, 20u) << thread.name;
}

TEST(VirtualEngine, AStopIsObeyed) {
    std::stop_source stop;
    stop.request_stop();
    const auto scenario = loadScenario("i2c-bus-2009", {.loops = 1'000'000});
    VirtualEngine engine(scenario->spec, **findLockPolicy("rt_mutex"), {});
    const auto result = engine.run(JobContext(stop.get_token()), {});
    ASSERT_TRUE(result) << result.error().sentence();
    EXPECT_TRUE(result->interrupted);
    EXPECT_LT(result->threads[0].operationCount, 100'000u);
}

} // namespace
} // namespace inversight
