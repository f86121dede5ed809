// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <atomic>

namespace inversight {

/// Busy wait without order: whoever sees the free word first. A real-time waiter on its owner's CPU
/// keeps it from ever letting go (LockTraits::busyWaits). Thread-safe.
class SpinLock final : public LockPolicy {
public:
    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    [[nodiscard]] bool take(const Waiter& waiter);

    alignas(64) std::atomic<std::int32_t> owner_{0}; ///< the owner's TID; 0: free
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeSpin(const LockSetup& setup);

} // namespace inversight
