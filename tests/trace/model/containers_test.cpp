// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/clock_domain.h"
#include "trace/model/segmented_column.h"
#include "trace/model/string_pool.h"

#include <gtest/gtest.h>
#include <string>

namespace inversight {

TEST(SegmentedColumn, KeepsValuesAcrossSegments) {
    SegmentedColumn<int> column;
    const int rows = 3 * static_cast<int>(SegmentedColumn<int>::kSegmentRows) + 5;
    for (int i = 0; i < rows; ++i)
        column.append(i);
    ASSERT_EQ(column.size(), static_cast<std::size_t>(rows));
    for (int i = 0; i < rows; i += 7)
        ASSERT_EQ(column[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(column[column.size() - 1], rows - 1);
}

TEST(SegmentedColumn, KeepsItsFirstRowsWhenItGrows) {
    for (const std::size_t count : {1, 2047, 2048, 2049, 70'000}) {
        SegmentedColumn<int> column;
        column.append(7);
        while (column.size() < count)
            column.append(column[column.size() - 1]);
        column.resize(200'000);
        column.set(199'999, 8);
        for (std::size_t row = 0; row < count; ++row)
            ASSERT_EQ(column[row], 7) << row << " of " << count;
        EXPECT_EQ(column[199'999], 8);
        SegmentedColumn<int> moved = std::move(column);
        EXPECT_EQ(moved[count - 1], 7);
        moved.rewind();
        moved.append(9);
        EXPECT_EQ(moved.size(), 1U);
        EXPECT_EQ(moved[0], 9);
    }
}

TEST(StringPool, EqualTextsShareAnIdAndViewsSurviveGrowth) {
    StringPool pool;
    const StringId first = pool.intern("prio-0");
    const std::string_view view = pool.text(first);
    for (int i = 0; i < 10000; ++i)
        pool.intern("name " + std::to_string(i));
    EXPECT_EQ(pool.intern("prio-0"), first);
    EXPECT_EQ(view, "prio-0");
    EXPECT_EQ(pool.find("name 9999"), pool.intern("name 9999"));
    EXPECT_FALSE(pool.find("absent").valid());
    EXPECT_EQ(pool.text(StringId::none()), "");
}

TEST(StringPool, SurvivesBeingMoved) {
    StringPool pool;
    const StringId id = pool.intern("x");
    const StringPool moved = std::move(pool);
    EXPECT_EQ(moved.text(id), "x");
    EXPECT_EQ(moved.find("x"), id);
}

TEST(ClockDomain, KnowsWhatClocksMean) {
    EXPECT_EQ(ClockDomain::fromName("mono").unit, ClockUnit::Nanoseconds);
    EXPECT_TRUE(ClockDomain::fromName("mono").comparableAcrossCpus);
    EXPECT_FALSE(ClockDomain::fromName("local").comparableAcrossCpus);
    EXPECT_EQ(ClockDomain::fromName("x86-tsc").unit, ClockUnit::Ticks);
    EXPECT_EQ(ClockDomain::fromName("").name, "unknown");
}

} // namespace inversight
