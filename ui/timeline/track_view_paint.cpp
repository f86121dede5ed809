// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The painting half of TrackView: replays what refresh() prepared.
#include "ui/timeline/lane_header.h"
#include "ui/timeline/track_view.h"

#include <QPaintEvent>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace inversight {

void TrackView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    paintAll(painter);
    paintHover(painter);
}

void TrackView::paintAll(QPainter& painter) {
    painter.fillRect(viewport()->rect(), theme_->colours.window);
    if (!model_)
        return;
    painter.save();
    painter.setClipRect(QRect(0, contentTop(), viewport()->width(), viewport()->height()),
                        Qt::IntersectClip);
    for (std::size_t row = arrangement_.pinnedRows; row < rowEnd(); ++row)
        paintRow(painter, row);
    paintFooter(painter);
    painter.restore();
    for (std::size_t row = 0; row < arrangement_.pinnedRows && row < rowEnd(); ++row)
        paintRow(painter, row);
    paintOverlays(painter);
    paintRuler(painter);
    paintMarks(painter);
}

void TrackView::paintRow(QPainter& painter, std::size_t row) {
    if (!isVisible(row))
        return;
    if (const auto lane = arrangement_.rows[row].lane)
        paintLane(painter, row, *lane);
    else
        paintHeading(painter, row);
}

void TrackView::paintLane(QPainter& painter, std::size_t row, std::size_t lane) {
    const LaneInfo& info = model_->lane(lane);
    const QRect area = rowArea(row);
    const QRect bars = area.adjusted(theme_->sizes.laneHeader, 0, 0, 0);
    const QRect header(0, area.top(), theme_->sizes.laneHeader, area.height());
    painter.fillRect(bars, info.leading ? theme_->colours.laneLeading : theme_->colours.lane);
    painter.fillRect(header, theme_->colours.panel);
    painter.save();
    painter.setClipRect(bars, Qt::IntersectClip);
    painter.setPen(theme_->colours.grid);
    for (const RulerTick& tick : ticks_) {
        const int x = bars.left() + static_cast<int>(std::lround(tick.x));
        if (tick.major)
            painter.drawLine(x, bars.top(), x, bars.bottom());
    }
    painter.setFont(theme_->font(labelFontSize(rows_.layout(row))));
    const GeometryPainter geometry(*theme_);
    if (const auto prepared = lanes_.find(lane); prepared != lanes_.end()) {
        geometry.paint(painter, prepared->second.bars, bars.topLeft());
        geometry.paint(painter, prepared->second.shade, bars.topLeft());
    }
    painter.restore();
    paintLaneHeader(painter, *theme_, header, info,
                    {.pinned = row < arrangement_.pinnedRows,
                     .current = row == currentRow_ && hasFocus(),
                     .linked = lane == linkedLane_});
    painter.setPen(theme_->colours.separator);
    painter.drawLine(0, bars.bottom(), bars.right(), bars.bottom());
    painter.drawLine(header.right(), bars.top(), header.right(), bars.bottom());
}

void TrackView::paintHeading(QPainter& painter, std::size_t row) const {
    paintGroupHeading(painter, *theme_, rowArea(row), groupText(arrangement_.rows[row]),
                      {.collapsed = arrangement_.rows[row].collapsed,
                       .current = row == currentRow_ && hasFocus()});
}

/// What lies over all lanes: losses, the selection, arrows.
void TrackView::paintOverlays(QPainter& painter) const {
    const int end = rowEnd() > 0 ? rowTop(rowEnd() - 1) + rows_.height(rowEnd() - 1) : 0;
    const QRectF bars(theme_->sizes.laneHeader, theme_->sizes.ruler, timelineWidth(),
                      std::max(end - theme_->sizes.ruler, 0));
    painter.save();
    painter.setClipRect(bars, Qt::IntersectClip);
    GeometryPainter(*theme_).paint(painter, losses_, {bars.left(), 0});
    paintSelection(painter);
    paintArrows(painter);
    painter.restore();
}

double TrackView::xOf(std::int64_t time) const {
    // Far edges are kept near the window: a pen's dashes cost by length.
    return theme_->sizes.laneHeader +
           std::clamp(shown_.positionOf(time), -20.0, shown_.width + 20.0);
}

