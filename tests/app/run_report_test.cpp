// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/run_report.h"

#include "app/cli/run_document.h"
#include "tests/app/schema.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

ThreadRunResult worker(const std::string& name, const Scheduling& scheduling, std::int32_t tid,
                       std::int64_t latencyNs) {
    ThreadRunResult thread;
    thread.name = name;
    thread.scheduling = scheduling;
    thread.tid = tid;
    thread.runTimeNs = 28'148'000'000;
    thread.operationCount = 4;
    for (int i = 0; i < 4; ++i)
        thread.latency.record(latencyNs);
    return thread;
}

PolicyRun policyRun(const std::string& policy, std::int64_t latencyNs) {
    PolicyRun run;
    run.result.policy = policy;
    run.result.totalNs = 28'152'313'999;
    run.result.threads = {
        worker("prio-m5", {SchedulingClass::Other, -5, 0}, 11, 2000),
        worker("fifo-99", {SchedulingClass::Fifo, 0, 99}, 12, latencyNs),
    };
    run.recording.emplace().path = "out/" + policy + ".dat";
    run.findings = TraceFindings{};
    return run;
}

RunPlan plan() {
    RunPlan plan;
    plan.scenario.spec.name = "i2c-bus-2009";
    plan.scenario.document = R"({"scenario": 1, "name": "i2c-bus-2009"})";
    plan.policies.resize(2);
    plan.cpus = {{1}, {0}};
    plan.outputDirectory = "out";
    return plan;
}

BoostGroup boostOfM5() {
    return {.target = "prio-m5",
            .fromPrio = 115,
            .toPrio = 0,
            .donor = "fifo-99",
            .lock = "i2c-2 bus lock",
            .count = 163,
            .longestNs = 612'000,
            .totalNs = 9'000'000};
}

TEST(RunReport, IsTheOriginalsTableWithBoostsAndLosses) {
    PolicyRun run = policyRun("rt_mutex", 1000);
    run.findings->boosts = {boostOfM5()};
    run.findings->workerBoostCount = 163;
    run.findings->inversions = {.count = 5, .unboundedCount = 2, .midNs = 3'500'000};
    EXPECT_EQ(
        runReport(plan(), run),
        "i2c-bus-2009, policy rt_mutex: 2 workers on real threads, CPU 1, recorded in out/rt_mutex.dat\n"
        "  worker   class    count  run ms  min us  max us  avg us  p50 us  p99 us  p99.9 us\n"
        "  prio-m5  nice -5      4   28148       2       2       2       2       2         2\n"
        "  fifo-99  FIFO 99      4   28148       1       1       1       1       1         1\n"
        "  total 28152313 us\n"
        "  boosted: prio-m5 nice -5 -> RT 99 by fifo-99 on i2c-2 bus lock: 163 times, "
        "longest 612.0 us\n"
        "  inversions: 5, of which 2 unbounded: others ran 3.500 ms in the holder's place\n"
        "  lost events: none\n");
}

TEST(RunReport, LossesAndUnknownDonorsAreSaid) {
    PolicyRun run = policyRun("rt_mutex", 1000);
    BoostGroup group = boostOfM5();
    group.donor.reset();
    group.lock.reset();
    group.count = 1;
    run.findings->boosts = {group};
    run.findings->otherBoostCount = 2;
    run.recording->lostCount = 7;
    run.recording->lostMarkerCount = 3;
    EXPECT_EQ(run.lostCount(), 10U);
    EXPECT_FALSE(run.complete());
    EXPECT_THAT(runReport(plan(), run),
                testing::EndsWith("  boosted: prio-m5 nice -5 -> RT 99 by an unknown donor on an "
                                  "unknown lock: 1 time, longest 612.0 us\n"
                                  "  boosts of other threads: 2\n"
                                  "  inversions: none of a worker\n"
                                  "  LOST: 7 events, 3 markers; what the trace shows is "
                                  "incomplete\n"));
}

TEST(RunReport, ComparisonGoesFromTheFirstToEachLater) {
    const std::vector<PolicyRun> runs{policyRun("mutex-2009", 2000), policyRun("rt_mutex", 1000)};
    EXPECT_EQ(comparisonReport(runs),
              "mutex-2009 -> rt_mutex\n"
              "  worker             avg us            p99 us            max us\n"
              "  prio-m5   2 -> 2 (+0.0 %)   2 -> 2 (+0.0 %)   2 -> 2 (+0.0 %)\n"
              "  fifo-99  2 -> 1 (-50.0 %)  2 -> 1 (-50.0 %)  2 -> 1 (-50.0 %)\n"
              "  total 28152313 us -> 28152313 us (+0.0 %)\n");
    EXPECT_EQ(comparisonReport(std::span(runs).first(1)), "");
}

TEST(RunDocument, IsValidBySchemaAndExact) {
    std::vector<PolicyRun> runs{policyRun("mutex-2009", 2000), policyRun("rt_mutex", 1000)};
    runs[1].findings->boosts = {boostOfM5()};
    runs[1].findings->workerBoostCount = 163;
    const Json document = runDocument(plan(), runs).toJson();
    EXPECT_TRUE(validBySchema("run", {document.dump()}));
    EXPECT_EQ(document.at("complete"), true);
    const auto& thread = document.at("data").at("runs").at(1).at("threads").at(1);
    EXPECT_EQ(thread.at("class"), "fifo");
    EXPECT_EQ(thread.at("priority"), 99);
    EXPECT_FALSE(thread.contains("nice"));
    EXPECT_EQ(thread.at("latency_ns").at("p99_9"), 1000);
    const auto& comparison = document.at("data").at("comparisons").at(0);
    EXPECT_EQ(comparison.at("threads").at(1).at("avg_percent"), -50.0);
}

TEST(RunDocument, RunThatWasCutShortIsNotComplete) {
    std::vector<PolicyRun> runs{policyRun("mutex-2009", 2000)};
    EXPECT_EQ(runDocument(plan(), runs).complete, false); // of two policies
    runs.push_back(policyRun("rt_mutex", 1000));
    runs[1].result.interrupted = true;
    EXPECT_EQ(runDocument(plan(), runs).complete, false);
    runs[1].result.interrupted = false;
    runs[1].recording->lostCount = 1;
    EXPECT_EQ(runDocument(plan(), runs).complete, false);
}

} // namespace
} // namespace inversight
