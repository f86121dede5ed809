// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/priority_queue.h"

#include <algorithm>
#include <cassert>

namespace inversight {

namespace {

constexpr std::int32_t kFirstFairPriority = 100;

/// DEADLINE 0, RT 99..1 as 1..99, all fair threads alike.
std::uint16_t rankOf(const Waiter& waiter) {
    return static_cast<std::uint16_t>(std::min(waiter.kernelPriority, kFirstFairPriority) + 1);
}

} // namespace

bool PriorityQueueLock::take(std::uint32_t owner) {
    std::uint32_t free = 0;
    return owner_.compare_exchange_strong(free, owner);
}

AcquireOutcome PriorityQueueLock::acquire(Waiter& waiter, std::stop_token stop) {
    const auto self = static_cast<std::uint32_t>(waiter.tid);
    if (take(self))
        return Acquired{};
    if (owner_.load(std::memory_order_relaxed) == self)
        return Deadlock{{{.thread = waiter.name}}};
    WaiterQueue::Place* place = queue_.enter(rankOf(waiter));
    if (!place)
        return NotPermitted{WaiterQueue::fullError()};
    const bool taken = take(self) || waitForGrant(*place, stop);
    if (!queue_.leave(*place)) {
        owner_.store(self);
        return Acquired{};
    }
    return taken ? AcquireOutcome(Acquired{}) : AcquireOutcome(Interrupted{});
}

bool PriorityQueueLock::waitForGrant(WaiterQueue::Place& place, const std::stop_token& stop) {
    for (;;) {
        // A place is granted before it is woken: seen first, so that no wake-up is slept over.
        const std::uint32_t seen = place.wakeUps.load();
        if (WaiterQueue::granted(place))
            return true;
        if (!queue_.sleepUntilWoken(place, seen, stop))
            return false;
    }
}

AcquireOutcome PriorityQueueLock::tryAcquire(Waiter& waiter) {
    if (take(static_cast<std::uint32_t>(waiter.tid)))
        return Acquired{};
    return WouldBlock{};
}

void PriorityQueueLock::release([[maybe_unused]] Waiter& waiter) {
    assert(owner_.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(waiter.tid) &&
           "released by a thread without it");
    owner_.store(kHandingOver);
    while (!queue_.grantHead()) {
        owner_.store(0);
        // Somebody who entered before that, and did not see it, would wait for ever; unless
        // somebody else has taken the lock, and will look after the queue.
        if (queue_.empty() || !take(kHandingOver))
            return;
    }
}

std::unique_ptr<LockPolicy> makePriorityQueue(const LockSetup& setup) {
    return std::make_unique<PriorityQueueLock>(setup);
}

} // namespace inversight
