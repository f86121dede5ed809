// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/owner_watch.h"
#include "core/lock/pi_futex.h"

namespace inversight {

/// The late boost of libpi (Haskins, August 2008): a waiter spins while the owner may run, and
/// lends it its priority only when it goes to sleep. Most waits end before that, and then the owner
/// was never boosted: statistics() counts them.
///
/// Only a waiter that nobody sleeps in front of spins: behind sleepers the kernel decides whose
/// turn it is. The spin is bounded, because a preempted owner is invisible (OwnerWatch).
/// Thread-safe.
class LateBoostLock final : public LockPolicy {
public:
    explicit LateBoostLock(const LockSetup& setup) : futex_(setup.scope) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override { futex_.release(waiter); }
    void announceOwner(OwnerState state) override { watch_.announce(state); }
    [[nodiscard]] LockStatistics statistics() const override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return futex_.address(); }

private:
    [[nodiscard]] bool take(const Waiter& waiter);

    PiFutex futex_;
    OwnerWatch watch_;
    std::atomic<std::int32_t> ownerPriority_{120};
    alignas(64) std::atomic<std::uint64_t> boostsAvoided_{0};
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeLateBoost(const LockSetup& setup);

} // namespace inversight
