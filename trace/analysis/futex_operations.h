// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>

namespace inversight {

/// The futex operations that say something about a lock.
enum class FutexOperation : std::uint8_t { Wait, LockPi, UnlockPi, Other };

/// `op` as sys_enter_futex shows it. Source: include/uapi/linux/futex.h (FUTEX_CMD_MASK takes
/// FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME away).
[[nodiscard]] constexpr FutexOperation futexOperation(std::uint32_t op) {
    switch (op & 0x7f) {
    case 0:
        return FutexOperation::Wait;
    case 6:
    case 13:
        return FutexOperation::LockPi;
    case 7:
        return FutexOperation::UnlockPi;
    default:
        return FutexOperation::Other;
    }
}

} // namespace inversight
