// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"

#include <array>
#include <cstddef>
#include <stop_token>

namespace inversight {

/// The sleepers of a lock, by rank and then by arrival, each with a futex word of its own: waiters
/// of a shared word are woken in priority order, whatever the lock wants.
///
/// It is an array of places, each with the key of its waiter (rank and ticket); the head is the
/// smallest key. A waiter enters with one compare-and-swap and leaves with one, and a releasing
/// thread finds the head by reading, so nobody ever waits for a preempted thread: a list under a
/// spin lock would let a FIFO thread spin for ever on a fair holder it has preempted, and a list
/// under a PI lock would show boosts that the studied lock does not make.
///
/// No wake-up is lost if a waiter, once it has entered, looks at the lock once more before it
/// sleeps, and a releaser frees the lock before it looks for the head (both sequentially
/// consistent, so one of them sees the other): a wake-up changes the place's word before the
/// sleep compares it. Thread-safe; at most kMaxWaiters at a time.
class WaiterQueue {
public:
    static constexpr std::size_t kMaxWaiters = 256;

    // A cache line each: a waiter going to sleep must not slow down its neighbours.
    struct alignas(64) Place {
        std::atomic<std::uint64_t> key{0}; ///< 0: empty
        FutexWord wakeUps{0};              ///< counts wake-ups
    };

    explicit WaiterQueue(LockScope scope) : scope_(scope) {}

    /// Behind all of the same or a smaller rank; null if the queue is full.
    [[nodiscard]] Place* enter(std::uint16_t rank);
    /// False if the place had been granted meanwhile: then the lock is the waiter's.
    [[nodiscard]] bool leave(Place& place);
    /// The releaser gave the lock to the waiter of this place.
    [[nodiscard]] static bool granted(const Place& place) { return place.key.load() == kGranted; }
    /// Sleeps, in slices, until a wake-up after `seen`, a value of wakeUps; false if `stop` came
    /// first.
    [[nodiscard]] bool sleepUntilWoken(Place& place, std::uint32_t seen,
                                       const std::stop_token& stop) const;

    /// What to tell who finds no place.
    [[nodiscard]] static Error fullError();

    [[nodiscard]] bool isHead(const Place& place) const {
        const Head first = head();
        return first.exists() && &places_[first.index] == &place;
    }
    [[nodiscard]] bool empty() const { return !head().exists(); }
    /// Lets the head try again. Does nothing to an empty queue.
    void wakeHead();
    /// Gives the lock to the head, if there is one. Only the lock's owner may.
    [[nodiscard]] bool grantHead();

private:
    static constexpr std::uint64_t kGranted = ~std::uint64_t{0};
    static constexpr unsigned kTicketBits = 48;

    struct Head {
        std::size_t index = kMaxWaiters; ///< of an empty queue
        std::uint64_t key = kGranted;
        [[nodiscard]] bool exists() const { return index < kMaxWaiters; }
    };
    [[nodiscard]] Head head() const;
    void wake(Place& place) const;

    alignas(64) std::atomic<std::uint64_t> lastTicket_{0};
    std::atomic<std::size_t> usedPlaces_{0}; ///< places beyond were never used
    LockScope scope_;
    std::array<Place, kMaxWaiters> places_;
};

} // namespace inversight
