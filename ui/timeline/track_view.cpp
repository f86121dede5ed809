// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Layout and geometry of TrackView: which rows stand where, and what is prepared for them.
#include "ui/timeline/track_view.h"

#include "ui/timeline/hit_text.h"

#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {
constexpr int kHitSlack = 3; ///< pixels beside a thin item
}

TrackView::TrackView(TimelineState& state, QWidget* parent)
    : QAbstractScrollArea(parent), state_(state), view_(state.view),
      theme_(&Theme::of(ThemeKind::Light)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("Lanes of threads, locks, buses and CPUs over time. Press ? for "
                                "the keys."));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    // Everything is painted in paintEvent.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&view_, &ViewState::visibleChanged, this, &TrackView::refresh);
    connect(&state_.selection, &SelectionState::changed, this, &TrackView::followSelection);
    connect(&state_.lanes, &LaneState::changed, this, &TrackView::rearrange);
    connect(&state_.marks, &TimelineMarks::changed, viewport(), qOverload<>(&QWidget::update));
}

void TrackView::setTheme(const Theme& theme) {
    theme_ = &theme;
    relayout();
}

void TrackView::setModel(std::shared_ptr<const TrackModel> model) {
    model_ = std::move(model);
    linkedLane_.reset();
    rearrange();
    followSelection();
}

void TrackView::setWholeLanesOnly() {
    wholeLanesOnly_ = true;
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    relayout();
}

/// The rows anew; the row that keys are about stays the same lane or heading.
void TrackView::rearrange() {
    const std::optional<LaneRow> current = currentRow_ && *currentRow_ < arrangement_.rows.size()
                                               ? std::optional(arrangement_.rows[*currentRow_])
                                               : std::nullopt;
    arrangement_ = model_ ? arrangeLanes(*model_, state_.lanes.settings()) : LaneArrangement{};
    rowByLane_.clear();
    currentRow_.reset();
    for (std::size_t row = 0; row < arrangement_.rows.size(); ++row) {
        const LaneRow& each = arrangement_.rows[row];
        if (each.lane)
            rowByLane_[*each.lane] = row;
        if (current && each.lane == current->lane && (each.lane || each.group == current->group))
            currentRow_ = row;
    }
    selectedLane_ = laneOfKey(state_.selection.laneKey());
    relayout();
}

void TrackView::relayout() {
    if (model_)
        rows_.rebuild(arrangement_.rows, arrangement_.pinnedRows, *model_, theme_->sizes,
                      viewport()->height() - theme_->sizes.ruler - footerHeight());
    else
        rows_.clear();
    verticalScrollBar()->setRange(0, std::max(contentHeight() - viewport()->height(), 0));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(static_cast<int>(theme_->sizes.laneCompact.height()));
    lanes_.clear();
    view_.setMinLength(timelineWidth());
    refresh();
}

void TrackView::refresh() {
    const TimeScale wanted = scale();
    if (wanted != shown_)
        lanes_.clear();
    shown_ = wanted;
    if (model_) {
        ticks_ = rulerTicks(shown_, model_->wholeRange().begin, theme_->sizes.tickSpacing,
                            model_->clockUnit());
        const GeometryPainter painter(*theme_);
        for (std::size_t row = 0; row < rowEnd(); ++row) {
            const auto lane = arrangement_.rows[row].lane;
            if (!lane || !isVisible(row) || lanes_.contains(*lane))
                continue;
            lanes_[*lane] = {
                painter.prepare(model_->query(*lane, shown_.range, shown_.width, rows_.layout(row)),
                                shown_.width),
                painter.prepare(model_->inversionShade(*lane, shown_.range, shown_.width,
                                                       static_cast<float>(rows_.height(row))),
                                shown_.width)};
        }
        losses_ = painter.prepare(
            model_->losses(shown_.range, shown_.width, static_cast<float>(viewport()->height())),
            shown_.width);
    }
    viewport()->update();
}

void TrackView::followSelection() {
    selectedLane_ = laneOfKey(state_.selection.laneKey());
    arrows_.clear();
    if (model_ && state_.selection.item())
        arrows_ = arrowsFor(*model_, *state_.selection.item());
    if (selectedLane_) {
        if (const auto row = rowOf(*selectedLane_))
            currentRow_ = row;
        if (state_.selection.origin() != SelectionState::Origin::Timeline)
            showLane(*selectedLane_);
    }
    viewport()->update();
}

void TrackView::showLane(std::size_t lane) {
    const auto row = rowOf(lane);
    if (!row || *row < arrangement_.pinnedRows)
        return;
    const int above = contentTop() - rowTop(*row);
    const int below = rowTop(*row) + rows_.height(*row) - viewport()->height();
    if (above > 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() - above);
    else if (below > 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + below);
}

