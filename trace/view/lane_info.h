// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/lock_events.h"
#include "trace/model/ids.h"

#include <cstdint>
#include <string>

namespace inversight {

/// What a lane shows.
enum class LaneKind : std::uint8_t { Thread, Lock, Bus, Cpu };

/// Threads as a filter and a chip tell them apart.
enum class PriorityClass : std::uint8_t { Unknown, Fair, RealTime, Deadline };

/// What stands in a lane's header, and what a filter asks about.
struct LaneInfo {
    LaneKind kind = LaneKind::Thread;
    ThreadId thread;       ///< of a thread's lane
    std::int32_t tid = 0;  ///< ... its thread id
    std::int32_t cpu = -1; ///< of a CPU's lane
    LockId lock;           ///< of a lock's lane
    StringId bus;          ///< of a bus' lane
    std::string name;
    std::string chip;          ///< class and base priority; "" if the trace never shows one
    std::int32_t process = -1; ///< tgid; -1: unknown
    PriorityClass priorityClass = PriorityClass::Unknown;
    bool lead = false;            ///< one of the lead threads
    bool leading = false;         ///< that, or with transfers, holds, waits or boosts
    bool inverted = false;        ///< takes part in an inversion
    std::int64_t runningTime = 0; ///< of a CPU: busy; of a lock: held; of a bus: transferring
    std::uint32_t itemCount = 0;  ///< runs, holds, transfers: what the lane draws

    /// The same lane in another session of the same trace.
    [[nodiscard]] std::string key() const;
};

} // namespace inversight
