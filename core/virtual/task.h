// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/model_lock.h"
#include "core/virtual/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

enum class RunState : std::uint8_t {
    New,       ///< before its start offset
    Ready,     ///< runnable, in a run queue
    Running,   ///< on a CPU
    Sleeping,  ///< until its timer
    Blocked,   ///< asleep on a lock
    Throttled, ///< a DEADLINE thread without budget
    Dead,
};

/// What the scheduler knows of a thread.
struct Task {
    std::int32_t tid = 0;
    std::string comm;
    Scheduling scheduling;

    RunState state = RunState::New;
    std::uint32_t cpu = 0;       ///< where it runs, or ran last
    std::uint64_t allowed = ~0U; ///< a bit per CPU
    Urgency base;                ///< its own, or a ceiling it holds
    Urgency urgency;             ///< effective

    std::int64_t remainingNs = 0; ///< CPU time until its program goes on
    bool spinning = false;        ///< uses the CPU without an end

    std::int64_t weight = 1024;   ///< fair share (nice)
    std::int64_t vruntimeNs = 0;  ///< weighted CPU time, relative to its CPU's queue
    std::int64_t pickedForNs = 0; ///< CPU time since it was put on the CPU
    std::int64_t rrLeftNs = 0;    ///< of its round-robin slice
    std::int64_t budgetNs = 0;    ///< DEADLINE: of this period
    std::int64_t deadlineNs = 0;  ///< DEADLINE: absolute, also a sleeper's last one

    std::uint32_t blockedOn = kNoLock; ///< the lock it waits for, asleep or spinning
    std::vector<std::uint32_t> held;   ///< locks it owns, in order

    static constexpr std::uint32_t kNoLock = ~std::uint32_t{0};
};

} // namespace inversight
