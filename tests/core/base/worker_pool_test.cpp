// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/worker_pool.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(WorkerPool, EveryIndexIsTakenOnceInEveryRound) {
    WorkerPool pool;
    for (std::size_t round = 0; round < 500; ++round) {
        const std::size_t count = round % 17;
        std::vector<std::atomic<int>> taken(count);
        pool.forEach(count, [&](std::size_t index) { ++taken[index]; });
        for (const std::atomic<int>& each : taken)
            ASSERT_EQ(each, 1);
    }
}

TEST(WorkerPool, WhatTasksWroteIsSeenAfterwards) {
    WorkerPool pool;
    std::vector<std::size_t> squares(1000);
    pool.forEach(squares.size(), [&](std::size_t index) { squares[index] = index * index; });
    for (std::size_t index = 0; index < squares.size(); ++index)
        ASSERT_EQ(squares[index], index * index);
}

} // namespace
} // namespace inversight
