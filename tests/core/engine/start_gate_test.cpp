// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/start_gate.h"

#include "core/bus/thread_clock.h"

#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(StartGate, EverybodyStartsAtTheSameInstantAndNotBefore) {
    StartGate gate;
    std::mutex mutex;
    std::vector<std::int64_t> named;
    std::vector<std::int64_t> started;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const auto instant = gate.wait();
            const std::int64_t now = monotonicNs();
            const std::lock_guard lock(mutex);
            named.push_back(instant.value_or(0));
            started.push_back(now);
        });
    const std::int64_t opened = gate.open();
    threads.clear();
    EXPECT_EQ(named, std::vector<std::int64_t>(4, opened));
    for (const std::int64_t time : started)
        EXPECT_GE(time, opened);
}

TEST(StartGate, CalledOffSendsEverybodyHome) {
    StartGate gate;
    bool went = true;
    std::jthread thread([&] { went = gate.wait().has_value(); });
    gate.callOff();
    thread.join();
    EXPECT_FALSE(went);
}

TEST(StartGate, AnOpenGateCannotBeCalledOff) {
    StartGate gate;
    const std::int64_t opened = gate.open();
    gate.callOff();
    EXPECT_EQ(gate.wait(), opened);
}

} // namespace
} // namespace inversight
