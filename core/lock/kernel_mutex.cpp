// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/kernel_mutex.h"

#include <cassert>

namespace inversight {

bool KernelMutex::take(const Waiter& waiter) {
    std::uint32_t free = 0;
    if (!word_.compare_exchange_strong(free, static_cast<std::uint32_t>(waiter.tid)))
        return false;
    watch_.taken(waiter);
    return true;
}

bool KernelMutex::takeOrAskForHandoff(const Waiter& waiter) {
    std::uint32_t word = word_.load();
    for (;;) {
        const std::uint32_t wanted =
            word == 0 ? static_cast<std::uint32_t>(waiter.tid) : word | kHandoffWanted;
        if (word_.compare_exchange_weak(word, wanted))
            break;
    }
    if (word != 0)
        return false;
    watch_.taken(waiter);
    return true;
}

void KernelMutex::becomeOwner(const Waiter& waiter) {
    // The next head may have asked for its handoff already.
    std::uint32_t word = word_.load();
    while (!word_.compare_exchange_weak(word, (word & kHandoffWanted) |
                                                  static_cast<std::uint32_t>(waiter.tid))) {
    }
    watch_.taken(waiter);
}

AcquireOutcome KernelMutex::acquire(Waiter& waiter, std::stop_token stop) {
    if (take(waiter))
        return Acquired{};
    const std::uint32_t owner = word_.load(std::memory_order_relaxed) & ~kHandoffWanted;
    if (owner == static_cast<std::uint32_t>(waiter.tid))
        return Deadlock{{{.thread = waiter.name}}};
    if (watch_.spin(waiter, [&] { return take(waiter); }, [&] { return !stop.stop_requested(); }))
        return Acquired{};
    WaiterQueue::Place* place = queue_.enter(0);
    if (!place)
        return NotPermitted{WaiterQueue::fullError()};
    AcquireOutcome outcome = waitIn(*place, waiter, stop);
    if (!queue_.leave(*place)) {
        becomeOwner(waiter);
        return Acquired{};
    }
    // A wake-up meant for this place may have come while it was given up: the next one gets it.
    if (!std::holds_alternative<Acquired>(outcome) && word_.load() == 0)
        queue_.wakeHead();
    return outcome;
}

/// Acquired through the word; a granted place is the caller's to find out.
AcquireOutcome KernelMutex::waitIn(WaiterQueue::Place& place, const Waiter& waiter,
                                   const std::stop_token& stop) {
    std::uint32_t seen = place.wakeUps.load();
    if (take(waiter))
        return Acquired{};
    // A place is granted before it is woken: seen first, so that no wake-up is slept over.
    while (!WaiterQueue::granted(place) && queue_.sleepUntilWoken(place, seen, stop)) {
        seen = place.wakeUps.load();
        if (queue_.isHead(place) ? takeOrAskForHandoff(waiter) : take(waiter))
            return Acquired{};
    }
    return Interrupted{};
}

AcquireOutcome KernelMutex::tryAcquire(Waiter& waiter) {
    if (take(waiter))
        return Acquired{};
    return WouldBlock{};
}

void KernelMutex::release(Waiter& waiter) {
    auto own = static_cast<std::uint32_t>(waiter.tid);
    if (word_.compare_exchange_strong(own, 0)) {
        queue_.wakeHead();
        return;
    }
    assert((own & ~kHandoffWanted) == static_cast<std::uint32_t>(waiter.tid) &&
           "released by a thread without it");
    handOver();
}

void KernelMutex::handOver() {
    word_.store(kHandingOver);
    if (queue_.grantHead())
        return;
    // Whoever asked has left. Freed first, and then looked again, as in any release.
    word_.store(0);
    queue_.wakeHead();
}

std::unique_ptr<LockPolicy> makeKernelMutex(const LockSetup& setup) {
    return std::make_unique<KernelMutex>(setup);
}

} // namespace inversight
