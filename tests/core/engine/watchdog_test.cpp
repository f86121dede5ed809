// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/watchdog.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(Watchdog, ExpiresOnlyAfterStandstill) {
    Watchdog watchdog(100, 1000);
    EXPECT_FALSE(watchdog.expired(0, 1099));
    EXPECT_FALSE(watchdog.expired(1, 1099)) << "it moved";
    EXPECT_FALSE(watchdog.expired(1, 1198));
    EXPECT_TRUE(watchdog.expired(1, 1199));
}

TEST(Watchdog, ExpiresIfNothingEverMoves) {
    Watchdog watchdog(100, 1000);
    EXPECT_TRUE(watchdog.expired(0, 1100));
}

} // namespace
} // namespace inversight
