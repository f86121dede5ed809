// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace inversight {

/// Busy wait in order of arrival: everybody draws a ticket and spins until it is served. A
/// real-time waiter on the CPU of its owner, or of one served before it, keeps that one from ever
/// getting on (LockTraits::busyWaits).
///
/// Who is stopped leaves a note at its ticket, and the releaser passes it over. Both take the note
/// away with one compare-and-swap, so exactly one of them decides whether it was served after all.
/// Thread-safe; at most kMaxTickets waiters and notes at a time.
class TicketLock final : public LockPolicy {
public:
    static constexpr std::size_t kMaxTickets = 1024;

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override;
    [[nodiscard]] std::uint64_t futexAddress() const override { return 0; }

private:
    [[nodiscard]] bool abandon(std::uint64_t ticket);
    [[nodiscard]] bool takeNote(std::uint64_t ticket);

    alignas(64) std::atomic<std::uint64_t> nextTicket_{1};
    alignas(64) std::atomic<std::uint64_t> serving_{1}; ///< nextTicket_: the lock is free
    std::atomic<std::int32_t> owner_{0};
    alignas(64) std::array<std::atomic<std::uint64_t>, kMaxTickets> notes_{}; ///< tickets given up
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeTicket(const LockSetup& setup);

} // namespace inversight
