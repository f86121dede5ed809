// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_info.h"
#include "trace/view/track_inputs.h"

#include <span>
#include <string>
#include <vector>

namespace inversight {

/// A thread that the trace's author names: shown first, with its class in the author's words.
struct LeadThread {
    std::int32_t tid = 0;
    std::string chip; ///< "FIFO 99", "nice -5"
};

struct LaneOrder {
    std::vector<LaneInfo> lanes;
    std::size_t hiddenIdle = 0;  ///< idle tasks
    std::size_t hiddenEmpty = 0; ///< threads that never ran nor were woken
};

/// The lanes of locks, buses and CPUs, in this order. Locks that nobody was seen to hold have none;
/// of those that only one thread ever used the ones without a name of their own neither, which
/// `hiddenLocks` counts. Locks: waited for longest first.
struct ResourceLanes {
    std::vector<LaneInfo> lanes;
    std::size_t hiddenLocks = 0;
};
[[nodiscard]] ResourceLanes resourceLanes(const TrackInputs& inputs);

/// Which threads have a lane, and in which order: lead threads as given; then threads with
/// transfers, holds, waits or boosts; then all others that ran. Equals by running time, most first.
[[nodiscard]] LaneOrder orderLanes(const TrackInputs& inputs, std::span<const LeadThread> leads);

} // namespace inversight
