// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/mutex_2009.h"

#include <cassert>
#include <cerrno>
#include <limits>

#include <fmt/format.h>

namespace inversight {

bool Mutex2009::take(const Waiter& waiter) {
    std::uint32_t free = 0;
    return owner_.compare_exchange_strong(free, static_cast<std::uint32_t>(waiter.tid));
}

AcquireOutcome Mutex2009::acquire(Waiter& waiter, std::stop_token stop) {
    if (take(waiter))
        return Acquired{};
    if (owner_.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(waiter.tid))
        return Deadlock{{waiter.name}};
    Slot* slot = enter();
    if (!slot)
        return NotPermitted{
            {ErrorCode::Busy, fmt::format("mutex-2009 has room for {} waiters", kMaxWaiters)}};
    AcquireOutcome outcome = waitIn(*slot, waiter, stop);
    slot->ticket.store(0);
    // A wake-up meant for this place may have come while it was given up: the next one gets it.
    if (!std::holds_alternative<Acquired>(outcome) && owner_.load() == 0)
        wakeHead();
    return outcome;
}

Mutex2009::Slot* Mutex2009::enter() {
    const std::uint64_t ticket = lastTicket_.fetch_add(1) + 1;
    for (std::size_t i = 0; i < kMaxWaiters; ++i) {
        // The releaser must look at this slot before a ticket can stand in it.
        std::size_t used = usedSlots_.load();
        while (used <= i && !usedSlots_.compare_exchange_weak(used, i + 1)) {
        }
        std::uint64_t empty = 0;
        if (slots_[i].ticket.compare_exchange_strong(empty, ticket))
            return &slots_[i];
    }
    return nullptr;
}

AcquireOutcome Mutex2009::waitIn(Slot& slot, const Waiter& waiter, const std::stop_token& stop) {
    for (;;) {
        const std::uint32_t seen = slot.wakeUps.load();
        if (take(waiter))
            return Acquired{};
        // Only a wake-up lets a waiter try again; the end of a time slice just looks at the token.
        int error = 0;
        do {
            if (stop.stop_requested())
                return Interrupted{};
            error = futexWait(slot.wakeUps, seen, kWaitSliceNs);
        } while (error == ETIMEDOUT || error == EINTR);
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
    wakeHead();
}

void Mutex2009::wakeHead() {
    Slot* head = nullptr;
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    const std::size_t used = usedSlots_.load();
    for (std::size_t i = 0; i < used; ++i) {
        const std::uint64_t ticket = slots_[i].ticket.load();
        if (ticket != 0 && ticket < smallest) {
            smallest = ticket;
            head = &slots_[i];
        }
    }
    if (!head)
        return;
    // The place may have changed hands since: then a stranger looks up once more, and whoever left
    // it with the lock will wake the head itself.
    head->wakeUps.fetch_add(1);
    futexWakeOne(head->wakeUps);
}

std::unique_ptr<LockPolicy> makeMutex2009() {
    return std::make_unique<Mutex2009>();
}

} // namespace inversight
