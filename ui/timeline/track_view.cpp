// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/track_view.h"

#include "ui/timeline/hit_text.h"
#include "ui/timeline/lane_header.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {

constexpr double kWheelStep = 120;    ///< QWheelEvent's units per notch
constexpr double kZoomPerNotch = 0.8; ///< the visible length's factor
constexpr double kZoomPerKey = 0.7;
constexpr double kPanPerKey = 0.15; ///< of the visible width
constexpr int kPanPerNotch = 90;    ///< pixels
constexpr int kHitSlack = 3;        ///< pixels beside a thin item

} // namespace

TrackView::TrackView(ViewState& view, QWidget* parent)
    : QAbstractScrollArea(parent), view_(view), theme_(&Theme::of(ThemeKind::Light)) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    // Everything is painted in paintEvent.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&view_, &ViewState::visibleChanged, this, &TrackView::refresh);
}

void TrackView::setTheme(const Theme& theme) {
    theme_ = &theme;
    lanes_.clear();
    relayout();
}

void TrackView::setModel(std::shared_ptr<const TrackModel> model) {
    model_ = std::move(model);
    lanes_.clear();
    highlight_.reset();
    relayout();
}

void TrackView::setWholeLanesOnly() {
    wholeLanesOnly_ = true;
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    relayout();
}

void TrackView::setHighlight(std::optional<Highlight> highlight) {
    highlight_ = highlight;
    const auto lane = model_ && highlight ? model_->laneOf(highlight->thread) : std::nullopt;
    if (lane) {
        const QRect area = laneArea(*lane);
        const int above = theme_->sizes.ruler - area.top();
        const int below = area.bottom() - viewport()->height();
        if (above > 0)
            verticalScrollBar()->setValue(verticalScrollBar()->value() - above);
        else if (below > 0)
            verticalScrollBar()->setValue(verticalScrollBar()->value() + below);
    }
    viewport()->update();
}

int TrackView::timelineWidth() const {
    return std::max(viewport()->width() - theme_->sizes.laneHeader, 1);
}

const LaneLayout& TrackView::layoutOf(std::size_t lane) const {
    return lane < largeCount_ ? large_ : theme_->sizes.laneCompact;
}

int TrackView::laneHeight(std::size_t lane) const {
    return static_cast<int>(layoutOf(lane).height());
}

int TrackView::contentHeight(std::size_t count, const LaneLayout& layout) const {
    const std::size_t lanes = model_ ? model_->laneCount() : 0;
    const bool hides = model_ && model_->hiddenIdle() + model_->hiddenEmpty() > 0;
    return theme_->sizes.ruler + (hides ? theme_->sizes.legend : 0) +
           static_cast<int>(count) * static_cast<int>(layout.height()) +
           static_cast<int>(lanes - count) * static_cast<int>(theme_->sizes.laneCompact.height());
}

/// The lanes that matter are as large as the window allows without scrolling. Where it has to
/// scroll, they are as large as leaves a quarter of the window to the others.
void TrackView::chooseLaneSizes() {
    const ThemeSizes& sizes = theme_->sizes;
    const std::size_t lanes = model_ ? model_->laneCount() : 0;
    const bool hasLeads = lanes > 0 && model_->lane(0).lead;
    std::size_t leading = 0;
    while (leading < std::min(lanes, sizes.maxLargeLanes) &&
           (hasLeads ? model_->lane(leading).lead : model_->lane(leading).leading))
        ++leading;
    const int space = std::max(viewport()->height() - sizes.ruler, 0) * 3 / 4;
    for (const LaneLayout& layout : {sizes.laneTall, sizes.laneRoomy}) {
        large_ = layout;
        largeCount_ = lanes;
        if (contentHeight(lanes, layout) <= viewport()->height())
            return;
        largeCount_ = leading;
        if (static_cast<int>(leading) * static_cast<int>(layout.height()) <= space)
            return;
    }
    largeCount_ = static_cast<std::size_t>(space / static_cast<int>(large_.height()));
}

std::size_t TrackView::laneEnd() const {
    const std::size_t lanes = model_ ? model_->laneCount() : 0;
    if (!wholeLanesOnly_ || contentHeight(largeCount_, large_) <= viewport()->height())
        return lanes;
    std::size_t end = 0;
    while (end < lanes &&
           laneTop(end) + laneHeight(end) <= viewport()->height() - theme_->sizes.legend)
        ++end;
    return end;
}

int TrackView::laneTop(std::size_t lane) const {
    const std::size_t large = std::min(lane, largeCount_);
    return theme_->sizes.ruler - verticalScrollBar()->value() +
           static_cast<int>(large) * static_cast<int>(large_.height()) +
           static_cast<int>(lane - large) * static_cast<int>(theme_->sizes.laneCompact.height());
}

QRect TrackView::laneArea(std::size_t lane) const {
    return {theme_->sizes.laneHeader, laneTop(lane), timelineWidth(), laneHeight(lane)};
}

