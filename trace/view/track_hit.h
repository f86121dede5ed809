// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/boosts.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/thread_states.h"

#include <variant>

namespace inversight {

/// What is under a point of a lane. Values, not pointers: a tooltip may outlive the model.
struct TrackHit {
    ThreadId thread;
    std::variant<std::monostate, ThreadStateInterval, PriorityStep, Boost, LockHold, LockWait,
                 BusTransfer>
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
