// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane.h"
#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"
#include "trace/view/track_inputs.h"

namespace inversight {

/// The transfers of one bus; folded, as high as the bus was in use. Borrows from the inputs.
class BusLane final : public Lane {
public:
    BusLane(const TrackInputs& inputs, StringId bus);
    BusLane(const BusLane&) = delete;
    BusLane& operator=(const BusLane&) = delete;

    [[nodiscard]] TrackGeometry draw(const TimeScale& scale,
                                     const LaneLayout& layout) const override;
    [[nodiscard]] TrackHit hit(std::int64_t time, float y, const LaneLayout& layout,
                               std::int64_t tolerance) const override;
    [[nodiscard]] TrackHit next(std::int64_t time) const override;
    [[nodiscard]] TrackHit previous(std::int64_t time) const override;

private:
    [[nodiscard]] const BusTransfer& transfer(const LaneSpan& span) const;
    [[nodiscard]] TrackHit hitOf(const LaneSpan* span) const;

    const TrackInputs* inputs_;
    std::vector<LaneSpan> spans_; ///< item = index into transfers
    LaneIndex<LaneSpan, 1> index_;
};

} // namespace inversight
