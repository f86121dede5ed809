// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Mouse and wheel of TrackView.
#include "ui/timeline/track_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {

constexpr double kWheelStep = 120;    ///< QWheelEvent's units per notch
constexpr double kZoomPerNotch = 0.8; ///< the visible length's factor
constexpr int kPanPerNotch = 90;      ///< pixels
constexpr int kDragStart = 4;         ///< pixels that a click may move

} // namespace

void TrackView::zoomAtPixel(double x, double factor) {
    view_.zoomAt(timeAtX(x), factor);
}

void TrackView::panByPixels(double pixels) {
    view_.pan(std::llround(pixels * scale().timePerPixel()));
}

void TrackView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / kWheelStep;
    const bool control = event->modifiers() & Qt::ControlModifier;
    const bool sideways = (event->modifiers() & Qt::ShiftModifier) || delta.y() == 0;
    const bool scrollable = verticalScrollBar()->maximum() > 0;
    if (control || (!sideways && !scrollable))
        zoomAtPixel(event->position().x(), std::pow(kZoomPerNotch, notches));
    else if (sideways)
        panByPixels(-notches * kPanPerNotch);
    else
        verticalScrollBar()->setValue(
            verticalScrollBar()->value() -
            static_cast<int>(std::lround(notches * verticalScrollBar()->singleStep())));
    event->accept();
}

void TrackView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    const bool middle = event->button() == Qt::MiddleButton;
    drag_ = Drag{middle ? DragKind::Pan : DragKind::Undecided, event->position(), view_.visible(),
                 verticalScrollBar()->value(), 0};
    QToolTip::hideText();
}

void TrackView::mouseMoveEvent(QMouseEvent* event) {
    if (drag_)
        dragTo(event->position());
    else
        showTooltip(event->position(), event->globalPosition().toPoint());
    hoverAt(event->position());
}

void TrackView::dragTo(QPointF position) {
    const QPointF moved = position - drag_->start;
    if (drag_->kind == DragKind::Undecided) {
        if (std::abs(moved.x()) < kDragStart && std::abs(moved.y()) < kDragStart)
            return;
        const bool header = drag_->start.x() < theme_->sizes.laneHeader;
        const auto lane = laneAtY(static_cast<int>(drag_->start.y()));
        if (header && !lane)
            return;
        drag_->kind = header ? DragKind::Lane : DragKind::Range;
        drag_->lane = lane.value_or(0);
    }
    if (drag_->kind == DragKind::Range) {
        viewport()->setCursor(Qt::IBeamCursor);
        state_.selection.selectRange({timeAtX(drag_->start.x()), timeAtX(position.x())});
    } else if (drag_->kind == DragKind::Pan) {
        viewport()->setCursor(Qt::ClosedHandCursor);
        const TimeScale atStart = TimeScale::of(drag_->range, timelineWidth());
        view_.setVisible(panRange(drag_->range, -std::llround(moved.x() * atStart.timePerPixel())),
                         ViewState::Change::Continuous);
        verticalScrollBar()->setValue(drag_->scroll - static_cast<int>(std::lround(moved.y())));
    } else {
        viewport()->setCursor(Qt::ClosedHandCursor);
        viewport()->update();
    }
}

void TrackView::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_)
        return;
    const DragKind kind = drag_->kind;
    if (kind == DragKind::Lane)
        dropLane(event->position().toPoint());
    drag_.reset();
    viewport()->unsetCursor();
    viewport()->update();
    if (kind == DragKind::Undecided)
        click(event->position().toPoint());
}

void TrackView::click(QPoint position) {
    const auto row = rowAtY(position.y());
    if (!row) {
        state_.selection.clear();
        return;
    }
    setCurrentRow(row);
    const LaneRow& each = arrangement_.rows[*row];
    if (!each.lane) {
        state_.lanes.toggleCollapsed(each.group);
        return;
    }
    if (position.x() < theme_->sizes.laneHeader)
        return;
    const TrackHit hit = hitAt(position);
    if (hit.range().length() > 0)
        selectInLane(*each.lane, hit);
    else
        state_.selection.clear();
}

