// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/latency_summary.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(LatencySummary, OfSmallExactValues) {
    LatencyHistogram histogram;
    for (int value = 1; value <= 1000; ++value)
        histogram.record(value);
    const LatencySummary expected{
        .count = 1000, .min = 1, .average = 501, .p50 = 500, .p99 = 990, .p99_9 = 999, .max = 1000};
    EXPECT_EQ(summarize(histogram), expected);
}

TEST(LatencySummary, OfNothing) {
    EXPECT_EQ(summarize(LatencyHistogram()), LatencySummary{});
}

TEST(LatencyChange, IsInPercentOfBefore) {
    const LatencySummary before{.count = 9, .average = 1535, .p99 = 2000, .max = 796509};
    const LatencySummary after{.count = 9, .average = 762, .p99 = 2500, .max = 1282};
    const LatencyChange change = compare(before, after);
    EXPECT_TRUE(change.comparable);
    EXPECT_NEAR(change.averagePercent, -50.358, 0.001);
    EXPECT_NEAR(change.p99Percent, 25.0, 1e-9);
    EXPECT_NEAR(change.maxPercent, -99.839, 0.001);
}

TEST(LatencyChange, NeedsSamplesAndSomethingToCompareWith) {
    const LatencySummary some{.count = 1, .average = 10, .p99 = 10, .max = 10};
    const LatencySummary zeroes{.count = 1};
    EXPECT_FALSE(compare({}, some).comparable);
    EXPECT_FALSE(compare(some, {}).comparable);
    EXPECT_FALSE(compare(zeroes, some).comparable);
    EXPECT_TRUE(compare(some, zeroes).comparable);
    EXPECT_NEAR(compare(some, zeroes).averagePercent, -100.0, 1e-9);
}

} // namespace
} // namespace inversight
