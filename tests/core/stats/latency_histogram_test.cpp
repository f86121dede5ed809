// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace inversight {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

LatencyHistogram histogramOf(const std::vector<std::int64_t>& samples) {
    LatencyHistogram histogram;
    for (const std::int64_t sample : samples)
        histogram.record(sample);
    return histogram;
}

/// Values whose size is spread evenly over decades, as latencies are.
std::vector<std::int64_t> logUniform(std::size_t count, double lowExponent, double highExponent,
                                     std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> exponent(lowExponent, highExponent);
    std::vector<std::int64_t> samples(count);
    std::ranges::generate(
        samples, [&] { return static_cast<std::int64_t>(std::pow(10.0, exponent(random))); });
    return samples;
}

std::int64_t exactPercentile(std::vector<std::int64_t> samples, std::size_t perMille) {
    std::ranges::sort(samples);
    const std::size_t rank = std::max<std::size_t>((samples.size() * perMille + 999) / 1000, 1);
    return samples[rank - 1];
}

TEST(LatencyHistogram, EmptyIsAllZero) {
    const LatencyHistogram histogram;
    EXPECT_EQ(histogram.count(), 0u);
    EXPECT_EQ(histogram.min(), 0);
    EXPECT_EQ(histogram.max(), 0);
    EXPECT_EQ(histogram.sum(), 0);
    EXPECT_EQ(histogram.average(), 0);
    EXPECT_EQ(histogram.percentile(0.5), 0);
    EXPECT_TRUE(histogram.buckets().empty());
}

TEST(LatencyHistogram, OneValueIsEveryFigure) {
    const LatencyHistogram histogram = histogramOf({1'282'345});
    EXPECT_EQ(histogram.min(), 1'282'345);
    EXPECT_EQ(histogram.max(), 1'282'345);
    EXPECT_EQ(histogram.average(), 1'282'345);
    EXPECT_EQ(histogram.percentile(0.0), 1'282'345);
    EXPECT_EQ(histogram.percentile(1.0), 1'282'345);
}

TEST(LatencyHistogram, SmallValuesAreExact) {
    std::vector<std::int64_t> samples(2048);
    std::iota(samples.begin(), samples.end(), 0);
    const LatencyHistogram histogram = histogramOf(samples);
    for (std::size_t perMille = 1; perMille <= 1000; ++perMille) {
        EXPECT_EQ(histogram.percentile(static_cast<double>(perMille) / 1000),
                  exactPercentile(samples, perMille))
            << perMille;
    }
    EXPECT_EQ(histogram.buckets().size(), 2048u);
}

TEST(LatencyHistogram, AgreesWithSortedSamples) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto samples = logUniform(1 + seed * 500, 1, 11, seed);
        const LatencyHistogram histogram = histogramOf(samples);
        const auto [low, high] = std::ranges::minmax(samples);
        const std::int64_t sum = std::accumulate(samples.begin(), samples.end(), std::int64_t{0});
        const auto count = static_cast<std::int64_t>(samples.size());
        EXPECT_EQ(histogram.count(), samples.size());
        EXPECT_EQ(histogram.min(), low);
        EXPECT_EQ(histogram.max(), high);
        EXPECT_EQ(histogram.sum(), sum);
        EXPECT_EQ(histogram.average(), (2 * sum + count) / (2 * count));
        for (const std::size_t perMille : {1, 10, 500, 900, 990, 999, 1000}) {
            const std::int64_t exact = exactPercentile(samples, perMille);
            const std::int64_t found = histogram.percentile(static_cast<double>(perMille) / 1000);
            EXPECT_GE(found, exact) << "seed " << seed << ", per mille " << perMille;
            EXPECT_LE(found, exact + exact / 1024) << "seed " << seed << ", per mille " << perMille;
        }
    }
}

TEST(LatencyHistogram, RanksAreNotPushedUpByRounding) {
    // 0.07 * 100 is a little more than 7 in binary; the eighth value would be wrong.
    std::vector<std::int64_t> samples(100);
    std::iota(samples.begin(), samples.end(), 1);
    EXPECT_EQ(histogramOf(samples).percentile(0.07), 7);
}

TEST(LatencyHistogram, BucketsCoverTheirValuesWithoutGapsOrOverlap) {
    const auto samples = logUniform(5000, 0, 18.9, 7);
    const auto buckets = histogramOf(samples).buckets();
    std::uint64_t total = 0;
    std::int64_t previousHigh = -1;
    for (const auto& bucket : buckets) {
        EXPECT_GT(bucket.low, previousHigh);
        EXPECT_GE(bucket.high, bucket.low);
        EXPECT_LE(bucket.high - bucket.low, bucket.low / 1024);
        const auto inside = std::ranges::count_if(
            samples, [&](std::int64_t s) { return s >= bucket.low && s <= bucket.high; });
        EXPECT_EQ(bucket.count, static_cast<std::uint64_t>(inside));
        total += bucket.count;
        previousHigh = bucket.high;
    }
    EXPECT_EQ(total, samples.size());
}

TEST(LatencyHistogram, ExtremesAreDefined) {
    const LatencyHistogram histogram = histogramOf({kMax, kMax, -5});
    EXPECT_EQ(histogram.min(), 0) << "negative values count as 0";
    EXPECT_EQ(histogram.max(), kMax);
    EXPECT_EQ(histogram.sum(), kMax) << "the sum saturates";
    EXPECT_EQ(histogram.percentile(1.0), kMax);
    EXPECT_EQ(histogram.percentile(0.1), 0);
    EXPECT_EQ(histogram.percentile(-1.0), 0);
    EXPECT_EQ(histogram.percentile(7.0), kMax);
}

TEST(LatencyHistogram, MergeEqualsRecordingEverything) {
    const auto first = logUniform(1000, 2, 8, 1);
    const auto second = logUniform(500, 3, 10, 2);
    std::vector<std::int64_t> all = first;
    all.insert(all.end(), second.begin(), second.end());
    LatencyHistogram merged = histogramOf(first);
    merged.merge(histogramOf(second));
    merged.merge(LatencyHistogram());
    const LatencyHistogram expected = histogramOf(all);
    EXPECT_EQ(merged.count(), expected.count());
    EXPECT_EQ(merged.sum(), expected.sum());
    EXPECT_EQ(merged.min(), expected.min());
    EXPECT_EQ(merged.max(), expected.max());
    EXPECT_EQ(merged.percentile(0.99), expected.percentile(0.99));

    LatencyHistogram fromEmpty;
    fromEmpty.merge(histogramOf(first));
    EXPECT_EQ(fromEmpty.min(), *std::ranges::min_element(first));
}

TEST(LatencyHistogram, RestoredFromItsPartsIsTheSame) {
    LatencyHistogram histogram;
    for (const std::int64_t value : {0, 7, 2047, 2048, 123'456, 796'509'000})
        histogram.record(value);
    const auto buckets = histogram.buckets();
    const LatencyHistogram again =
        LatencyHistogram::restored(buckets, histogram.sum(), histogram.min(), histogram.max());
    EXPECT_EQ(again.count(), histogram.count());
    EXPECT_EQ(again.sum(), histogram.sum());
    EXPECT_EQ(again.min(), 0);
    EXPECT_EQ(again.max(), 796'509'000);
    for (const double fraction : {0.1, 0.5, 0.9, 1.0})
        EXPECT_EQ(again.percentile(fraction), histogram.percentile(fraction));
    EXPECT_EQ(again.buckets().size(), buckets.size());
}

} // namespace
} // namespace inversight
