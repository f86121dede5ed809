// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"
#include "core/lock/lock_policy.h"

namespace inversight {

/// Priority inheritance by the kernel's own rt_mutex, through a PI futex (FUTEX_LOCK_PI2 and
/// FUTEX_UNLOCK_PI; Documentation/locking/pi-futex.rst).
///
/// The word holds the owner's TID, 0 when free, and FUTEX_WAITERS while somebody waits in the
/// kernel. The uncontended path is one compare-and-swap each way and never enters the kernel. Not
/// through pthread_mutex: glibc hides EDEADLK, which names a cycle here.
///
/// Waits are cut into slices for the stop token; after each, a waiter queues anew, so among equal
/// priorities FIFO order holds only within LockPolicy::kWaitSliceNs. Thread-safe.
class RtMutexLock final : public LockPolicy {
public:
    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override;

private:
    [[nodiscard]] bool take(const Waiter& waiter);
    [[nodiscard]] AcquireOutcome wait(Waiter& waiter, const std::stop_token& stop);

    // Alone in its cache line, so that neighbours do not disturb what is measured.
    alignas(64) FutexWord word_{0};
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeRtMutex();

} // namespace inversight
