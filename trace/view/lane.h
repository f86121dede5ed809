// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_layout.h"
#include "trace/view/time_scale.h"
#include "trace/view/track_geometry.h"
#include "trace/view/track_hit.h"

namespace inversight {

/// The bars of one lane. Built once on a worker, then asked for geometry at any scale at a cost
/// that follows pixels. Frozen and reentrant.
class Lane {
public:
    virtual ~Lane() = default;

    /// y = 0 at the lane's top.
    [[nodiscard]] virtual TrackGeometry draw(const TimeScale& scale,
                                             const LaneLayout& layout) const = 0;

    /// What is at `time` and `y` (pixels below the lane's top); an item at most `tolerance` away
    /// counts as hit where nothing is exactly there.
    [[nodiscard]] virtual TrackHit hit(std::int64_t time, float y, const LaneLayout& layout,
                                       std::int64_t tolerance) const = 0;

    /// The lane's item (state, run, hold, transfer) that begins next after `time`, and the last one
    /// that begins before it; no item where there is none.
    [[nodiscard]] virtual TrackHit next(std::int64_t time) const = 0;
    [[nodiscard]] virtual TrackHit previous(std::int64_t time) const = 0;
};

} // namespace inversight
