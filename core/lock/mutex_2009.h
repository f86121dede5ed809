// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/waiter_queue.h"

namespace inversight {

/// The kernel's mutex as it was around 2.6.3x (kernel/mutex.c of that time), without its adaptive
/// spin: a free/locked word and a FIFO list of sleepers. Releasing frees the lock and wakes the
/// head of the list, but hands nothing over: whoever comes first takes it (barging), and a head
/// that comes too late sleeps on in its place. No priorities, no inheritance.
///
/// Who leaves without the lock passes its wake-up on. Thread-safe; at most
/// WaiterQueue::kMaxWaiters at a time.
class Mutex2009 final : public LockPolicy {
public:
    explicit Mutex2009(const LockSetup& setup) : queue_(setup.scope) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    [[nodiscard]] bool take(const Waiter& waiter);
    [[nodiscard]] AcquireOutcome waitIn(WaiterQueue::Place& place, const Waiter& waiter,
                                        const std::stop_token& stop);

    alignas(64) std::atomic<std::uint32_t> owner_{0}; ///< the owner's TID; 0: free
    WaiterQueue queue_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeMutex2009(const LockSetup& setup);

} // namespace inversight
