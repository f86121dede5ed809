// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"
#include "core/lock/lock_policy.h"

#include <array>
#include <cstddef>

namespace inversight {

/// The kernel's mutex as it was around 2.6.3x (kernel/mutex.c of that time), without its adaptive
/// spin: a free/locked word and a FIFO list of sleepers. Releasing frees the lock and wakes the
/// head of the list, but hands nothing over: whoever comes first takes it (barging), and a head
/// that comes too late sleeps on in its place. No priorities, no inheritance.
///
/// The list is an array of slots, each with the ticket of its waiter and a futex word of its own;
/// the head is the smallest ticket. A waiter enters with one compare-and-swap and leaves with one
/// store, and the releasing thread only reads, so nobody ever waits for a preempted thread: a list
/// under a spin lock would let a FIFO thread spin for ever on a fair holder it has preempted, and a
/// list under a PI lock would show boosts that the studied lock does not make. One word per slot,
/// because waiters of a shared futex word are woken in priority order.
///
/// No wake-up is lost: a waiter shows its ticket before it tries the word a last time, the releaser
/// frees the word before it looks for tickets (both sequentially consistent, so one of them sees
/// the other), and a wake-up changes the slot's word before the waiter's sleep compares it. Who
/// leaves without the lock passes its wake-up on. Thread-safe; at most kMaxWaiters at a time.
class Mutex2009 final : public LockPolicy {
public:
    static constexpr std::size_t kMaxWaiters = 256;

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    // A cache line each: a waiter going to sleep must not slow down its neighbours.
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> ticket{0}; ///< 0: empty
        FutexWord wakeUps{0};                 ///< counts wake-ups
    };

    [[nodiscard]] bool take(const Waiter& waiter);
    [[nodiscard]] Slot* enter();
    [[nodiscard]] AcquireOutcome waitIn(Slot& slot, const Waiter& waiter,
                                        const std::stop_token& stop);
    void wakeHead();

    alignas(64) std::atomic<std::uint32_t> owner_{0}; ///< the owner's TID; 0: free
    alignas(64) std::atomic<std::uint64_t> lastTicket_{0};
    std::atomic<std::size_t> usedSlots_{0}; ///< slots beyond were never used
    std::array<Slot, kMaxWaiters> slots_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeMutex2009();

} // namespace inversight
