// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/time_format.h"

#include <gtest/gtest.h>
#include <limits>

namespace inversight {

TEST(FormatDuration, KeepsThreeToFourSignificantDigits) {
    EXPECT_EQ(formatDuration(0), "0 ns");
    EXPECT_EQ(formatDuration(580), "580 ns");
    EXPECT_EQ(formatDuration(1'282'000), "1.282 ms");
    EXPECT_EQ(formatDuration(12'345), "12.35 us");
    EXPECT_EQ(formatDuration(123'456), "123.5 us");
    EXPECT_EQ(formatDuration(20'424'682'000), "20.42 s");
    EXPECT_EQ(formatDuration(-580'000), "-580.0 us");
}

TEST(FormatDuration, RoundingUpMovesToTheNextUnit) {
    EXPECT_EQ(formatDuration(999'940), "999.9 us");
    EXPECT_EQ(formatDuration(999'960), "1.000 ms");
    EXPECT_EQ(formatDuration(9'999'600), "10.00 ms");
}

TEST(FormatDuration, ExtremesDoNotOverflow) {
    EXPECT_EQ(formatDuration(std::numeric_limits<std::int64_t>::min()), "-9223372037 s");
    EXPECT_EQ(formatDuration(std::numeric_limits<std::int64_t>::max()), "9223372037 s");
}

TEST(FormatSeconds, IsExact) {
    EXPECT_EQ(formatSeconds(1'234'000'000'001), "1234.000000001");
    EXPECT_EQ(formatSeconds(-2'000'000'000), "-2.000000000");
    EXPECT_EQ(formatSeconds(std::numeric_limits<std::int64_t>::min()), "-9223372036.854775808");
}

TEST(FormatKernelPriority, UsesTheUsersWords) {
    EXPECT_EQ(formatKernelPriority(0), "RT 99");
    EXPECT_EQ(formatKernelPriority(98), "RT 1");
    EXPECT_EQ(formatKernelPriority(120), "nice 0");
    EXPECT_EQ(formatKernelPriority(115), "nice -5");
    EXPECT_EQ(formatKernelPriority(139), "nice 19");
    EXPECT_EQ(formatKernelPriority(-1), "DEADLINE");
    EXPECT_EQ(formatKernelPriority(301), "prio 301");
}

} // namespace inversight
