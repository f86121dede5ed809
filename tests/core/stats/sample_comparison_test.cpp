// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/random_source.h"
#include "core/stats/run_permutation.h"
#include "core/stats/sample_comparison.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

/// Latencies of about 1 ms that depend on the ones before: a share of the last deviation stays.
LatencySeries autocorrelated(RandomSource& random, std::size_t count, double kept, double level) {
    LatencySeries series;
    double deviation = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double noise = -6; // twelve uniforms: nearly normal
        for (int j = 0; j < 12; ++j)
            noise += static_cast<double>(random.upTo(1'000'000)) / 1e6;
        deviation = kept * deviation + noise * 50'000;
        series.latencies.push_back(std::llround(level + deviation));
    }
    series.spanNs = static_cast<std::int64_t>(count) * 1'000'000;
    return series;
}

std::vector<RunSample> runsOf(RandomSource& random, std::size_t runs, std::size_t threads,
                              double level, double runSpread) {
    std::vector<RunSample> samples;
    for (std::size_t run = 0; run < runs; ++run) {
        RunSample sample;
        for (std::size_t thread = 0; thread < threads; ++thread) {
            const double luck = (static_cast<double>(random.upTo(2000)) / 1000 - 1) * runSpread;
            sample.push_back(autocorrelated(random, 1200, 0.8, level * (1 + luck)));
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

TEST(LatencyMetrics, AreThoseOfTheOriginalsTables) {
    std::vector<std::int64_t> latencies;
    for (std::int64_t i = 1000; i >= 1; --i)
        latencies.push_back(i);
    EXPECT_DOUBLE_EQ(latencyMetric(latencies, LatencyMetric::Average), 500.5);
    EXPECT_DOUBLE_EQ(latencyMetric(latencies, LatencyMetric::P50), 500);
    EXPECT_DOUBLE_EQ(latencyMetric(latencies, LatencyMetric::P99), 990);
    EXPECT_DOUBLE_EQ(latencyMetric(latencies, LatencyMetric::P99_9), 999);
    EXPECT_DOUBLE_EQ(latencyMetric(latencies, LatencyMetric::Max), 1000);
    EXPECT_DOUBLE_EQ(latencyMetric({}, LatencyMetric::Max), 0);
}

TEST(PermuteRuns, SeparatedRunsHaveTheSmallestP) {
    const std::vector<RunValues> rows{{{1, 2, 3, 4, 5}, {11, 12, 13, 14, 15}}};
    const auto findings = permuteRuns(rows, 1);
    EXPECT_DOUBLE_EQ(findings[0].p, 2.0 / 252); // of 252 exchanges, this one and its mirror
    EXPECT_LT(findings[0].low, 10);
    EXPECT_GT(findings[0].low, 5);
    EXPECT_GT(findings[0].high, 10);
    EXPECT_LT(findings[0].high, 15);
}

TEST(PermuteRuns, EqualRunsShowNothing) {
    const std::vector<RunValues> rows{{{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}}, {{7, 7, 7, 7, 7}, {7, 7, 7, 7, 7}}};
    for (const PermutationFinding& finding : permuteRuns(rows, 1)) {
        EXPECT_DOUBLE_EQ(finding.p, 1);
        EXPECT_LE(finding.low, 0);
        EXPECT_GE(finding.high, 0);
    }
}

TEST(PermuteRuns, RunsThatDoNotVaryDifferByWhatTheyDiffer) {
    const std::vector<RunValues> rows{{{7, 7, 7, 7, 7}, {9, 9, 9, 9, 9}}};
    const auto findings = permuteRuns(rows, 1);
    EXPECT_DOUBLE_EQ(findings[0].p, 2.0 / 252);
    EXPECT_DOUBLE_EQ(findings[0].low, 2);
    EXPECT_DOUBLE_EQ(findings[0].high, 2);
}

TEST(PermuteRuns, ManyRowsTogetherKeepTheirPower) {
    // With Bonferroni's bound twelve rows could never reach 5 % with five runs a side.
    std::vector<RunValues> rows;
    for (int row = 0; row < 12; ++row)
        rows.push_back({{1.0 + row, 2, 3, 4, 5}, {21, 22, 23, 24.0 + row, 25}});
    for (const PermutationFinding& finding : permuteRuns(rows, 1))
        EXPECT_LE(finding.p, 0.05);
}

TEST(PermuteRuns, ManyRunsAreExchangedAtRandom) {
    RandomSource random(7, 0);
    RunValues row;
    for (int i = 0; i < 20; ++i) {
        row.before.push_back(100 + static_cast<double>(random.upTo(20)));
        row.after.push_back(130 + static_cast<double>(random.upTo(20)));
    }
    const std::vector<RunValues> rows{row};
    const auto findings = permuteRuns(rows, 1);
    EXPECT_DOUBLE_EQ(findings[0].p, 1e-4);
    EXPECT_EQ(permuteRuns(rows, 1)[0].low, findings[0].low) << "the same seed, the same result";
}

TEST(CompareSamples, SingleRunsAreComparedByBlocks) {
    RandomSource random(1, 0);
    const std::vector<RunSample> before = runsOf(random, 1, 1, 1e6, 0);
    const std::vector<RunSample> after = runsOf(random, 1, 1, 0.8e6, 0);
    const SampleComparison comparison = compareSamples(before, after, 1);
    ASSERT_EQ(comparison.rows.size(), 3u);
    const ComparisonRow& average = comparison.rows[0];
    EXPECT_EQ(average.unit, ComparisonUnit::Block);
    EXPECT_TRUE(average.differs());
    EXPECT_NEAR(*average.changePercent, -20, 4);
    EXPECT_LT(average.interval->low, *average.changePercent);
    EXPECT_GT(average.interval->high, *average.changePercent);
    EXPECT_EQ(comparison.rows[2].metric, LatencyMetric::Max);
    EXPECT_FALSE(comparison.rows[2].interval) << "a maximum has no interval";
    EXPECT_FALSE(comparison.rows[2].p);
}

TEST(CompareSamples, TooShortRunsGetNoInterval) {
    RandomSource random(1, 0);
    const std::vector<RunSample> runs{{autocorrelated(random, 499, 0, 1e6)}};
    const SampleComparison comparison = compareSamples(runs, runs, 1);
    EXPECT_EQ(comparison.rows[0].unit, ComparisonUnit::None);
    EXPECT_FALSE(comparison.rows[0].interval);
    EXPECT_DOUBLE_EQ(*comparison.rows[0].changePercent, 0);
    EXPECT_FALSE(comparison.anyDifference());
}

TEST(CompareSamples, ThreadsWithoutOperationsAreNotCompared) {
    RandomSource random(1, 0);
    std::vector<RunSample> before = runsOf(random, 5, 2, 1e6, 0.01);
    for (RunSample& run : before)
        run[1].latencies.clear();
    const SampleComparison comparison = compareSamples(before, before, 2);
    EXPECT_TRUE(comparison.rows[0].p);
    EXPECT_FALSE(comparison.rows[3].changePercent);
    EXPECT_FALSE(comparison.rows[3].p);
}

// A small number here; the soak has 2000 pairs of virtual runs.
TEST(CompareSamples, ChanceIsRarelyTakenForADifference) {
    RandomSource random(3, 0);
    int byBlocks = 0;
    int byRuns = 0;
    constexpr int kPairs = 60;
    for (int pair = 0; pair < kPairs; ++pair) {
        const auto one = runsOf(random, 1, 2, 1e6, 0);
        const auto other = runsOf(random, 1, 2, 1e6, 0);
        byBlocks += compareSamples(one, other, 2).anyDifference();
        const auto five = runsOf(random, 5, 2, 1e6, 0.05);
        const auto fiveOthers = runsOf(random, 5, 2, 1e6, 0.05);
        byRuns += compareSamples(five, fiveOthers, 2).anyDifference();
    }
    EXPECT_LE(byBlocks, 8);
    EXPECT_LE(byRuns, 8);
}

TEST(CompareSamples, AFifthIsSeenWithFiveRunsASide) {
    RandomSource random(5, 0);
    int seen = 0;
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
        const auto before = runsOf(random, 5, 3, 1e6, 0.05);
        const auto after = runsOf(random, 5, 3, 0.8e6, 0.05);
        seen += compareSamples(before, after, 3).anyDifference();
    }
    EXPECT_GE(seen, 16);
}

} // namespace
} // namespace inversight
