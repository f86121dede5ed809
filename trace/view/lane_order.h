// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

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

/// What stands in a lane's header.
struct LaneInfo {
    ThreadId thread;
    std::int32_t tid = 0;
    std::string name;
    std::string chip;     ///< class and base priority; "" if the trace never shows one
    bool lead = false;    ///< one of the lead threads
    bool leading = false; ///< that, or with transfers, holds, waits or boosts
    std::int64_t runningTime = 0;
};

struct LaneOrder {
    std::vector<LaneInfo> lanes;
    std::size_t hiddenIdle = 0;  ///< idle tasks
    std::size_t hiddenEmpty = 0; ///< threads that never ran nor were woken
};

/// Which threads have a lane, and in which order: lead threads as given; then threads with
/// transfers, holds, waits or boosts; then all others that ran. Equals by running time, most first.
[[nodiscard]] LaneOrder orderLanes(const TrackInputs& inputs, std::span<const LeadThread> leads);

} // namespace inversight
