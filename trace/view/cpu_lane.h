// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane.h"
#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"
#include "trace/view/track_inputs.h"

namespace inversight {

/// Who runs on a CPU, tinted by thread; idle is empty. Borrows from the inputs.
class CpuLane final : public Lane {
public:
    /// `tints` by ThreadId.
    CpuLane(const TrackInputs& inputs, std::int32_t cpu, std::span<const Tint> tints);
    CpuLane(const CpuLane&) = delete;
    CpuLane& operator=(const CpuLane&) = delete;

    [[nodiscard]] TrackGeometry draw(const TimeScale& scale,
                                     const LaneLayout& layout) const override;
    [[nodiscard]] TrackHit hit(std::int64_t time, float y, const LaneLayout& layout,
                               std::int64_t tolerance) const override;
    [[nodiscard]] TrackHit next(std::int64_t time) const override;
    [[nodiscard]] TrackHit previous(std::int64_t time) const override;

    /// Time that the CPU was not idle within `range`.
    [[nodiscard]] std::int64_t busyTime(const TimeRange& range) const;

private:
    [[nodiscard]] const SchedRun& run(const LaneSpan& span) const;
    [[nodiscard]] TrackHit hitOf(const LaneSpan* span) const;

    const TrackInputs* inputs_;
    std::vector<LaneSpan> spans_; ///< kind = tint, item = index into runs
    LaneIndex<LaneSpan, kTintCount + 1> index_;
};

} // namespace inversight
