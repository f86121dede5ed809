// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/owner_watch.h"
#include "core/lock/waiter_queue.h"

namespace inversight {

/// The kernel's mutex of today (kernel/locking/mutex.c, 6.1): a free word is taken by whoever comes
/// first; a newcomer spins while the owner may run; then it sleeps in a FIFO list. The head that
/// was woken and came too late asks for a handoff, and the next release gives it the lock. No
/// priorities, no inheritance. `mutex` in the table.
///
/// A spin here is bounded, because a preempted owner is invisible (OwnerWatch). Thread-safe; at
/// most WaiterQueue::kMaxWaiters at a time.
class KernelMutex final : public LockPolicy {
public:
    explicit KernelMutex(const LockSetup& setup) : queue_(setup.scope) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    void announceOwner(OwnerState state) override { watch_.announce(state); }
    [[nodiscard]] LockStatistics statistics() const override { return watch_.statistics(); }
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    static constexpr std::uint32_t kHandoffWanted = 1U << 31;
    static constexpr std::uint32_t kHandingOver = kHandoffWanted - 1; ///< locked, by no thread

    [[nodiscard]] bool take(const Waiter& waiter);
    [[nodiscard]] bool takeOrAskForHandoff(const Waiter& waiter);
    void becomeOwner(const Waiter& waiter);
    [[nodiscard]] AcquireOutcome waitIn(WaiterQueue::Place& place, const Waiter& waiter,
                                        const std::stop_token& stop);
    void handOver();

    alignas(64) std::atomic<std::uint32_t> word_{0}; ///< the owner's TID, 0: free; kHandoffWanted
    OwnerWatch watch_;
    WaiterQueue queue_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeKernelMutex(const LockSetup& setup);

} // namespace inversight
