// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/waiter_queue.h"

namespace inversight {

/// Waiters by priority, then by arrival; all fair threads are equal. Releasing hands the lock to
/// the first of them, so that nobody of lower priority can come in between. The owner's priority is
/// nobody's business: no boost.
///
/// The priority is the one the waiter had when it arrived. Thread-safe; at most
/// WaiterQueue::kMaxWaiters at a time.
class PriorityQueueLock final : public LockPolicy {
public:
    explicit PriorityQueueLock(const LockSetup& setup) : queue_(setup.scope) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    static constexpr std::uint32_t kHandingOver = ~std::uint32_t{0}; ///< locked, by no thread

    [[nodiscard]] bool take(std::uint32_t owner);
    [[nodiscard]] bool waitForGrant(WaiterQueue::Place& place, const std::stop_token& stop);

    alignas(64) std::atomic<std::uint32_t> owner_{0}; ///< the owner's TID; 0: free, nobody waits
    WaiterQueue queue_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makePriorityQueue(const LockSetup& setup);

} // namespace inversight
