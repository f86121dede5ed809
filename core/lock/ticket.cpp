// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/ticket.h"

#include "core/lock/owner_watch.h"

#include <cassert>

namespace inversight {

AcquireOutcome TicketLock::acquire(Waiter& waiter, std::stop_token stop) {
    if (owner_.load(std::memory_order_relaxed) == waiter.tid)
        return Deadlock{{{.thread = waiter.name}}};
    const std::uint64_t ticket = nextTicket_.fetch_add(1);
    while (serving_.load() != ticket) {
        if (stop.stop_requested() && abandon(ticket))
            return Interrupted{};
        relaxCpu();
    }
    owner_.store(waiter.tid, std::memory_order_relaxed);
    return Acquired{};
}

/// False: it is being served now.
bool TicketLock::abandon(std::uint64_t ticket) {
    notes_[ticket % kMaxTickets].store(ticket);
    // Served before the releaser could see the note: then it belongs to whoever takes it away.
    return serving_.load() != ticket || !takeNote(ticket);
}

bool TicketLock::takeNote(std::uint64_t ticket) {
    return notes_[ticket % kMaxTickets].compare_exchange_strong(ticket, 0);
}

AcquireOutcome TicketLock::tryAcquire(Waiter& waiter) {
    std::uint64_t served = serving_.load();
    if (!nextTicket_.compare_exchange_strong(served, served + 1))
        return WouldBlock{};
    owner_.store(waiter.tid, std::memory_order_relaxed);
    return Acquired{};
}

void TicketLock::release([[maybe_unused]] Waiter& waiter) {
    assert(owner_.load(std::memory_order_relaxed) == waiter.tid &&
           "released by a thread without it");
    owner_.store(0, std::memory_order_relaxed);
    std::uint64_t next = serving_.load(std::memory_order_relaxed);
    do {
        serving_.store(++next);
    } while (takeNote(next));
}

std::unique_ptr<LockPolicy> makeTicket(const LockSetup&) {
    return std::make_unique<TicketLock>();
}

} // namespace inversight