int TrackView::timelineWidth() const {
    return std::max(viewport()->width() - theme_->sizes.laneHeader, 1);
}

int TrackView::contentTop() const {
    return theme_->sizes.ruler + rows_.pinnedHeight();
}

int TrackView::contentHeight() const {
    return theme_->sizes.ruler + rows_.contentHeight() + footerHeight();
}

int TrackView::footerHeight() const {
    return hidesLanes() ? theme_->sizes.legend : 0;
}

int TrackView::rowTop(std::size_t row) const {
    const int scrolled = row < arrangement_.pinnedRows ? 0 : verticalScrollBar()->value();
    return theme_->sizes.ruler + rows_.top(row) - scrolled;
}

std::size_t TrackView::rowEnd() const {
    if (!wholeLanesOnly_ || contentHeight() <= viewport()->height())
        return rows_.size();
    std::size_t end = 0;
    while (end < rows_.size() &&
           rowTop(end) + rows_.height(end) <= viewport()->height() - theme_->sizes.legend)
        ++end;
    // A heading without its lanes says nothing.
    while (end > 0 && !arrangement_.rows[end - 1].lane)
        --end;
    return end;
}

bool TrackView::isVisible(std::size_t row) const {
    const int top = row < arrangement_.pinnedRows ? theme_->sizes.ruler : contentTop();
    return rowTop(row) < viewport()->height() && rowTop(row) + rows_.height(row) > top;
}

std::optional<std::size_t> TrackView::rowOf(std::size_t lane) const {
    const auto found = rowByLane_.find(lane);
    return found == rowByLane_.end() ? std::nullopt : std::optional(found->second);
}

QRect TrackView::rowArea(std::size_t row) const {
    return {0, rowTop(row), viewport()->width(), rows_.height(row)};
}

QRect TrackView::laneArea(std::size_t lane) const {
    const auto row = rowOf(lane);
    return row ? rowArea(*row).adjusted(theme_->sizes.laneHeader, 0, 0, 0) : QRect();
}

const LaneLayout& TrackView::layoutOf(std::size_t lane) const {
    const auto row = rowOf(lane);
    return row ? rows_.layout(*row) : theme_->sizes.laneCompact;
}

std::optional<std::size_t> TrackView::rowAtY(int y) const {
    if (!model_ || y < theme_->sizes.ruler)
        return std::nullopt;
    const int scrolled = y < contentTop() ? 0 : verticalScrollBar()->value();
    const auto row = rows_.rowAt(y - theme_->sizes.ruler + scrolled);
    return row && *row < rowEnd() ? row : std::nullopt;
}

std::optional<std::size_t> TrackView::laneAtY(int y) const {
    const auto row = rowAtY(y);
    return row ? arrangement_.rows[*row].lane : std::nullopt;
}

std::optional<std::size_t> TrackView::laneOfKey(const std::string& key) const {
    for (std::size_t lane = 0; model_ && !key.empty() && lane < model_->laneCount(); ++lane) {
        if (model_->lane(lane).key() == key)
            return lane;
    }
    return std::nullopt;
}

TimeScale TrackView::scale() const {
    return TimeScale::of(view_.visible(), timelineWidth());
}

std::int64_t TrackView::timeAtX(double x) const {
    const int column = static_cast<int>(std::floor(x)) - theme_->sizes.laneHeader;
    return scale().columnBegin(std::clamp(column, 0, timelineWidth()));
}

void TrackView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TrackView::scrollContentsBy(int, int) {
    refresh();
}

TrackHit TrackView::hitAt(QPoint position) const {
    const auto row = rowAtY(position.y());
    const auto lane = row ? arrangement_.rows[*row].lane : std::nullopt;
    if (!lane || position.x() < theme_->sizes.laneHeader)
        return {};
    const auto slack = static_cast<std::int64_t>(std::ceil(kHitSlack * scale().timePerPixel()));
    return model_->hit(*lane, timeAtX(position.x()),
                       static_cast<float>(position.y() - rowTop(*row)), rows_.layout(*row), slack);
}

QString TrackView::tooltipAt(QPoint position) const {
    const auto row = rowAtY(position.y());
    if (!row)
        return {};
    const LaneRow& each = arrangement_.rows[*row];
    if (!each.lane)
        return each.collapsed ? tr("Click to open") : tr("Click to collapse");
    if (position.x() < theme_->sizes.laneHeader)
        return laneText(*model_, model_->lane(*each.lane));
    QString text = hitText(*model_, hitAt(position));
    if (const InversionMark* mark = model_->inversionAt(*each.lane, timeAtX(position.x())))
        text = inversionText(*model_, *mark) + (text.isEmpty() ? "" : "<hr>") + text;
    return text;
}

} // namespace inversight