std::optional<std::size_t> TrackView::laneAtY(int y) const {
    if (!model_ || y < theme_->sizes.ruler)
        return std::nullopt;
    const int largeEnd = laneTop(largeCount_);
    const int compact = static_cast<int>(theme_->sizes.laneCompact.height());
    const int lane = y < largeEnd ? (y - laneTop(0)) / static_cast<int>(large_.height())
                                  : static_cast<int>(largeCount_) + (y - largeEnd) / compact;
    return static_cast<std::size_t>(lane) < model_->laneCount()
               ? std::optional(static_cast<std::size_t>(lane))
               : std::nullopt;
}

TimeScale TrackView::scale() const {
    return TimeScale::of(view_.visible(), timelineWidth());
}

std::int64_t TrackView::timeAtX(double x) const {
    const int column = static_cast<int>(std::floor(x)) - theme_->sizes.laneHeader;
    return scale().columnBegin(std::clamp(column, 0, timelineWidth()));
}

void TrackView::relayout() {
    chooseLaneSizes();
    const int hidden = contentHeight(largeCount_, large_) - viewport()->height();
    verticalScrollBar()->setRange(0, std::max(hidden, 0));
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
        for (std::size_t lane = 0; lane < laneEnd(); ++lane) {
            const bool visible =
                laneTop(lane) < viewport()->height() && laneTop(lane) + laneHeight(lane) > 0;
            if (visible && !lanes_.contains(lane))
                lanes_[lane] = painter.prepare(
                    model_->query(lane, shown_.range, shown_.width, layoutOf(lane)), shown_.width);
        }
        losses_ = painter.prepare(
            model_->losses(shown_.range, shown_.width, static_cast<float>(viewport()->height())),
            shown_.width);
    }
    viewport()->update();
}

void TrackView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TrackView::scrollContentsBy(int, int) {
    refresh();
}

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
    drag_ = Drag{event->position(), view_.visible(), verticalScrollBar()->value()};
    QToolTip::hideText();
}

void TrackView::mouseMoveEvent(QMouseEvent* event) {
    mouseX_ = event->position().x();
    if (!drag_) {
        showTooltip(event->position(), event->globalPosition().toPoint());
        return;
    }
    viewport()->setCursor(Qt::ClosedHandCursor);
    const QPointF moved = event->position() - drag_->start;
    const TimeScale atStart = TimeScale::of(drag_->range, timelineWidth());
    view_.setVisible(panRange(drag_->range, -std::llround(moved.x() * atStart.timePerPixel())),
                     ViewState::Change::Continuous);
    verticalScrollBar()->setValue(drag_->scroll - static_cast<int>(std::lround(moved.y())));
}

void TrackView::mouseReleaseEvent(QMouseEvent*) {
    drag_.reset();
    viewport()->unsetCursor();
}

void TrackView::mouseDoubleClickEvent(QMouseEvent* event) {
    const TrackHit hit = hitAt(event->position().toPoint());
    if (hit.range().length() <= 0)
        return;
    view_.frame(hit.range());
    setHighlight(Highlight{hit.thread, hit.range()});
    emit itemFramed(hit.thread, hit.range().begin, hit.range().end);
}

void TrackView::keyPressEvent(QKeyEvent* event) {
    const double page = kPanPerKey * timelineWidth();
    const double x = std::clamp<double>(mouseX_, theme_->sizes.laneHeader, viewport()->width());
    switch (event->key()) {
    case Qt::Key_W:
        [[fallthrough]];
    case Qt::Key_Plus:
        zoomAtPixel(x, kZoomPerKey);
        break;
    case Qt::Key_S:
        [[fallthrough]];
    case Qt::Key_Minus:
        zoomAtPixel(x, 1 / kZoomPerKey);
        break;
    case Qt::Key_A:
        [[fallthrough]];
    case Qt::Key_Left:
        panByPixels(-page);
        break;
    case Qt::Key_D:
        [[fallthrough]];
    case Qt::Key_Right:
        panByPixels(page);
        break;
    case Qt::Key_F:
        [[fallthrough]];
    case Qt::Key_0:
        view_.fitAll();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    event->accept();
}

bool TrackView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        QToolTip::hideText();
    return QAbstractScrollArea::viewportEvent(event);
}

TrackHit TrackView::hitAt(QPoint position) const {
    const auto lane = laneAtY(position.y());
    if (!lane || position.x() < theme_->sizes.laneHeader)
        return {};
    const auto slack = static_cast<std::int64_t>(std::ceil(kHitSlack * scale().timePerPixel()));
    return model_->hit(*lane, timeAtX(position.x()),
                       static_cast<float>(position.y() - laneTop(*lane)), layoutOf(*lane), slack);
}

QString TrackView::tooltipAt(QPoint position) const {
    const auto lane = laneAtY(position.y());
    if (!lane)
        return {};
    if (position.x() < theme_->sizes.laneHeader)
        return laneText(*model_, model_->lane(*lane));
    return hitText(*model_, hitAt(position));
}

void TrackView::showTooltip(QPointF position, QPoint globalPosition) {
    const QString text = tooltipAt(position.toPoint());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(globalPosition, text, viewport());
}

} // namespace inversight
