// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"

#include <vector>

namespace inversight {

/// From one lane to another: who woke, who is waited for, who gave the priority.
struct TrackArrow {
    enum class Kind : std::uint8_t { Wake, WaitsFor, Boosts } kind = Kind::Wake;
    std::size_t fromLane = 0;
    std::int64_t fromTime = 0;
    std::size_t toLane = 0;
    std::int64_t toTime = 0;
    bool operator==(const TrackArrow&) const = default;
};

/// The arrows that explain an item: a wait points at its owner, and where that waits too, on along
/// the chain; a stay on or wait for a CPU comes from who woke the thread; a boost from its donor.
/// Arrows to lanes that do not exist are left out. Looks back over a bounded number of wake-ups.
[[nodiscard]] std::vector<TrackArrow> arrowsFor(const TrackModel& model, const TrackHit& item);

} // namespace inversight