/// The lane goes where it is dropped, within its group.
void TrackView::dropLane(QPoint position) {
    const auto from = rowOf(drag_->lane);
    const auto to = rowAtY(position.y());
    if (!from || !to || *from == *to)
        return;
    const LaneRow moved = arrangement_.rows[*from];
    const LaneRow target = arrangement_.rows[*to];
    if (target.group != moved.group || !target.lane)
        return;
    const bool down = *to > *from;
    // Dropped downwards it stands behind the target: before the one after it.
    const std::size_t before = down ? *to + 1 : *to;
    const bool hasNext = before < arrangement_.rows.size() &&
                         arrangement_.rows[before].group == moved.group &&
                         arrangement_.rows[before].lane;
    state_.lanes.move(model_->lane(*moved.lane).key(),
                      hasNext ? model_->lane(*arrangement_.rows[before].lane).key() : std::string(),
                      keysOfGroup(moved));
}

void TrackView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    const TrackHit hit = hitAt(position);
    if (hit.range().length() <= 0)
        return;
    selectInLane(*laneAtY(position.y()), hit);
    view_.frame(hit.range());
    emit itemFramed(hit.thread, hit.range().begin, hit.range().end);
}

/// Only the old and the new place of the hair line are painted again.
void TrackView::hoverAt(QPointF position) {
    const auto strip = [this](double x) {
        const int flag = theme_->sizes.tickSpacing;
        return QRect(static_cast<int>(x) - flag, 0, 2 * flag, theme_->sizes.ruler)
            .united(QRect(static_cast<int>(x) - 1, 0, 3, viewport()->height()));
    };
    const auto lane = laneAtY(static_cast<int>(position.y()));
    const InversionMark* mark = lane && position.x() >= theme_->sizes.laneHeader
                                    ? model_->inversionAt(*lane, timeAtX(position.x()))
                                    : nullptr;
    const auto linked = mark ? model_->laneOf(mark->responsible) : std::nullopt;
    if (linked != std::exchange(linkedLane_, linked))
        viewport()->update();
    const auto hair = [&](double x) {
        viewport()->update(QRect(static_cast<int>(x) - 1, 0, 3, viewport()->height()));
        viewport()->update(strip(x).intersected({0, 0, viewport()->width(), theme_->sizes.ruler}));
    };
    hair(mouse_.x());
    mouse_ = position;
    mouseInside_ = true;
    hair(mouse_.x());
}

void TrackView::leave() {
    QToolTip::hideText();
    mouseInside_ = false;
    linkedLane_.reset();
    viewport()->update();
}

void TrackView::contextMenuEvent(QContextMenuEvent* event) {
    const auto row = rowAtY(event->pos().y());
    if (!row)
        return;
    setCurrentRow(row);
    QMenu menu(this);
    const auto add = [&](const QString& text, TrackCommand command) {
        connect(menu.addAction(text), &QAction::triggered, this,
                [this, command] { perform(command); });
    };
    if (const auto lane = arrangement_.rows[*row].lane) {
        const bool pinned = state_.lanes.isPinned(model_->lane(*lane).key());
        add(pinned ? tr("Unpin") : tr("Pin on top"), TrackCommand::PinLane);
        add(tr("Hide"), TrackCommand::HideLane);
        add(tr("Move up"), TrackCommand::MoveLaneUp);
        add(tr("Move down"), TrackCommand::MoveLaneDown);
        menu.addSeparator();
    }
    add(tr("Collapse or open the group"), TrackCommand::ToggleGroup);
    add(tr("Show all lanes"), TrackCommand::ShowHiddenLanes);
    menu.exec(event->globalPos());
}

bool TrackView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        leave();
    return QAbstractScrollArea::viewportEvent(event);
}

void TrackView::showTooltip(QPointF position, QPoint globalPosition) {
    const QString text = tooltipAt(position.toPoint());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(globalPosition, text, viewport());
}

} // namespace inversight
