// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The painting half of TrackView: replays what refresh() prepared.
#include "ui/timeline/lane_header.h"
#include "ui/timeline/track_view.h"

#include <QPaintEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace inversight {

void TrackView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme_->colours.window);
    if (!model_)
        return;
    for (const auto& [lane, prepared] : lanes_)
        paintLane(painter, lane);
    const QRectF bars(theme_->sizes.laneHeader, theme_->sizes.ruler, timelineWidth(),
                      laneTop(laneEnd()) - theme_->sizes.ruler);
    painter.save();
    painter.setClipRect(bars);
    GeometryPainter(*theme_).paint(painter, losses_, {bars.left(), 0});
    paintHighlight(painter);
    painter.restore();
    if (const QString text = hiddenText(); !text.isEmpty()) {
        painter.setFont(theme_->font(theme_->sizes.smallFont));
        painter.setPen(theme_->colours.mutedText);
        painter.drawText(QRect(theme_->sizes.margin, laneTop(laneEnd()), viewport()->width(),
                               theme_->sizes.legend),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    paintRuler(painter);
}

void TrackView::paintLane(QPainter& painter, std::size_t lane) {
    const LaneInfo& info = model_->lane(lane);
    const QRect bars = laneArea(lane);
    const QRect header(0, bars.top(), theme_->sizes.laneHeader, bars.height());
    painter.fillRect(bars, info.leading ? theme_->colours.laneLeading : theme_->colours.lane);
    painter.fillRect(header, theme_->colours.panel);
    painter.save();
    painter.setClipRect(bars);
    painter.setPen(theme_->colours.grid);
    for (const RulerTick& tick : ticks_) {
        const int x = bars.left() + static_cast<int>(std::lround(tick.x));
        if (tick.major)
            painter.drawLine(x, bars.top(), x, bars.bottom());
    }
    painter.setFont(theme_->font(labelFontSize(layoutOf(lane))));
    GeometryPainter(*theme_).paint(painter, lanes_[lane], bars.topLeft());
    painter.restore();
    paintLaneHeader(painter, *theme_, header, info);
    painter.setPen(theme_->colours.separator);
    painter.drawLine(0, bars.bottom(), bars.right(), bars.bottom());
    painter.drawLine(header.right(), bars.top(), header.right(), bars.bottom());
}

void TrackView::paintRuler(QPainter& painter) const {
    const QRect area(0, 0, viewport()->width(), theme_->sizes.ruler);
    painter.fillRect(area, theme_->colours.panel);
    painter.setFont(theme_->font(theme_->sizes.smallFont));
    painter.setPen(theme_->colours.mutedText);
    painter.drawText(
        QRect(theme_->sizes.margin, 0, theme_->sizes.laneHeader, area.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        tr("%1 shown")
            .arg(QString::fromStdString(formatSpan(shown_.range.length(), model_->clockUnit()))));
    painter.save();
    painter.setClipRect(area.adjusted(theme_->sizes.laneHeader, 0, 0, 0));
    const QFontMetrics metrics(painter.font());
    for (const RulerTick& tick : ticks_) {
        const int x = theme_->sizes.laneHeader + static_cast<int>(std::lround(tick.x));
        const int length = tick.major ? area.height() / 2 : area.height() / 5;
        painter.setPen(theme_->colours.mutedText);
        painter.drawLine(x, area.bottom() - length, x, area.bottom());
        const QString label = QString::fromStdString(tick.label);
        const int left = x + theme_->sizes.chipPadding / 2;
        if (tick.major && left + metrics.horizontalAdvance(label) <= area.right()) {
            painter.setPen(theme_->colours.text);
            painter.drawText(left, metrics.ascent() + 2, label);
        }
    }
    painter.restore();
    painter.setPen(theme_->colours.separator);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void TrackView::paintHighlight(QPainter& painter) const {
    const auto lane = highlight_ ? model_->laneOf(highlight_->thread) : std::nullopt;
    if (!lane || !highlight_->range.overlaps(shown_.range))
        return;
    const QRect bars = laneArea(*lane);
    // Far edges are kept near the window: a pen's dashes cost by length.
    const auto edge = [&](std::int64_t time) {
        return bars.left() + std::clamp(shown_.positionOf(time), -2.0, shown_.width + 2.0);
    };
    const double left = edge(highlight_->range.begin);
    const double right = std::max(edge(highlight_->range.end), left + 3);
    painter.setPen(QPen(theme_->colours.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(left, bars.top() + 1, right - left, bars.height() - 3));
}

int TrackView::labelFontSize(const LaneLayout& layout) const {
    const ThemeSizes& sizes = theme_->sizes;
    return layout == sizes.laneTall    ? sizes.bodyFont
           : layout == sizes.laneRoomy ? sizes.smallFont
                                       : sizes.labelFont;
}

QString TrackView::hiddenText() const {
    if (!model_)
        return {};
    const auto counted = [](std::size_t count, const QString& one, const QString& many) {
        return count == 1 ? one : many.arg(count);
    };
    QStringList parts;
    if (laneEnd() < model_->laneCount())
        parts << counted(model_->laneCount() - laneEnd(), tr("1 further thread"),
                         tr("%1 further threads"));
    if (model_->hiddenIdle() > 0)
        parts << counted(model_->hiddenIdle(), tr("1 idle task"), tr("%1 idle tasks"));
    if (model_->hiddenEmpty() > 0)
        parts << counted(model_->hiddenEmpty(), tr("1 thread that never ran"),
                         tr("%1 threads that never ran"));
    return parts.isEmpty() ? QString() : tr("Not shown: %1").arg(parts.join(tr(", ")));
}

} // namespace inversight
