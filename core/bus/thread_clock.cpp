// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/thread_clock.h"

#include <cerrno>
#include <ctime>

namespace inversight {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

std::int64_t readClock(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * kSecondNs + time.tv_nsec;
}

} // namespace

std::int64_t monotonicNs() {
    return readClock(CLOCK_MONOTONIC);
}

std::int64_t threadCpuNs() {
    return readClock(CLOCK_THREAD_CPUTIME_ID);
}

void useCpu(std::chrono::nanoseconds cost) {
    if (cost.count() <= 0)
        return;
    const std::int64_t end = threadCpuNs() + cost.count();
    while (threadCpuNs() < end) {
    }
}

void sleepUntil(std::int64_t deadlineNs) {
    const timespec deadline{.tv_sec = static_cast<time_t>(deadlineNs / kSecondNs),
                            .tv_nsec = static_cast<long>(deadlineNs % kSecondNs)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
    }
}

} // namespace inversight
