// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// What TrackView's keys do.
#include "ui/timeline/track_view.h"

#include <QKeyEvent>
#include <algorithm>

namespace inversight {

namespace {

constexpr double kZoomPerKey = 0.7;
constexpr double kPanPerKey = 0.15; ///< of the visible width

} // namespace

void TrackView::keyPressEvent(QKeyEvent* event) {
    const std::optional<TrackCommand> command = commandFor(*event);
    if (!command) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    perform(*command);
    event->accept();
}

void TrackView::perform(TrackCommand command) {
    if (!model_)
        return;
    const double page = kPanPerKey * timelineWidth();
    const double x = std::clamp<double>(mouse_.x(), theme_->sizes.laneHeader, viewport()->width());
    switch (command) {
    case TrackCommand::ZoomIn:
        return zoomAtPixel(x, kZoomPerKey);
    case TrackCommand::ZoomOut:
        return zoomAtPixel(x, 1 / kZoomPerKey);
    case TrackCommand::PanLeft:
        return panByPixels(-page);
    case TrackCommand::PanRight:
        return panByPixels(page);
    case TrackCommand::ToStart:
        return view_.setVisible(panRange(view_.visible(), INT64_MIN / 2));
    case TrackCommand::ToEnd:
        return view_.setVisible(panRange(view_.visible(), INT64_MAX / 2));
    case TrackCommand::FrameSelection:
        return state_.selection.extent() ? view_.frame(*state_.selection.extent()) : view_.fitAll();
    case TrackCommand::ShowAll:
        return view_.fitAll();
    case TrackCommand::PreviousInversion:
        return stepInversion(-1);
    case TrackCommand::NextInversion:
        return stepInversion(1);
    case TrackCommand::PreviousItem:
        return stepItem(-1);
    case TrackCommand::NextItem:
        return stepItem(1);
    case TrackCommand::RowUp:
        return stepRow(-1);
    case TrackCommand::RowDown:
        return stepRow(1);
    case TrackCommand::SetMarkerA:
        return state_.marks.setMarker(TimelineMarks::Marker::A, timeAtMouse());
    case TrackCommand::SetMarkerB:
        return state_.marks.setMarker(TimelineMarks::Marker::B, timeAtMouse());
    case TrackCommand::AddBookmark:
        return addBookmark();
    case TrackCommand::PreviousBookmark:
        return stepBookmark(-1);
    case TrackCommand::NextBookmark:
        return stepBookmark(1);
    case TrackCommand::ClearSelection:
        return state_.selection.clear();
    case TrackCommand::PinLane:
        if (const auto lane = currentLane())
            state_.lanes.togglePinned(model_->lane(*lane).key());
        return;
    case TrackCommand::HideLane:
        if (const auto lane = currentLane())
            state_.lanes.hide(model_->lane(*lane).key());
        return;
    case TrackCommand::MoveLaneUp:
        return moveLane(-1);
    case TrackCommand::MoveLaneDown:
        return moveLane(1);
    case TrackCommand::ToggleGroup:
        return toggleGroup();
    case TrackCommand::ShowHiddenLanes:
        return state_.lanes.showAll();
    }
}

/// Where the mouse is; without one in the timeline, the middle of what is shown.
std::int64_t TrackView::timeAtMouse() const {
    const bool inside = mouse_.x() >= theme_->sizes.laneHeader;
    const TimeRange visible = view_.visible();
    return inside ? timeAtX(mouse_.x()) : visible.begin + visible.length() / 2;
}

void TrackView::goToTime(std::int64_t time) {
    const TimeRange visible = view_.visible();
    if (!visible.contains(time))
        view_.pan(time - visible.begin - visible.length() / 2, ViewState::Change::Step);
}

std::optional<std::size_t> TrackView::currentLane() const {
    return currentRow_ && *currentRow_ < arrangement_.rows.size()
               ? arrangement_.rows[*currentRow_].lane
               : std::nullopt;
}

void TrackView::setCurrentRow(std::optional<std::size_t> row) {
    currentRow_ = row;
    viewport()->update();
}

void TrackView::selectInLane(std::size_t lane, const TrackHit& hit) {
    state_.selection.selectItem(hit, model_->lane(lane).key(), SelectionState::Origin::Timeline);
}

void TrackView::stepInversion(int direction) {
    const std::span<const InversionMark> marks = model_->inversions();
    if (marks.empty()) {
        emit noted(tr("This trace shows no inversions."));
        return;
    }
    const std::optional<TimeRange> selected = state_.selection.extent();
    const TimeRange visible = view_.visible();
    const std::int64_t from = selected ? selected->begin : visible.begin + visible.length() / 2;
    const auto next = direction > 0
                          ? std::find_if(marks.begin(), marks.end(),
                                         [&](const auto& each) { return each.range.begin > from; })
                          : std::find_if(marks.rbegin(), marks.rend(), [&](const auto& each) {
                                return each.range.begin < from;
                            }).base();
    const bool none = direction > 0 ? next == marks.end() : next == marks.begin();
    if (none) {
        emit noted(direction > 0 ? tr("There is no inversion after this one.")
                                 : tr("There is no inversion before this one."));
        return;
    }
    const InversionMark& mark = direction > 0 ? *next : *(next - 1);
    if (const auto lane = model_->laneOf(mark.victim)) {
        const std::int64_t begin = mark.range.begin;
        const LockWait* wait = model_->waitAt(*lane, begin);
        if (wait)
            state_.selection.selectItem({mark.victim, *wait}, model_->lane(*lane).key(),
                                        SelectionState::Origin::Table);
        else
            showLane(*lane);
    }
    view_.frame(mark.range);
}

void TrackView::stepItem(int direction) {
    const auto lane = currentLane() ? currentLane() : selectedLane_;
    if (!lane) {
        emit noted(tr("Click a lane first: . and , go through its events."));
        return;
    }
    const bool inLane = selectedLane_ == lane && state_.selection.item().has_value();
    const std::int64_t from = inLane ? state_.selection.item()->range().begin : timeAtMouse();
    const TrackHit hit = direction > 0 ? model_->next(*lane, from) : model_->previous(*lane, from);
    if (hit.range().length() <= 0)
        return;
    selectInLane(*lane, hit);
    goToTime(hit.range().begin);
}

void TrackView::stepRow(int direction) {
    if (arrangement_.rows.empty())
        return;
    const auto last = static_cast<std::ptrdiff_t>(arrangement_.rows.size()) - 1;
    const auto now = currentRow_ ? static_cast<std::ptrdiff_t>(*currentRow_) : -1;
    const auto row = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + direction, 0, last));
    setCurrentRow(row);
    if (const auto lane = arrangement_.rows[row].lane)
        showLane(*lane);
}

