// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/lane_header.h"

#include <QCoreApplication>
#include <QFontMetrics>

namespace inversight {

namespace {

QString headerWords(const char* text) {
    return QCoreApplication::translate("LaneHeader", text);
}

/// What stands beneath the name.
QString laneDetail(const LaneInfo& lane) {
    switch (lane.kind) {
    case LaneKind::Thread:
        return QString::number(lane.tid);
    case LaneKind::Lock:
        return headerWords("held %1 times").arg(lane.itemCount);
    case LaneKind::Bus:
        return headerWords("%1 transfers").arg(lane.itemCount);
    case LaneKind::Cpu:
        return headerWords("%1 runs").arg(lane.itemCount);
    }
    return {};
}

void paintLine(QPainter& painter, const QRect& area, const QFont& font, const QColor& ink,
               const QString& text) {
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(text, Qt::ElideRight, area.width()));
}

void paintFrame(QPainter& painter, const QRect& area, const QColor& colour) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 2));
    painter.drawRect(area.adjusted(1, 1, -1, -2));
}

} // namespace

int paintChip(QPainter& painter, const Theme& theme, const QRect& area, int right,
              const QString& text, const QColor& fill, const QColor& ink) {
    const QFontMetrics metrics(painter.font());
    const int width = metrics.horizontalAdvance(text) + 2 * theme.sizes.chipPadding;
    const int height = metrics.height() + theme.sizes.chipPadding / 2;
    const QRect chip(right - width, area.center().y() - height / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(chip, theme.sizes.chipRadius, theme.sizes.chipRadius);
    painter.setPen(ink);
    painter.drawText(chip, Qt::AlignCenter, text);
    painter.restore();
    return chip.left();
}

void paintLaneHeader(QPainter& painter, const Theme& theme, const QRect& area, const LaneInfo& lane,
                     const HeaderMarks& marks) {
    const QRect inner = area.adjusted(theme.sizes.margin, 0, -theme.sizes.margin, 0);
    int right = inner.right();
    painter.setFont(theme.font(theme.sizes.smallFont));
    if (!lane.chip.empty())
        right = paintChip(painter, theme, inner, right, QString::fromStdString(lane.chip),
                          theme.colours.chip, theme.colours.chipText) -
                theme.sizes.spacing;
    if (marks.pinned)
        right = paintChip(painter, theme, inner, right, headerWords("pinned"), theme.colours.accent,
                          theme.colours.accentText) -
                theme.sizes.spacing;
    const QFont nameFont =
        theme.font(theme.sizes.bodyFont, lane.leading ? QFont::Bold : QFont::Normal);
    const QFont detailFont = theme.font(theme.sizes.smallFont);
    const int lines = QFontMetrics(nameFont).height() + QFontMetrics(detailFont).height();
    const int width = right - inner.left();
    if (lines <= area.height()) {
        const int top = inner.center().y() - lines / 2;
        paintLine(painter, {inner.left(), top, width, QFontMetrics(nameFont).height()}, nameFont,
                  theme.colours.text, laneName(lane));
        paintLine(painter,
                  {inner.left(), top + QFontMetrics(nameFont).height(), width,
                   QFontMetrics(detailFont).height()},
                  detailFont, theme.colours.mutedText, laneDetail(lane));
    } else {
        paintLine(painter, {inner.left(), area.top(), width, area.height()}, nameFont,
                  theme.colours.text, laneName(lane));
    }
    if (marks.linked)
        paintFrame(painter, area, theme.role(ThemeRole::Inversion).edge);
    else if (marks.current)
        paintFrame(painter, area, theme.colours.accent);
}

void paintGroupHeading(QPainter& painter, const Theme& theme, const QRect& area,
                       const QString& text, const HeadingMarks& marks) {
    painter.fillRect(area, theme.colours.window);
    const QString sign = marks.collapsed ? QStringLiteral("\u25b8 ") : QStringLiteral("\u25be ");
    paintLine(painter, area.adjusted(theme.sizes.margin / 2, 0, 0, 0),
              theme.font(theme.sizes.smallFont, QFont::DemiBold), theme.colours.mutedText,
              sign + text);
    painter.setPen(theme.colours.separator);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (marks.current)
        paintFrame(painter, area, theme.colours.accent);
}

QString laneName(const LaneInfo& lane) {
    return lane.kind == LaneKind::Cpu ? headerWords("CPU %1").arg(lane.cpu)
                                      : QString::fromStdString(lane.name);
}

} // namespace inversight
