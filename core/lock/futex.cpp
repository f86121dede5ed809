// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/futex.h"

#include <cerrno>
#include <ctime>
#include <limits>

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

int futexCall(FutexWord& word, int operation, std::uint32_t value, const timespec* timeout,
              LockScope scope) {
    const int flag = scope == LockScope::Process ? FUTEX_PRIVATE_FLAG : 0;
    const long result = syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word),
                                operation | flag, value, timeout, nullptr, 0);
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

int futexWait(FutexWord& word, std::uint32_t expected, std::int64_t timeoutNs, LockScope scope) {
    const timespec timeout = toTimespec(timeoutNs);
    return futexCall(word, FUTEX_WAIT, expected, &timeout, scope);
}

void futexWakeOne(FutexWord& word, LockScope scope) {
    futexCall(word, FUTEX_WAKE, 1, nullptr, scope);
}

void futexWakeAll(FutexWord& word, LockScope scope) {
    futexCall(word, FUTEX_WAKE, std::numeric_limits<std::int32_t>::max(), nullptr, scope);
}

int futexLockPi(FutexWord& word, std::int64_t timeoutNs, LockScope scope) {
    static std::atomic<bool> hasLockPi2{true};
    if (hasLockPi2.load(std::memory_order_relaxed)) {
        const timespec deadline = deadlineOn(CLOCK_MONOTONIC, timeoutNs);
        const int error = futexCall(word, FUTEX_LOCK_PI2, 0, &deadline, scope);
        if (error != ENOSYS)
            return error;
        hasLockPi2.store(false, std::memory_order_relaxed);
    }
    const timespec deadline = deadlineOn(CLOCK_REALTIME, timeoutNs);
    return futexCall(word, FUTEX_LOCK_PI, 0, &deadline, scope);
}

int futexUnlockPi(FutexWord& word, LockScope scope) {
    return futexCall(word, FUTEX_UNLOCK_PI, 0, nullptr, scope);
}

} // namespace inversight
