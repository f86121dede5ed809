// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/time_distribution.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;
using testing::ElementsAre;

std::vector<std::int64_t> draws(const TimeDistribution& time, std::size_t count,
                                std::uint64_t seed = 1) {
    RandomSource random(seed, 0);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(time.draw(random).count());
    return values;
}

struct Moments {
    double mean = 0;
    double deviation = 0;
};

Moments momentsOf(const std::vector<std::int64_t>& values) {
    double sum = 0;
    double squares = 0;
    for (const std::int64_t value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(values.size());
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean)};
}

double shareAbove(const std::vector<std::int64_t>& values, std::int64_t limit) {
    const auto above = std::ranges::count_if(values, [&](std::int64_t v) { return v > limit; });
    return static_cast<double>(above) / static_cast<double>(values.size());
}

constexpr std::size_t kMany = 200'000;

TEST(TimeDistribution, FixedTakesNoNumber) {
    RandomSource a(5, 0);
    RandomSource b(5, 0);
    EXPECT_EQ(TimeDistribution(nanoseconds(7)).draw(a), nanoseconds(7));
    EXPECT_EQ(a.next(), b.next());
}

TEST(TimeDistribution, UniformReachesBothEnds) {
    const auto values = draws(TimeDistribution::uniform(nanoseconds(10), nanoseconds(13)), kMany);
    for (std::int64_t value = 10; value <= 13; ++value)
        EXPECT_NEAR(static_cast<double>(std::ranges::count(values, value)) / kMany, 0.25, 0.01);
}

TEST(TimeDistribution, NormalHasItsMomentsAndTails) {
    const auto values =
        draws(TimeDistribution::normal(nanoseconds(1'000'000), nanoseconds(100'000)), kMany);
    const Moments moments = momentsOf(values);
    EXPECT_NEAR(moments.mean, 1'000'000, 1'000);
    EXPECT_NEAR(moments.deviation, 100'000, 1'000);
    EXPECT_NEAR(shareAbove(values, 1'100'000), 0.15866, 0.004);
    EXPECT_NEAR(shareAbove(values, 1'200'000), 0.02275, 0.0015);
    EXPECT_NEAR(shareAbove(values, 1'300'000), 0.00135, 0.0005);
}

TEST(TimeDistribution, NormalIsCutAtZero) {
    const auto values = draws(TimeDistribution::normal(nanoseconds(10), nanoseconds(100)), 1000);
    EXPECT_EQ(std::ranges::min(values), 0);
}

TEST(TimeDistribution, ExponentialHasItsMomentsAndTail) {
    const auto values = draws(TimeDistribution::exponential(nanoseconds(1'000'000)), kMany);
    const Moments moments = momentsOf(values);
    EXPECT_NEAR(moments.mean, 1'000'000, 10'000);
    EXPECT_NEAR(moments.deviation, 1'000'000, 15'000);
    EXPECT_NEAR(shareAbove(values, 2'302'585), 0.1, 0.003);
    EXPECT_NEAR(shareAbove(values, 4'605'170), 0.01, 0.001);
}

TEST(TimeDistribution, NothingIsAboveItsBound) {
    for (const TimeDistribution& time :
         {TimeDistribution::uniform(nanoseconds(1), nanoseconds(5)),
          TimeDistribution::normal(nanoseconds(1000), nanoseconds(100)),
          TimeDistribution::exponential(nanoseconds(1000))})
        EXPECT_LE(std::ranges::max(draws(time, kMany)), time.upperBound().count());
}

/// Integers only: these values are the same on every machine.
TEST(TimeDistribution, ASeedGivesTheseNanoseconds) {
    EXPECT_THAT(draws(TimeDistribution::uniform(nanoseconds(0), nanoseconds(999'999)), 4),
                ElementsAre(5824, 851143, 163041, 49087));
    EXPECT_THAT(draws(TimeDistribution::normal(nanoseconds(1'000'000), nanoseconds(100'000)), 4),
                ElementsAre(1014896, 891909, 1023051, 1063965));
    EXPECT_THAT(draws(TimeDistribution::exponential(nanoseconds(1'000'000)), 4),
                ElementsAre(5145762, 161174, 1813752, 3014149));
}

TEST(RandomSource, SeedsAndStreamsDiffer) {
    EXPECT_NE(RandomSource(1, 0).next(), RandomSource(2, 0).next());
    EXPECT_NE(RandomSource(1, 0).next(), RandomSource(1, 1).next());
    EXPECT_NE(RandomSource(1, 2).next(), RandomSource(2, 1).next());
    EXPECT_EQ(RandomSource(1, 1).next(), RandomSource(1, 1).next());
}

} // namespace
} // namespace inversight
