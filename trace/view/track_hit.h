// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/boosts.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/sched_runs.h"
#include "trace/analysis/thread_states.h"

#include <variant>

namespace inversight {

/// Who waits for a lock, for as long as that does not change.
struct LockQueue {
    LockId lock;
    TimeRange range;
    std::uint32_t waiterCount = 0;
    bool urgent = false;           ///< one of them has a higher priority than the owner's own
    std::vector<ThreadId> waiters; ///< those with the highest priorities, at most kNamedWaiters
};
inline constexpr std::size_t kNamedWaiters = 4;

/// What is under a point of a lane. Values, not pointers: a tooltip may outlive the model.
struct TrackHit {
    ThreadId thread;
    std::variant<std::monostate, ThreadStateInterval, PriorityStep, Boost, LockHold, LockWait,
                 BusTransfer, SchedRun, LockQueue>
        item;

    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&item);
    }
    /// The item's range; [0,0) when nothing is there.
    [[nodiscard]] TimeRange range() const {
        return std::visit(
            [](const auto& each) -> TimeRange {
                if constexpr (requires { each.range; })
                    return each.range;
                else
                    return {};
            },
            item);
    }
};

} // namespace inversight