void TrackView::paintSelection(QPainter& painter) const {
    if (const auto& range = state_.selection.range()) {
        const QRectF area(xOf(range->begin), 0, xOf(range->end) - xOf(range->begin),
                          viewport()->height());
        painter.fillRect(area, theme_->colours.selection);
        painter.setPen(QPen(theme_->colours.accent, 1));
        painter.drawLine(area.topLeft(), area.bottomLeft());
        painter.drawLine(area.topRight(), area.bottomRight());
        return;
    }
    const auto row = selectedLane_ ? rowOf(*selectedLane_) : std::nullopt;
    if (!row || !isVisible(*row) || !state_.selection.extent())
        return;
    const double left = xOf(state_.selection.extent()->begin);
    const double right = std::max(xOf(state_.selection.extent()->end), left + 3);
    painter.setPen(QPen(theme_->colours.accent, 2));
    painter.setBrush(Qt::NoBrush);
    const QRect area = rowArea(*row);
    painter.drawRect(QRectF(left, area.top() + 1, right - left, area.height() - 3));
}

void TrackView::paintArrows(QPainter& painter) const {
    const auto middleOf = [this](std::size_t lane) -> std::optional<double> {
        const auto row = rowOf(lane);
        return row ? std::optional<double>(rowArea(*row).center().y()) : std::nullopt;
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const TrackArrow& arrow : arrows_) {
        const auto fromY = middleOf(arrow.fromLane);
        const auto toY = middleOf(arrow.toLane);
        if (!fromY || !toY)
            continue;
        const QPointF from(xOf(arrow.fromTime), *fromY);
        const QPointF to(xOf(arrow.toTime), *toY);
        const double side = to.y() > from.y() ? -1 : 1;
        const double head = theme_->sizes.arrowHead;
        const Qt::PenStyle style =
            arrow.kind == TrackArrow::Kind::Wake ? Qt::SolidLine : Qt::DashLine;
        painter.setPen(QPen(theme_->colours.lane, 4));
        painter.drawLine(from, to);
        painter.setPen(QPen(theme_->colours.arrow, 1.5, style));
        painter.drawLine(from, to);
        QPainterPath tip(to);
        tip.lineTo(to + QPointF(-head / 2, side * head));
        tip.lineTo(to + QPointF(head / 2, side * head));
        tip.closeSubpath();
        painter.fillPath(tip, theme_->colours.arrow);
    }
    painter.restore();
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
    painter.setClipRect(area.adjusted(theme_->sizes.laneHeader, 0, 0, 0), Qt::IntersectClip);
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

/// A line through all lanes with a flag in the ruler.
void TrackView::paintMark(QPainter& painter, std::int64_t time, const QString& flag,
                          const QColor& colour) const {
    if (time < shown_.range.begin || time > shown_.range.end)
        return;
    const double x = xOf(time);
    painter.setPen(QPen(colour, theme_->sizes.markerWidth));
    painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
    painter.setFont(theme_->font(theme_->sizes.smallFont, QFont::Bold));
    const QFontMetrics metrics(painter.font());
    const QRectF box(x, theme_->sizes.ruler - theme_->sizes.markerFlag - 1,
                     metrics.horizontalAdvance(flag) + theme_->sizes.chipPadding,
                     theme_->sizes.markerFlag);
    painter.fillRect(box, colour);
    painter.setPen(theme_->colours.panel);
    painter.drawText(box, Qt::AlignCenter, flag);
}

void TrackView::paintMarks(QPainter& painter) const {
    painter.save();
    painter.setClipRect(QRect(theme_->sizes.laneHeader, 0, timelineWidth(), viewport()->height()),
                        Qt::IntersectClip);
    for (const Bookmark& bookmark : state_.marks.bookmarks()) {
        const QString note = bookmark.note.isEmpty() ? QStringLiteral("\u2605")
                                                     : QStringLiteral("\u2605 ") + bookmark.note;
        paintMark(painter, bookmark.time, note, theme_->colours.good);
    }
    if (const auto a = state_.marks.marker(TimelineMarks::Marker::A))
        paintMark(painter, *a, tr("A"), theme_->colours.markerA);
    if (const auto b = state_.marks.marker(TimelineMarks::Marker::B))
        paintMark(painter, *b, tr("B"), theme_->colours.markerB);
    painter.restore();
}

/// A hair line with the time under the cursor.
void TrackView::paintHover(QPainter& painter) const {
    if (!model_ || !mouseInside_ || mouse_.x() < theme_->sizes.laneHeader)
        return;
    const int x = static_cast<int>(mouse_.x());
    painter.setPen(QPen(theme_->colours.mutedText, 1, Qt::DotLine));
    painter.drawLine(x, theme_->sizes.ruler, x, viewport()->height());
    painter.setFont(theme_->font(theme_->sizes.smallFont));
    const QString text = QString::fromStdString(
        formatSpan(timeAtX(mouse_.x()) - model_->wholeRange().begin, model_->clockUnit()));
    const QFontMetrics metrics(painter.font());
    const int width = metrics.horizontalAdvance(text) + 2 * theme_->sizes.chipPadding;
    const int left = std::min(x + 1, viewport()->width() - width);
    const QRect box(left, 0, width, metrics.height() + 1);
    painter.fillRect(box, theme_->colours.chip);
    painter.setPen(theme_->colours.chipText);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TrackView::paintFooter(QPainter& painter) const {
    const QString text = hiddenText();
    if (text.isEmpty())
        return;
    const int top =
        rowEnd() > 0 ? rowTop(rowEnd() - 1) + rows_.height(rowEnd() - 1) : theme_->sizes.ruler;
    painter.setFont(theme_->font(theme_->sizes.smallFont));
    painter.setPen(theme_->colours.mutedText);
    painter.drawText(QRect(theme_->sizes.margin, top, viewport()->width(), theme_->sizes.legend),
                     Qt::AlignLeft | Qt::AlignVCenter, text);
}

int TrackView::labelFontSize(const LaneLayout& layout) const {
    const ThemeSizes& sizes = theme_->sizes;
    return layout == sizes.laneTall ? sizes.bodyFont
           : layout == sizes.laneRoomy || layout == sizes.lockRoomy || layout == sizes.barRoomy
               ? sizes.smallFont
               : sizes.labelFont;
}

QString TrackView::groupText(const LaneRow& row) const {
    const auto named = [&]() -> QString {
        switch (row.group.kind) {
        case LaneGroupKind::Pinned:
            return tr("Pinned");
        case LaneGroupKind::Workload:
            return model_->lane(0).lead ? tr("Threads of the workload, and others with locks")
                                        : tr("Threads with locks, waits or transfers");
        case LaneGroupKind::Locks:
            return tr("Locks");
        case LaneGroupKind::Buses:
            return tr("Buses");
        case LaneGroupKind::Cpus:
            return tr("CPUs");
        case LaneGroupKind::Threads:
            return tr("Other threads");
        case LaneGroupKind::Process:
            return tr("Process %1").arg(row.group.id);
        case LaneGroupKind::Lock:
            return tr("Lock %1").arg(QString::fromStdString(
                model_->lockName(LockId{static_cast<std::uint32_t>(row.group.id)})));
        }
        return {};
    };
    return tr("%1 (%2)").arg(named()).arg(row.laneCount);
}

bool TrackView::hidesLanes() const {
    return model_ && arrangement_.filteredOut + arrangement_.hiddenByHand + model_->hiddenIdle() +
                             model_->hiddenEmpty() + model_->hiddenLocks() >
                         0;
}

QString TrackView::hiddenText() const {
    if (!model_)
        return {};
    const auto counted = [](std::size_t count, const QString& one, const QString& many) {
        return count == 1 ? one : many.arg(count);
    };
    QStringList parts;
    const auto add = [&](std::size_t count, const QString& one, const QString& many) {
        if (count > 0)
            parts << counted(count, one, many);
    };
    std::size_t beyond = 0;
    if (wholeLanesOnly_) {
        for (std::size_t row = rowEnd(); row < rows_.size(); ++row)
            beyond += arrangement_.rows[row].lane ? 1 : 0;
    }
    add(beyond, tr("1 further lane"), tr("%1 further lanes"));
    add(arrangement_.filteredOut, tr("1 lane that the filter leaves out"),
        tr("%1 lanes that the filter leaves out"));
    add(arrangement_.hiddenByHand, tr("1 lane hidden by hand"), tr("%1 lanes hidden by hand"));
    add(model_->hiddenIdle(), tr("1 idle task"), tr("%1 idle tasks"));
    add(model_->hiddenEmpty(), tr("1 thread that never ran"), tr("%1 threads that never ran"));
    add(model_->hiddenLocks(), tr("1 lock that only one thread used"),
        tr("%1 locks that only one thread used"));
    return parts.isEmpty() ? QString() : tr("Not shown: %1").arg(parts.join(tr(", ")));
}

} // namespace inversight
