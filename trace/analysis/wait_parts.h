// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// What a wait is made of (DOMAIN 4: every instant of [request, acquire) has exactly one class).
namespace inversight {

/// o is the tail of the owner chain, r what runs on the CPU that o must wait for, H the waiter.
enum class WaitPart : std::uint8_t {
    CriticalSection, ///< o runs
    Wire,            ///< o is off CPU, waiting for the bus
    Mid,             ///< o is runnable; r, outside the chain, stands between o and H
    Peer,            ///< ... r stands level with o, or both are fair
    Dispatch,        ///< o is runnable and above r, or its CPU is idle
    OwnerBlocked,    ///< o sleeps on neither a lock nor the bus
    Interference,    ///< o is runnable; r is of at least H's priority
    Irq,             ///< an interrupt or softirq on o's CPU
    Throttled,       ///< real-time bandwidth is used up
    Handoff,         ///< nobody owns it; H is on its way
    Unknown,         ///< across losses, or without evidence of an owner
};
inline constexpr std::size_t kWaitPartCount = 11;
[[nodiscard]] const char* waitPartName(WaitPart part); ///< "critical_section", ...

/// ns per part.
using PartTotals = std::array<std::int64_t, kWaitPartCount>;

[[nodiscard]] inline std::int64_t& at(PartTotals& totals, WaitPart part) {
    return totals[static_cast<std::size_t>(part)];
}
[[nodiscard]] inline std::int64_t at(const PartTotals& totals, WaitPart part) {
    return totals[static_cast<std::size_t>(part)];
}

/// The second view of the same time: by whose hold it was.
enum class HoldKind : std::uint8_t {
    AtRequest, ///< the owner at H's request
    Queueing,  ///< one of at least H's priority, served first
    FifoOrder, ///< a lower one, served first: an inversion of its own
    None,      ///< nobody's, or not known
};
[[nodiscard]] const char* holdKindName(HoldKind kind); ///< "at_request", ...

/// What a wait was for.
enum class WaitOn : std::uint8_t { Lock, Bus, Helper };
[[nodiscard]] const char* waitOnName(WaitOn on); ///< "lock", "bus", "helper"

/// A stretch of a wait of one class, from `begin` to the next one's begin or the wait's end.
struct WaitSegment {
    std::int64_t begin = 0;
    ThreadId by;    ///< who is responsible: r, or o itself; none() = an interrupt, nobody, unknown
    ThreadId owner; ///< of the awaited lock, or the helper; none() = nobody or unknown
    WaitPart part = WaitPart::Unknown;
    HoldKind hold = HoldKind::None;
    bool chained = false; ///< `owner` itself waited for a lock
};

} // namespace inversight
