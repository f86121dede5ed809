// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/thread_clock.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;

TEST(ThreadClock, CostIsCpuTimeEvenIfOthersHaveTheCpu) {
    // Three rivals on our CPU: the clock runs on while they have it, the cost must not shrink.
    cpu_set_t previous;
    sched_getaffinity(0, sizeof(previous), &previous);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof(one), &one);
    std::atomic<bool> done{false};
    std::vector<std::jthread> rivals;
    for (int i = 0; i < 3; ++i)
        rivals.emplace_back([&] {
            while (!done) {
            }
        });
    const std::int64_t cpuBegin = threadCpuNs();
    const std::int64_t begin = monotonicNs();
    useCpu(20ms);
    const std::int64_t cpuUsed = threadCpuNs() - cpuBegin;
    const std::int64_t elapsed = monotonicNs() - begin;
    done = true;
    sched_setaffinity(0, sizeof(previous), &previous);
    EXPECT_GE(cpuUsed, 20'000'000);
    EXPECT_LT(cpuUsed, 30'000'000);
    EXPECT_GT(elapsed, 30'000'000) << "the rivals had no share: nothing was tested";
}

TEST(ThreadClock, NoCostUsesNothing) {
    const std::int64_t begin = threadCpuNs();
    useCpu(0ns);
    EXPECT_LT(threadCpuNs() - begin, 1'000'000);
}

TEST(ThreadClock, SleepsUntilTheInstantAndNotBefore) {
    const std::int64_t deadline = monotonicNs() + 3'000'000;
    sleepUntil(deadline);
    EXPECT_GE(monotonicNs(), deadline);
    const std::int64_t begin = monotonicNs();
    sleepUntil(begin - 1'000'000); // the past
    EXPECT_LT(monotonicNs() - begin, 500'000'000);
}

} // namespace
} // namespace inversight
