// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"

#include <stop_token>

namespace inversight {

/// A PI futex: the kernel's own rt_mutex behind a word of user space (FUTEX_LOCK_PI2,
/// FUTEX_UNLOCK_PI; Documentation/locking/pi-futex.rst). What rt_mutex and late-boost are made of.
///
/// The word holds the owner's TID, 0 when free, FUTEX_WAITERS while somebody waits in the kernel,
/// and FUTEX_OWNER_DIED if the last owner ended with it. The uncontended path is one
/// compare-and-swap each way and never enters the kernel. Not through pthread_mutex: glibc hides
/// EDEADLK, which names a cycle here.
///
/// An owner that ends is noticed without a robust list: a waiter in the kernel is handed the lock,
/// and a later one is told (ESRCH) that no thread has the owner's TID. Thread-safe.
class PiFutex {
public:
    explicit PiFutex(LockScope scope) : scope_(scope) {}

    [[nodiscard]] bool take(const Waiter& waiter) {
        std::uint32_t free = 0;
        return word_.compare_exchange_strong(free, static_cast<std::uint32_t>(waiter.tid),
                                             std::memory_order_acquire, std::memory_order_relaxed);
    }
    /// Waits in the kernel, lending the caller's priority to the owner. Waits are cut into slices
    /// for the stop token; after each, a waiter queues anew, so among equal priorities FIFO order
    /// holds only within LockPolicy::kWaitSliceNs.
    [[nodiscard]] AcquireOutcome wait(const Waiter& waiter, const std::stop_token& stop);
    void release(const Waiter& waiter);

    [[nodiscard]] bool hasKernelWaiters() const;
    [[nodiscard]] std::uint64_t address() const {
        return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&word_));
    }

private:
    [[nodiscard]] Acquired owned();
    void buryOwner();

    // Alone in its cache line, so that neighbours do not disturb what is measured.
    alignas(64) FutexWord word_{0};
    LockScope scope_;
};

} // namespace inversight
