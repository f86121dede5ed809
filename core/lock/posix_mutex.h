// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <atomic>

#include <pthread.h>

namespace inversight {

/// A pthread mutex of the default kind, waited for in slices. glibc lets a thread that takes it
/// twice sleep for ever: the owner is written down beside it. Thread-safe.
class PosixMutex {
public:
    /// `ceiling` 0: no protocol; else PTHREAD_PRIO_PROTECT with that priority.
    PosixMutex(LockScope scope, std::int32_t ceiling);
    ~PosixMutex();
    PosixMutex(const PosixMutex&) = delete;
    PosixMutex& operator=(const PosixMutex&) = delete;

    [[nodiscard]] AcquireOutcome acquire(const Waiter& waiter, const std::stop_token& stop);
    [[nodiscard]] AcquireOutcome tryAcquire(const Waiter& waiter);
    void release(const Waiter& waiter);
    /// Its lock word is its first member (pthread_mutex_t's __data.__lock).
    [[nodiscard]] std::uint64_t address() const {
        return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&mutex_));
    }

private:
    [[nodiscard]] int lockForASlice();
    [[nodiscard]] AcquireOutcome outcomeOf(int error, const Waiter& waiter);

    alignas(64) pthread_mutex_t mutex_;
    std::atomic<std::int32_t> owner_{0};
};

} // namespace inversight
