// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/posix_mutex.h"

namespace inversight {

/// What a program gets that asks for nothing: glibc's default mutex. Its waiters sleep on one futex
/// word, where the kernel wakes RT waiters by priority and fair ones in order of arrival (plist);
/// whoever comes first takes the free lock; no boost. `pthread` in the table.
///
/// After each slice of a wait the waiter queues anew, so fair ones keep their order only within
/// LockPolicy::kWaitSliceNs. Thread-safe.
class PthreadLock final : public LockPolicy {
public:
    explicit PthreadLock(const LockSetup& setup) : mutex_(setup.scope, 0) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override {
        return mutex_.acquire(waiter, stop);
    }
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override {
        return mutex_.tryAcquire(waiter);
    }
    void release(Waiter& waiter) override { mutex_.release(waiter); }
    [[nodiscard]] std::uint64_t futexAddress() const override { return mutex_.address(); }

private:
    PosixMutex mutex_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makePthread(const LockSetup& setup);

} // namespace inversight
