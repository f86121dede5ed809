// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/selection_state.h"

#include <utility>

namespace inversight {

void SelectionState::selectItem(TrackHit item, std::string laneKey, Origin origin) {
    item_ = std::move(item);
    laneKey_ = std::move(laneKey);
    range_.reset();
    origin_ = origin;
    emit changed();
}

void SelectionState::selectRange(TimeRange range) {
    item_.reset();
    laneKey_.clear();
    if (range.end < range.begin)
        std::swap(range.begin, range.end);
    range_ = range;
    origin_ = Origin::Timeline;
    emit changed();
}

void SelectionState::clear() {
    if (!item_ && !range_)
        return;
    item_.reset();
    laneKey_.clear();
    range_.reset();
    emit changed();
}

std::optional<TimeRange> SelectionState::extent() const {
    if (item_ && item_->range().length() > 0)
        return item_->range();
    return range_;
}

} // namespace inversight
