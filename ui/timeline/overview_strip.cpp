// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/overview_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace inversight {

OverviewStrip::OverviewStrip(TimelineState& state, QWidget* parent)
    : QWidget(parent), state_(state), view_(state.view), theme_(&Theme::of(ThemeKind::Light)) {
    setFixedHeight(theme_->sizes.overview);
    setAccessibleName(tr("Overview of the whole trace"));
    setToolTip(
        tr("The whole trace: load of all CPUs, boosts as ticks. Click or drag to go there."));
    connect(&view_, &ViewState::visibleChanged, this, qOverload<>(&QWidget::update));
    connect(&state_.marks, &TimelineMarks::changed, this, qOverload<>(&QWidget::update));
}

void OverviewStrip::setTheme(const Theme& theme) {
    theme_ = &theme;
    setFixedHeight(theme.sizes.overview);
    refresh();
}

void OverviewStrip::setModel(std::shared_ptr<const TrackModel> model) {
    model_ = std::move(model);
    refresh();
}

QRect OverviewStrip::stripArea() const {
    return rect().adjusted(theme_->sizes.laneHeader, 2, 0, -3);
}

void OverviewStrip::refresh() {
    if (model_) {
        const QRect area = stripArea();
        prepared_ = GeometryPainter(*theme_).prepare(
            model_->overview(model_->wholeRange(), area.width(), static_cast<float>(area.height())),
            area.width());
    }
    update();
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
    refresh();
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->colours.panel);
    painter.setPen(theme_->colours.separator);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
    if (!model_)
        return;
    painter.setFont(theme_->font(theme_->sizes.smallFont));
    painter.setPen(theme_->colours.mutedText);
    const QRect words(theme_->sizes.margin, 0, theme_->sizes.laneHeader, height());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Whole trace: %1\nload of all CPUs, boosts on top")
                         .arg(QString::fromStdString(
                             formatSpan(model_->wholeRange().length(), model_->clockUnit()))));
    const QRect area = stripArea();
    painter.setClipRect(area);
    GeometryPainter(*theme_).paint(painter, prepared_, area.topLeft());
    const TimeScale scale = TimeScale::of(model_->wholeRange(), area.width());
    paintMarks(painter, area, scale);
    const double left = scale.positionOf(view_.visible().begin);
    const double right = std::max(scale.positionOf(view_.visible().end), left + 3);
    QColor shade = theme_->colours.accent;
    shade.setAlphaF(0.15F);
    const QRectF frame(area.left() + left, area.top() + 0.5, right - left, area.height() - 1);
    painter.fillRect(frame, shade);
    painter.setPen(QPen(theme_->colours.accent, 2));
    painter.drawRect(frame);
}

void OverviewStrip::paintMarks(QPainter& painter, const QRect& area, const TimeScale& scale) const {
    const auto line = [&](std::int64_t time, const QColor& colour) {
        const double x = area.left() + scale.positionOf(time);
        painter.setPen(QPen(colour, theme_->sizes.markerWidth));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    };
    for (const Bookmark& bookmark : state_.marks.bookmarks())
        line(bookmark.time, theme_->colours.good);
    if (const auto a = state_.marks.marker(TimelineMarks::Marker::A))
        line(*a, theme_->colours.markerA);
    if (const auto b = state_.marks.marker(TimelineMarks::Marker::B))
        line(*b, theme_->colours.markerB);
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    centreAt(event->position().x());
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        centreAt(event->position().x());
}

void OverviewStrip::centreAt(double x) {
    if (!model_)
        return;
    const QRect area = stripArea();
    const TimeScale scale = TimeScale::of(model_->wholeRange(), area.width());
    const int column = std::clamp(static_cast<int>(std::floor(x)) - area.left(), 0, area.width());
    const TimeRange visible = view_.visible();
    const std::int64_t middle = visible.begin + visible.length() / 2;
    view_.pan(scale.columnBegin(column) - middle);
}

} // namespace inversight
