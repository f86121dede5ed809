// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/late_boost.h"

namespace inversight {

bool LateBoostLock::take(const Waiter& waiter) {
    if (!futex_.take(waiter))
        return false;
    watch_.taken(waiter);
    ownerPriority_.store(waiter.kernelPriority, std::memory_order_relaxed);
    return true;
}

AcquireOutcome LateBoostLock::acquire(Waiter& waiter, std::stop_token stop) {
    if (take(waiter))
        return Acquired{};
    const bool wouldBoost = waiter.kernelPriority < ownerPriority_.load(std::memory_order_relaxed);
    const auto worthwhile = [&] { return !futex_.hasKernelWaiters() && !stop.stop_requested(); };
    if (watch_.spin(waiter, [&] { return take(waiter); }, worthwhile)) {
        boostsAvoided_.fetch_add(wouldBoost ? 1 : 0, std::memory_order_relaxed);
        return Acquired{};
    }
    AcquireOutcome outcome = futex_.wait(waiter, stop);
    if (std::holds_alternative<Acquired>(outcome)) {
        watch_.taken(waiter);
        ownerPriority_.store(waiter.kernelPriority, std::memory_order_relaxed);
    }
    return outcome;
}

AcquireOutcome LateBoostLock::tryAcquire(Waiter& waiter) {
    if (take(waiter))
        return Acquired{};
    return WouldBlock{};
}

LockStatistics LateBoostLock::statistics() const {
    LockStatistics statistics = watch_.statistics();
    statistics.boostsAvoidedCount = boostsAvoided_.load(std::memory_order_relaxed);
    return statistics;
}

std::unique_ptr<LockPolicy> makeLateBoost(const LockSetup& setup) {
    return std::make_unique<LateBoostLock>(setup);
}

} // namespace inversight
