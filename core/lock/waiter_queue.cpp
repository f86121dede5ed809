// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/waiter_queue.h"

#include <cerrno>

#include <fmt/format.h>

namespace inversight {

WaiterQueue::Place* WaiterQueue::enter(std::uint16_t rank) {
    const std::uint64_t ticket = lastTicket_.fetch_add(1) + 1;
    const std::uint64_t key = (std::uint64_t{rank} << kTicketBits) | ticket;
    for (std::size_t i = 0; i < kMaxWaiters; ++i) {
        // The releaser must look at this place before a key can stand in it.
        std::size_t used = usedPlaces_.load();
        while (used <= i && !usedPlaces_.compare_exchange_weak(used, i + 1)) {
        }
        std::uint64_t none = 0;
        if (places_[i].key.compare_exchange_strong(none, key))
            return &places_[i];
    }
    return nullptr;
}

bool WaiterQueue::leave(Place& place) {
    return place.key.exchange(0) != kGranted;
}

WaiterQueue::Head WaiterQueue::head() const {
    Head head;
    const std::size_t used = usedPlaces_.load();
    for (std::size_t i = 0; i < used; ++i) {
        const std::uint64_t key = places_[i].key.load();
        if (key != 0 && key < head.key)
            head = {i, key};
    }
    return head;
}

void WaiterQueue::wakeHead() {
    // The place may change hands meanwhile: then a stranger looks up once more, and whoever left it
    // with the lock will wake the head itself.
    if (const Head first = head(); first.exists())
        wake(places_[first.index]);
}

bool WaiterQueue::grantHead() {
    for (;;) {
        Head first = head();
        if (!first.exists())
            return false;
        if (places_[first.index].key.compare_exchange_strong(first.key, kGranted)) {
            wake(places_[first.index]);
            return true;
        }
    }
}

bool WaiterQueue::sleepUntilWoken(Place& place, std::uint32_t seen,
                                  const std::stop_token& stop) const {
    int error = 0;
    do {
        if (stop.stop_requested())
            return false;
        error = futexWait(place.wakeUps, seen, LockPolicy::kWaitSliceNs, scope_);
    } while (error == ETIMEDOUT || error == EINTR);
    return true;
}

Error WaiterQueue::fullError() {
    return {ErrorCode::Busy, fmt::format("a lock has room for {} waiters", kMaxWaiters)};
}

void WaiterQueue::wake(Place& place) const {
    place.wakeUps.fetch_add(1);
    futexWakeOne(place.wakeUps, scope_);
}

} // namespace inversight
