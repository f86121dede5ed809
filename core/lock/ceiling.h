// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/posix_mutex.h"

namespace inversight {

/// The immediate priority ceiling: glibc's PTHREAD_PRIO_PROTECT raises a thread to the lock's
/// ceiling, by sched_setscheduler, before it takes the lock, and lowers it behind the release.
///
/// FIFO and RR threads only, and none above the ceiling: from a fair thread the lock fails with
/// EINVAL *and* glibc 2.36 leaks its count of that ceiling, so that the thread stays wrong for
/// good. Therefore such a thread is refused here, before glibc sees it; a DEADLINE thread, which
/// has no priority to raise, as well. Thread-safe.
class CeilingLock final : public LockPolicy {
public:
    explicit CeilingLock(const LockSetup& setup)
        : ceiling_(setup.ceiling), mutex_(setup.scope, setup.ceiling) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override { mutex_.release(waiter); }
    [[nodiscard]] std::uint64_t futexAddress() const override { return mutex_.address(); }

private:
    [[nodiscard]] bool permits(const Waiter& waiter) const;
    [[nodiscard]] NotPermitted refusal(const Waiter& waiter) const;

    std::int32_t ceiling_; ///< RT priority 1..99
    PosixMutex mutex_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeCeiling(const LockSetup& setup);

} // namespace inversight
