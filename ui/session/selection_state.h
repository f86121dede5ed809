// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_hit.h"

#include <QObject>
#include <optional>
#include <string>

namespace inversight {

/// What is selected: an item of a lane, or a range of time. Whoever shows items (the timeline, a
/// table, the inspector) selects here and follows here. Thread-bound (GUI).
class SelectionState final : public QObject {
    Q_OBJECT
public:
    /// Who selected: a view does not follow what it said itself.
    enum class Origin { Timeline, Table, Inspector, Restored };

    explicit SelectionState(QObject* parent = nullptr) : QObject(parent) {}

    /// `laneKey`: LaneInfo::key() of the lane the item was found in.
    void selectItem(TrackHit item, std::string laneKey, Origin origin);
    void selectRange(TimeRange range);
    void clear();

    [[nodiscard]] const std::optional<TrackHit>& item() const { return item_; }
    [[nodiscard]] const std::string& laneKey() const { return laneKey_; }
    /// The selected range of time; none while an item is selected.
    [[nodiscard]] const std::optional<TimeRange>& range() const { return range_; }
    /// What is to be framed: the item's range or the selected one.
    [[nodiscard]] std::optional<TimeRange> extent() const;
    [[nodiscard]] Origin origin() const { return origin_; }

signals:
    void changed();

private:
    std::optional<TrackHit> item_;
    std::string laneKey_;
    std::optional<TimeRange> range_;
    Origin origin_ = Origin::Timeline;
};

} // namespace inversight
