// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/row_layout.h"

#include <algorithm>
#include <limits>

namespace inversight {

namespace {

constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

bool hasLeads(const TrackModel& model) {
    return model.threadLaneCount() > 0 && model.lane(0).lead;
}

bool isLarge(const LaneInfo& lane, bool leadsOnly) {
    return lane.kind == LaneKind::Thread && (leadsOnly ? lane.lead : lane.leading);
}

} // namespace

LaneLayout RowLayout::layoutOf(const LaneInfo& lane, const ThemeSizes& sizes, Density density) {
    const bool compact = density == Density::Compact;
    switch (lane.kind) {
    case LaneKind::Thread:
        return compact                     ? sizes.laneCompact
               : density == Density::Roomy ? sizes.laneRoomy
                                           : sizes.laneTall;
    case LaneKind::Lock:
        return compact ? sizes.lockCompact : sizes.lockRoomy;
    case LaneKind::Bus:
    case LaneKind::Cpu:
        return compact ? sizes.barCompact : sizes.barRoomy;
    }
    return sizes.laneCompact;
}

void RowLayout::place(const std::vector<LaneRow>& rows, const TrackModel& model,
                      const ThemeSizes& sizes, Density density, std::size_t largeCount,
                      Large which) {
    places_.clear();
    const bool leadsOnly = hasLeads(model);
    std::size_t large = 0;
    int top = 0;
    for (const LaneRow& row : rows) {
        Place place{.top = top, .height = sizes.groupHeading, .layout = {}};
        if (row.lane) {
            const LaneInfo& lane = model.lane(*row.lane);
            const bool grows = which == Large::All || isLarge(lane, leadsOnly);
            const bool grown = grows && large < largeCount;
            large += grown ? 1 : 0;
            place.layout = layoutOf(lane, sizes, grown ? density : Density::Compact);
            place.height = static_cast<int>(place.layout.height());
        }
        top += place.height;
        places_.push_back(place);
    }
}

void RowLayout::rebuild(const std::vector<LaneRow>& rows, std::size_t pinnedRows,
                        const TrackModel& model, const ThemeSizes& sizes, int height) {
    const auto finish = [&] {
        pinnedHeight_ = pinnedRows > 0 ? top(pinnedRows - 1) + this->height(pinnedRows - 1) : 0;
    };
    for (const Density density : {Density::Tall, Density::Roomy}) {
        place(rows, model, sizes, density, kAllRows, Large::All);
        if (contentHeight() <= height)
            return finish();
        const LaneLayout& layout = density == Density::Tall ? sizes.laneTall : sizes.laneRoomy;
        const auto leading = static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [&](const LaneRow& row) {
                return row.lane && isLarge(model.lane(*row.lane), hasLeads(model));
            }));
        const std::size_t large = std::min(leading, sizes.maxLargeLanes);
        if (static_cast<int>(large) * static_cast<int>(layout.height()) <= height * 3 / 4) {
            place(rows, model, sizes, density, large, Large::Leading);
            return finish();
        }
    }
    const int space = std::max(height, 0) * 3 / 4;
    const auto fitting =
        static_cast<std::size_t>(space / static_cast<int>(sizes.laneRoomy.height()));
    place(rows, model, sizes, Density::Roomy, fitting, Large::Leading);
    finish();
}

int RowLayout::contentHeight() const {
    return places_.empty() ? 0 : places_.back().top + places_.back().height;
}

std::optional<std::size_t> RowLayout::rowAt(int y) const {
    if (y < 0 || y >= contentHeight())
        return std::nullopt;
    const auto after =
        std::upper_bound(places_.begin(), places_.end(), y,
                         [](int value, const Place& place) { return value < place.top; });
    return static_cast<std::size_t>(after - places_.begin()) - 1;
}

} // namespace inversight
