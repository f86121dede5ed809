// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/lane_header.h"

#include <QFontMetrics>

namespace inversight {

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

void paintLaneHeader(QPainter& painter, const Theme& theme, const QRect& area,
                     const LaneInfo& lane) {
    const QRect inner = area.adjusted(theme.sizes.margin, 0, -theme.sizes.margin, 0);
    int right = inner.right();
    if (!lane.chip.empty()) {
        painter.setFont(theme.font(theme.sizes.smallFont));
        right = paintChip(painter, theme, inner, right, QString::fromStdString(lane.chip),
                          theme.colours.chip, theme.colours.chipText) -
                theme.sizes.spacing;
    }
    const QFont nameFont =
        theme.font(theme.sizes.bodyFont, lane.leading ? QFont::Bold : QFont::Normal);
    const QFont tidFont = theme.font(theme.sizes.smallFont);
    const QFontMetrics nameMetrics(nameFont);
    const QFontMetrics tidMetrics(tidFont);
    const int width = right - inner.left();
    // Two lines around the lane's middle.
    const int nameTop = inner.center().y() - (nameMetrics.height() + tidMetrics.height()) / 2;
    painter.setFont(nameFont);
    painter.setPen(theme.colours.text);
    painter.drawText(
        QRect(inner.left(), nameTop, width, nameMetrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
        nameMetrics.elidedText(QString::fromStdString(lane.name), Qt::ElideRight, width));
    painter.setFont(tidFont);
    painter.setPen(theme.colours.mutedText);
    painter.drawText(
        QRect(inner.left(), nameTop + nameMetrics.height(), width, tidMetrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, QString::number(lane.tid));
}

} // namespace inversight