void TrackView::stepBookmark(int direction) {
    const TimeRange visible = view_.visible();
    const std::int64_t from = visible.begin + visible.length() / 2;
    const auto bookmark = direction > 0 ? state_.marks.after(from) : state_.marks.before(from);
    if (bookmark)
        view_.pan(bookmark->time - from, ViewState::Change::Step);
    else
        emit noted(direction > 0 ? tr("There is no bookmark further on.")
                                 : tr("There is no bookmark before this."));
}

void TrackView::addBookmark() {
    state_.marks.addBookmark({timeAtMouse(), {}});
    emit noted(tr("Bookmarked. Notes are written in the bookmarks' dock."));
}

std::vector<std::string> TrackView::keysOfGroup(const LaneRow& row) const {
    std::vector<std::string> keys;
    for (const LaneRow& each : arrangement_.rows) {
        if (each.lane && each.group == row.group)
            keys.push_back(model_->lane(*each.lane).key());
    }
    return keys;
}

void TrackView::moveLane(int direction) {
    const auto lane = currentLane();
    if (!lane)
        return;
    const std::vector<std::string> keys = keysOfGroup(arrangement_.rows[*currentRow_]);
    const std::string key = model_->lane(*lane).key();
    const auto place = std::find(keys.begin(), keys.end(), key) - keys.begin();
    const std::ptrdiff_t before = direction < 0 ? place - 1 : place + 2;
    if (before < 0 || place + direction >= static_cast<std::ptrdiff_t>(keys.size()))
        return;
    const bool toEnd = before >= static_cast<std::ptrdiff_t>(keys.size());
    state_.lanes.move(key, toEnd ? std::string() : keys[static_cast<std::size_t>(before)], keys);
}

void TrackView::toggleGroup() {
    if (!currentRow_)
        return;
    const LaneGroup group = arrangement_.rows[*currentRow_].group;
    if (group.kind == LaneGroupKind::Pinned)
        return;
    // The heading is what remains: keys go on from there.
    const auto heading =
        std::find_if(arrangement_.rows.begin(), arrangement_.rows.end(),
                     [&](const LaneRow& row) { return !row.lane && row.group == group; });
    setCurrentRow(static_cast<std::size_t>(heading - arrangement_.rows.begin()));
    state_.lanes.toggleCollapsed(group);
}

} // namespace inversight
