// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>

namespace inversight {

/// Flags of lock:contention_begin. Source: include/trace/events/lock.h (LCB_F_*).
inline constexpr std::uint32_t kLcbSpin = 1;
inline constexpr std::uint32_t kLcbRead = 2;
inline constexpr std::uint32_t kLcbWrite = 4;
inline constexpr std::uint32_t kLcbRt = 8;
inline constexpr std::uint32_t kLcbPercpu = 16;
inline constexpr std::uint32_t kLcbMutex = 32;

/// Whoever ends such a contention is the lock's only owner: not a reader, and not a spinlock, whose
/// hold ends long before anybody can be blamed for it.
[[nodiscard]] constexpr bool isExclusiveSleepingLock(std::uint32_t flags) {
    const bool sleeping = (flags & (kLcbMutex | kLcbRt | kLcbWrite)) != 0;
    const bool spinOnly = (flags & kLcbSpin) != 0 && (flags & kLcbMutex) == 0;
    return sleeping && !spinOnly && (flags & (kLcbRead | kLcbPercpu)) == 0;
}

} // namespace inversight
