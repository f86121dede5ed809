// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/thread_table.h"

#include <gtest/gtest.h>

namespace inversight {

TEST(ThreadTable, AReusedTidIsAnotherThread) {
    ThreadInfo old;
    old.tid = 7;
    old.firstTime = 10;
    ThreadInfo fresh;
    fresh.tid = 7;
    fresh.firstTime = 100;
    fresh.forkTime = 100;
    const ThreadTable table({old, fresh});
    EXPECT_EQ(table.find(7, 0, 5), ThreadId{0});
    EXPECT_EQ(table.find(7, 0, 99), ThreadId{0});
    EXPECT_EQ(table.find(7, 0, 100), ThreadId{1});
    EXPECT_EQ(table.find(7, 0, 5000), ThreadId{1});
    EXPECT_FALSE(table.find(8, 0, 5).valid());
}

TEST(ThreadTable, IdleIsPerCpu) {
    ThreadInfo idle0;
    idle0.idleCpu = 0;
    ThreadInfo idle2;
    idle2.idleCpu = 2;
    const ThreadTable table({idle0, idle2});
    EXPECT_EQ(table.find(0, 0, 1), ThreadId{0});
    EXPECT_EQ(table.find(0, 2, 1), ThreadId{1});
    EXPECT_FALSE(table.find(0, 1, 1).valid());
}

} // namespace inversight
