// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/report/comparison_gate.h"
#include "trace/report/run_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// `count` operations of `ns` each, every tenth twice as long.
WorkerFacts worker(const std::string& name, std::int64_t ns, std::size_t count = 1000) {
    WorkerFacts facts{name, {}};
    for (std::size_t i = 0; i < count; ++i)
        facts.series.latencies.push_back(i % 10 == 9 ? 2 * ns : ns);
    facts.series.spanNs = static_cast<std::int64_t>(count) * 1'000'000;
    return facts;
}

RunSet set(const std::string& name, std::vector<WorkerFacts> workers,
           std::vector<InversionGroup> inversions = {}) {
    return {name, {RunFacts{name + ".dat", std::move(workers), std::move(inversions), 0}}};
}

TEST(RunComparison, WorkersAreMatchedByName) {
    const RunComparison comparison =
        compareRuns(set("a", {worker("low", 100'000), worker("high", 50'000)}),
                    set("b", {worker("high", 40'000), worker("new", 10'000)}));
    EXPECT_THAT(comparison.workers, ElementsAre("low", "high", "new"));
    const auto& rows = comparison.samples.rows; // avg, p99, max of each
    ASSERT_EQ(rows.size(), 9u);
    EXPECT_FALSE(rows[0].changePercent) << "low has gone";
    EXPECT_DOUBLE_EQ(*rows[3].changePercent, -20);
    EXPECT_TRUE(rows[3].differs());
    EXPECT_FALSE(rows[6].changePercent) << "new was not there";
}

TEST(RunComparison, InversionsAreCountedPerRun) {
    RunSet before = set("a", {worker("high", 50'000)}, {{"high", "bus lock i2c-2", 4, 1, 8000, 0}});
    before.runs.push_back(before.runs.front());
    before.runs.back().inversions = {{"high", "bus lock i2c-2", 2, 0, 0, 0}, {"low", "", 1, 1, 6, 0}};
    before.runs.back().lossCount = 3;
    const RunComparison comparison = compareRuns(before, set("b", {worker("high", 50'000)}));
    ASSERT_EQ(comparison.inversions.size(), 2u);
    EXPECT_EQ(comparison.inversions[0].victim, "high");
    EXPECT_DOUBLE_EQ(comparison.inversions[0].beforePerRun, 3);
    EXPECT_DOUBLE_EQ(comparison.inversions[0].beforeMidNsPerRun, 4000);
    EXPECT_DOUBLE_EQ(comparison.inversions[0].afterPerRun, 0);
    EXPECT_DOUBLE_EQ(comparison.inversions[1].beforePerRun, 0.5);
    EXPECT_EQ(comparison.lossCount, 3u);
}

std::string brokenBy(const char* bound, const RunComparison& comparison) {
    const auto gate = ComparisonGate::parse(bound);
    EXPECT_TRUE(gate) << gate.error().sentence();
    const auto reason = gate->broken(comparison);
    EXPECT_TRUE(reason) << reason.error().sentence();
    return reason->value_or("");
}

TEST(ComparisonGates, BoundsOfTheValueAndOfTheChange) {
    const RunComparison comparison =
        compareRuns(set("a", {worker("a:b", 100'000), worker("high", 50'000)}),
                    set("b", {worker("a:b", 100'000), worker("high", 60'000)}));
    EXPECT_EQ(brokenBy("high:max>120us", comparison), "");
    EXPECT_EQ(brokenBy("high:max>119.9us", comparison),
              "high:max>119.9us: max of high is 120.0 us");
    EXPECT_EQ(brokenBy("avg:+20%", comparison), "");
    EXPECT_EQ(brokenBy("avg:+19.5%", comparison),
              "avg:+19.5%: avg of high went from 55.0 us to 66.0 us (+20.0 %)");
    EXPECT_EQ(brokenBy("a:b:avg:+1%", comparison), "");
    EXPECT_EQ(brokenBy("a:b:avg>0.1ms", comparison), "a:b:avg>0.1ms: avg of a:b is 110.0 us");
}

TEST(ComparisonGates, MistakesAreNamed) {
    for (const char* wrong : {"", "max", "max>", "max>12", "max>-1us", "best>1us", "p99:5%", "p99:+%",
                              "high:p99", "max<1us"}) {
        const auto gate = ComparisonGate::parse(wrong);
        ASSERT_FALSE(gate) << wrong;
        EXPECT_THAT(gate.error().sentence(), HasSubstr("METRIC>TIME"));
    }
    const RunComparison comparison = compareRuns(set("a", {worker("x", 1)}), set("b", {worker("x", 1)}));
    const auto reason = ComparisonGate::parse("y:max>1us")->broken(comparison);
    ASSERT_FALSE(reason);
    EXPECT_THAT(reason.error().sentence(), HasSubstr("no run has a worker y"));
}

} // namespace
} // namespace inversight
