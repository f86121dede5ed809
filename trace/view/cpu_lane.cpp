// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/cpu_lane.h"

#include "trace/view/lane_drawing.h"

namespace inversight {

CpuLane::CpuLane(const TrackInputs& inputs, std::int32_t cpu, std::span<const Tint> tints)
    : inputs_(&inputs) {
    const auto& byCpu = inputs.runs->byCpu;
    const auto row = std::find_if(byCpu.begin(), byCpu.end(),
                                  [cpu](const auto& each) { return each.first == cpu; });
    if (row == byCpu.end())
        return;
    for (const std::uint32_t i : row->second) {
        const SchedRun& each = inputs.runs->runs[i];
        const bool idle = !each.thread.valid() || inputs.store->threads()[each.thread].isIdle();
        if (!idle)
            spans_.push_back({each.range, i, tints[each.thread.index()]});
    }
    spans_ = flattenSpans(std::move(spans_));
    index_ = decltype(index_)(spans_);
}

const SchedRun& CpuLane::run(const LaneSpan& span) const {
    return inputs_->runs->runs[span.item];
}

TrackGeometry CpuLane::draw(const TimeScale& scale, const LaneLayout& layout) const {
    TrackGeometry out;
    ColumnStrip strip{layout.stateTop(), layout.state, {}};
    FoldCounter counter(out, layout.stateTop(), layout.state);
    foldColumns(
        index_, scale,
        [&](std::size_t i, int first, int last) {
            const auto x = static_cast<float>(first);
            const float width = columnWidth(first, last);
            const auto tint = index_[i].kind;
            out.rects.push_back({x, layout.stateTop(), width, layout.state, ThemeRole::CpuRun,
                                 RectShape::Solid, tint});
            if (width >= kMinLabelWidth)
                out.labels.push_back({x,
                                      layout.stateTop(),
                                      width,
                                      layout.state,
                                      ThemeRole::CpuRun,
                                      {inputs_->store->threadName(run(index_[i]).thread)},
                                      tint});
        },
        [&](int column, const auto& totals, std::size_t first, std::size_t last) {
            counter.add(column, first, last);
            const std::size_t tint = dominantKind(totals, [](std::size_t) { return false; });
            const std::int64_t slot = scale.columnRange(column).length();
            // As high as the CPU was busy.
            const std::uint8_t busy = coverageOf(sumOf(totals), slot);
            strip.columns.push_back(pixelColumn(column, ThemeRole::CpuRun, 255,
                                                layout.state * (1 - static_cast<float>(busy) / 255),
                                                layout.state, static_cast<Tint>(tint)));
        });
    addStrip(out, std::move(strip));
    return out;
}

TrackHit CpuLane::hitOf(const LaneSpan* span) const {
    return span ? TrackHit{run(*span).thread, run(*span)} : TrackHit{};
}

TrackHit CpuLane::hit(std::int64_t time, float, const LaneLayout&, std::int64_t tolerance) const {
    return hitOf(nearestInterval(index_, time, tolerance));
}

TrackHit CpuLane::next(std::int64_t time) const {
    return hitOf(intervalAfter(index_, time));
}

TrackHit CpuLane::previous(std::int64_t time) const {
    return hitOf(intervalBefore(index_, time));
}

std::int64_t CpuLane::busyTime(const TimeRange& range) const {
    return sumOf(index_.totals(range));
}

} // namespace inversight
