// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/mutex_2009.h"

#include <cassert>
#include <cerrno>

namespace inversight {

bool Mutex2009::take(const Waiter& waiter) {
    std::uint32_t free = 0;
    return owner_.compare_exchange_strong(free, static_cast<std::uint32_t>(waiter.tid));
}

AcquireOutcome Mutex2009::acquire(Waiter& waiter, std::stop_token stop) {
    if (take(waiter))
        return Acquired{};
    if (owner_.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(waiter.tid))
        return Deadlock{{{.thread = waiter.name}}};
    WaiterQueue::Place* place = queue_.enter(0);
    if (!place)
        return NotPermitted{WaiterQueue::fullError()};
    AcquireOutcome outcome = waitIn(*place, waiter, stop);
    [[maybe_unused]] const bool left = queue_.leave(*place);
    assert(left && "this lock grants nothing");
    // A wake-up meant for this place may have come while it was given up: the next one gets it.
    if (!std::holds_alternative<Acquired>(outcome) && owner_.load() == 0)
        queue_.wakeHead();
    return outcome;
}

AcquireOutcome Mutex2009::waitIn(WaiterQueue::Place& place, const Waiter& waiter,
                                 const std::stop_token& stop) {
    for (;;) {
        const std::uint32_t seen = place.wakeUps.load();
        if (take(waiter))
            return Acquired{};
        // Only a wake-up lets a waiter try again; the end of a time slice just looks at the token.
        if (!queue_.sleepUntilWoken(place, seen, stop))
            return Interrupted{};
    }
}

AcquireOutcome Mutex2009::tryAcquire(Waiter& waiter) {
    if (take(waiter))
        return Acquired{};
    return WouldBlock{};
}

void Mutex2009::release([[maybe_unused]] Waiter& waiter) {
    [[maybe_unused]] const std::uint32_t owner = owner_.exchange(0);
    assert(owner == static_cast<std::uint32_t>(waiter.tid) && "released by a thread without it");
    queue_.wakeHead();
}

std::unique_ptr<LockPolicy> makeMutex2009(const LockSetup& setup) {
    return std::make_unique<Mutex2009>(setup);
}

} // namespace inversight
