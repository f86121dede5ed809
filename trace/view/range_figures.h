// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/view/track_model.h"

#include <optional>
#include <vector>

namespace inversight {

/// What one thread did within a range.
struct ThreadFigures {
    ThreadId thread;
    std::string name;
    ThreadLane::StateTotals states{};
    std::optional<LatencySummary> latency; ///< of its operations that overlap the range
};

/// What happened within a range, in figures.
struct RangeFigures {
    TimeRange range;
    std::size_t eventCount = 0;
    std::size_t boostCount = 0; ///< that overlap it, without nominal ones
    std::size_t waitCount = 0;  ///< for locks, that overlap it
    std::int64_t longestWait = 0;
    std::vector<ThreadFigures> threads; ///< that were not only asleep in it, in the lanes' order
};

/// O(threads x log n + waits + boosts + operations).
[[nodiscard]] RangeFigures rangeFigures(const TrackModel& model, const Latency* latency,
                                        TimeRange range);

/// Events with range.begin <= time < range.end. O(log n).
[[nodiscard]] std::size_t countEvents(const TraceStore& store, TimeRange range);

/// The first event at or after `time`, by index; eventCount() if there is none. O(log n).
[[nodiscard]] std::size_t firstEventAt(const TraceStore& store, std::int64_t time);

} // namespace inversight
