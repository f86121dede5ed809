// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/bus_lane.h"

#include "trace/view/lane_drawing.h"

namespace inversight {

BusLane::BusLane(const TrackInputs& inputs, StringId bus) : inputs_(&inputs) {
    const std::vector<BusTransfer>& transfers = inputs.bus->transfers;
    for (std::uint32_t i = 0; i < transfers.size(); ++i) {
        if (transfers[i].bus == bus)
            spans_.push_back({transfers[i].range, i, 0});
    }
    spans_ = flattenSpans(std::move(spans_));
    index_ = decltype(index_)(spans_);
}

const BusTransfer& BusLane::transfer(const LaneSpan& span) const {
    return inputs_->bus->transfers[span.item];
}

TrackGeometry BusLane::draw(const TimeScale& scale, const LaneLayout& layout) const {
    TrackGeometry out;
    ColumnStrip strip{layout.stateTop(), layout.state, {}};
    FoldCounter counter(out, layout.stateTop(), layout.state);
    const TraceStore& store = *inputs_->store;
    foldColumns(
        index_, scale,
        [&](std::size_t i, int first, int last) {
            const auto x = static_cast<float>(first);
            const float width = columnWidth(first, last);
            out.rects.push_back(
                {x, layout.stateTop(), width, layout.state, ThemeRole::Wire, RectShape::Dotted});
            if (width < kMinLabelWidth)
                return;
            const std::string thread = store.threadName(transfer(index_[i]).thread);
            const std::string operation(store.text(transfer(index_[i]).operation));
            out.labels.push_back({x,
                                  layout.stateTop(),
                                  width,
                                  layout.state,
                                  ThemeRole::Wire,
                                  {thread + ": " + operation, thread}});
        },
        [&](int column, const auto& totals, std::size_t first, std::size_t last) {
            counter.add(column, first, last);
            const std::int64_t slot = scale.columnRange(column).length();
            const std::uint8_t used = coverageOf(totals[0], slot);
            strip.columns.push_back(pixelColumn(column, ThemeRole::Wire, 255,
                                                layout.state * (1 - static_cast<float>(used) / 255),
                                                layout.state));
        });
    addStrip(out, std::move(strip));
    return out;
}

TrackHit BusLane::hitOf(const LaneSpan* span) const {
    return span ? TrackHit{transfer(*span).thread, transfer(*span)} : TrackHit{};
}

TrackHit BusLane::hit(std::int64_t time, float, const LaneLayout&, std::int64_t tolerance) const {
    return hitOf(nearestInterval(index_, time, tolerance));
}

TrackHit BusLane::next(std::int64_t time) const {
    return hitOf(intervalAfter(index_, time));
}

TrackHit BusLane::previous(std::int64_t time) const {
    return hitOf(intervalBefore(index_, time));
}

} // namespace inversight
