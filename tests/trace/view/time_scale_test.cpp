// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/time_scale.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace inversight {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kMs = 1'000'000;

void expectExactPartition(const TimeScale& scale) {
    EXPECT_EQ(scale.columnBegin(0), scale.range.begin);
    EXPECT_EQ(scale.columnBegin(scale.width), scale.range.end);
    for (int column = 0; column < scale.width; ++column) {
        const TimeRange range = scale.columnRange(column);
        ASSERT_GT(range.length(), 0) << column;
        ASSERT_EQ(scale.columnOf(range.begin), column);
        ASSERT_EQ(scale.columnOf(range.end - 1), column);
        ASSERT_EQ(range.end, scale.columnBegin(column + 1));
    }
}

TEST(TimeScale, ColumnsPartitionTheRangeExactly) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 200; ++round) {
        const int width = static_cast<int>(random() % 3000) + 1;
        const auto begin = static_cast<std::int64_t>(random() % 2'000'000'000'000) - 1'000'000'000;
        const auto length =
            static_cast<std::int64_t>(random() % (round % 2 ? 5000 : 90'000'000'000));
        expectExactPartition(TimeScale::of({begin, begin + length}, width));
    }
}

TEST(TimeScale, SurvivesTheWholeOfInt64) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    const TimeScale scale = TimeScale::of({low, high}, 4);
    EXPECT_EQ(scale.columnBegin(0), low);
    EXPECT_EQ(scale.columnBegin(4), high);
    EXPECT_EQ(scale.columnOf(0), 2);
    EXPECT_EQ(scale.columnOf(-2), 1);
}

TEST(TimeScale, WidensWhatIsShorterThanItsColumns) {
    const TimeScale scale = TimeScale::of({1000, 1010}, 100);
    EXPECT_EQ(scale.range, (TimeRange{955, 1055}));
    EXPECT_EQ(TimeScale::of({5, 5}, 0).width, 1);
}

TEST(TimeScale, TimesOutsideHaveColumnsOutside) {
    const TimeScale scale = TimeScale::of({1000, 2000}, 10);
    EXPECT_EQ(scale.columnOf(999), -1);
    EXPECT_EQ(scale.columnOf(2000), 10);
    EXPECT_DOUBLE_EQ(scale.positionOf(1550), 5.5);
}

TEST(Ranges, ZoomKeepsTheAnchorsPlace) {
    EXPECT_EQ(zoomRange({1000, 2000}, 1250, 0.5), (TimeRange{1125, 1625}));
    EXPECT_EQ(zoomRange({1000, 2000}, 1250, 2), (TimeRange{750, 2750}));
    EXPECT_EQ(zoomRange({1000, 2000}, 1000, 0.1), (TimeRange{1000, 1100}));
}

TEST(Ranges, ClampMovesInsideAndCutsWhatIsTooLong) {
    constexpr TimeRange whole{100, 1100};
    EXPECT_EQ(clampRange({-50, 50}, whole, 10), (TimeRange{100, 200}));
    EXPECT_EQ(clampRange({1050, 1250}, whole, 10), (TimeRange{900, 1100}));
    EXPECT_EQ(clampRange({-5000, 9000}, whole, 10), whole);
    EXPECT_EQ(clampRange({500, 502}, whole, 10), (TimeRange{496, 506}));
    // A trace shorter than the window's columns stands in the middle.
    EXPECT_EQ(clampRange({100, 104}, {100, 104}, 10), (TimeRange{97, 107}));
}

TEST(Ranges, PanSaturatesAndFramePutsTheItemIntoTheMiddleThird) {
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(panRange({10, 20}, -15), (TimeRange{-5, 5}));
    EXPECT_EQ(panRange({high - 30, high - 10}, 100), (TimeRange{high - 20, high}));
    EXPECT_EQ(frameRange({300, 400}), (TimeRange{200, 500}));
}

std::vector<std::string> labels(const std::vector<RulerTick>& ticks) {
    std::vector<std::string> texts;
    for (const RulerTick& tick : ticks) {
        if (tick.major)
            texts.push_back(tick.label);
    }
    return texts;
}

TEST(Ruler, LabelsAreRoundAndTellNeighboursApart) {
    constexpr std::int64_t origin = 5'000'000'123;
    const TimeScale scale = TimeScale::of({origin + 213 * kMs, origin + 214 * kMs}, 1000);
    const std::vector<RulerTick> ticks = rulerTicks(scale, origin, 110, ClockUnit::Nanoseconds);
    EXPECT_THAT(labels(ticks),
                ElementsAre("213.0 ms", "213.2 ms", "213.4 ms", "213.6 ms", "213.8 ms"));
    ASSERT_EQ(ticks.size(), 20u); // four minor steps in each
    EXPECT_FALSE(ticks[1].major);
    EXPECT_DOUBLE_EQ(ticks[1].x, 50);
    EXPECT_EQ(ticks[4].time, origin + 213 * kMs + 200'000);
}

TEST(Ruler, UnitFollowsTheReach) {
    const auto at = [](std::int64_t begin, std::int64_t length) {
        return labels(rulerTicks(TimeScale::of({begin, begin + length}, 300), 0, 100,
                                 ClockUnit::Nanoseconds));
    };
    EXPECT_THAT(at(0, 300), ElementsAre("0 ns", "100 ns", "200 ns"));
    EXPECT_THAT(at(-2000, 4000), ElementsAre("-2 us", "0 us"));
    EXPECT_THAT(at(2'000'000'000, 30'000), ElementsAre("2.00000 s", "2.00001 s", "2.00002 s"));
}

TEST(Ruler, TicksOfOtherClocksAreNumbers) {
    const TimeScale scale = TimeScale::of({1000, 4000}, 300);
    EXPECT_THAT(labels(rulerTicks(scale, 1000, 100, ClockUnit::Ticks)),
                ElementsAre("0", "1000", "2000"));
    EXPECT_EQ(formatSpan(1500, ClockUnit::Ticks), "1500 ticks");
    EXPECT_EQ(formatSpan(1500, ClockUnit::Nanoseconds), "1.500 us");
}

} // namespace
} // namespace inversight
