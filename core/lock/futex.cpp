// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/futex.h"

#include <cerrno>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

// Before Linux 5.14's headers.
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

namespace inversight {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

int futexCall(FutexWord& word, int operation, std::uint32_t value, const timespec* timeout) {
    const long result = syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word),
                                operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
    return result < 0 ? errno : 0;
}

timespec toTimespec(std::int64_t nanoseconds) {
    return {.tv_sec = static_cast<time_t>(nanoseconds / kSecondNs),
            .tv_nsec = static_cast<long>(nanoseconds % kSecondNs)};
}

timespec deadlineOn(clockid_t clock, std::int64_t timeoutNs) {
    timespec now{};
    clock_gettime(clock, &now);
    return toTimespec(now.tv_sec * kSecondNs + now.tv_nsec + timeoutNs);
}

} // namespace

int futexWait(FutexWord& word, std::uint32_t expected, std::int64_t timeoutNs) {
    const timespec timeout = toTimespec(timeoutNs);
    return futexCall(word, FUTEX_WAIT, expected, &timeout);
}

void futexWakeOne(FutexWord& word) {
    futexCall(word, FUTEX_WAKE, 1, nullptr);
}

int futexLockPi(FutexWord& word, std::int64_t timeoutNs) {
    static std::atomic<bool> hasLockPi2{true};
    if (hasLockPi2.load(std::memory_order_relaxed)) {
        const timespec deadline = deadlineOn(CLOCK_MONOTONIC, timeoutNs);
        const int error = futexCall(word, FUTEX_LOCK_PI2, 0, &deadline);
        if (error != ENOSYS)
            return error;
        hasLockPi2.store(false, std::memory_order_relaxed);
    }
    const timespec deadline = deadlineOn(CLOCK_REALTIME, timeoutNs);
    return futexCall(word, FUTEX_LOCK_PI, 0, &deadline);
}

int futexUnlockPi(FutexWord& word) {
    return futexCall(word, FUTEX_UNLOCK_PI, 0, nullptr);
}

} // namespace inversight
