// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/geometry_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace inversight {

namespace {

constexpr double kLabelPadding = 4;
constexpr int kSawDepth = 2; ///< pixels
/// Even the smallest share of a column is seen.
constexpr double kFaintest = 0.22;

QRectF rectOf(const GeometryRect& rect, QPointF origin) {
    return {origin.x() + rect.x, origin.y() + rect.y, rect.width, rect.height};
}

/// How opaque a mixed column is: full from half of the column on, so that a bar's last, shared
/// column does not look torn off; fainter the more is folded into it.
double opacityOf(std::uint8_t coverage) {
    return std::clamp(coverage / 127.5, kFaintest, 1.0);
}

} // namespace

PreparedGeometry GeometryPainter::prepare(TrackGeometry geometry, int width) const {
    PreparedGeometry prepared;
    for (const ColumnStrip& strip : geometry.strips)
        prepared.strips.push_back(stripImage(strip, width));
    prepared.geometry = std::move(geometry);
    return prepared;
}

QImage GeometryPainter::stripImage(const ColumnStrip& strip, int width) const {
    const int height = static_cast<int>(std::ceil(strip.height));
    QImage image(std::max(width, 1), std::max(height, 1), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    for (const PixelColumn& column : strip.columns) {
        if (column.x < 0 || column.x >= width)
            continue;
        const QColor& fill = theme_->look(column.role, column.tint).fill;
        const double alpha = fill.alphaF() * opacityOf(column.coverage);
        const QRgb pixel = qPremultiply(qRgba(fill.red(), fill.green(), fill.blue(),
                                              static_cast<int>(std::lround(alpha * 255))));
        int bottom = std::min<int>(column.bottom, height);
        // A saw's edge beneath: several items, not one.
        if (strip.detail == StripDetail::Folded && bottom - column.top > 2 * kSawDepth)
            bottom -= std::abs(column.x % (2 * kSawDepth) - kSawDepth);
        for (int y = column.top; y < bottom; ++y)
            reinterpret_cast<QRgb*>(image.scanLine(y))[column.x] = pixel;
    }
    return image;
}

void GeometryPainter::paint(QPainter& painter, const PreparedGeometry& prepared,
                            QPointF origin) const {
    const TrackGeometry& geometry = prepared.geometry;
    for (std::size_t i = 0; i < geometry.strips.size(); ++i)
        painter.drawImage(origin + QPointF(0, geometry.strips[i].y), prepared.strips[i]);
    for (const GeometryRect& rect : geometry.rects)
        paintRect(painter, rectOf(rect, origin), rect.role, rect.shape, rect.tint);
    for (const GeometryLine& line : geometry.lines) {
        painter.setPen(theme_->role(line.role).edge);
        painter.drawLine(origin + QPointF(line.x1, line.y1), origin + QPointF(line.x2, line.y2));
    }
    for (const GeometryLabel& label : geometry.labels)
        paintLabel(painter, label, origin);
}

void GeometryPainter::paintRect(QPainter& painter, const QRectF& area, ThemeRole role,
                                RectShape shape, Tint tint) const {
    const RoleStyle& style = theme_->look(role, tint);
    switch (shape) {
    case RectShape::Solid:
        painter.fillRect(area, style.fill);
        break;
    case RectShape::Filled:
        paintFramed(painter, area, style, Qt::SolidLine, true);
        break;
    case RectShape::Outline:
        paintFramed(painter, area, style, Qt::SolidLine, false);
        break;
    case RectShape::Dashed:
        paintFramed(painter, area, style, Qt::DashLine, role == ThemeRole::Boost);
        break;
    case RectShape::Notched:
        paintNotched(painter, area, style);
        break;
    case RectShape::Dotted:
        paintDotted(painter, area, style);
        break;
    case RectShape::Hatched:
        paintHatched(painter, area, style);
        break;
    }
}

void GeometryPainter::paintFramed(QPainter& painter, const QRectF& area, const RoleStyle& style,
                                  Qt::PenStyle pen, bool filled) const {
    if (area.height() < 2) {
        painter.setPen(QPen(style.edge, 1, pen));
        const double y = std::floor(area.top()) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        return;
    }
    if (filled)
        painter.fillRect(area, style.fill);
    if (area.width() < 2) {
        painter.fillRect(area, style.edge);
        return;
    }
    const double line = filled ? theme_->sizes.boostEdge : 1;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.edge, line, pen, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(area.adjusted(line / 2, line / 2, -line / 2, -line / 2));
}

void GeometryPainter::paintNotched(QPainter& painter, const QRectF& area,
                                   const RoleStyle& style) const {
    const double size = theme_->sizes.notch;
    if (area.width() < 2 * size || area.height() < 2 * size) {
        painter.fillRect(area, style.fill);
        return;
    }
    // A saw's edge: the shape that says "stuck" without its colour.
    QPainterPath path(area.bottomLeft());
    path.lineTo(area.topLeft() + QPointF(0, size / 2));
    const int teeth = static_cast<int>(area.width() / size);
    const double step = area.width() / teeth;
    for (int i = 0; i < teeth; ++i) {
        path.lineTo(area.left() + (i + 0.5) * step, area.top());
        path.lineTo(area.left() + (i + 1) * step, area.top() + size / 2);
    }
    path.lineTo(area.bottomRight());
    path.closeSubpath();
    painter.fillPath(path, style.fill);
}

void GeometryPainter::paintDotted(QPainter& painter, const QRectF& area,
                                  const RoleStyle& style) const {
    painter.fillRect(area, style.fill);
    if (area.width() < 4)
        return;
    painter.setPen(QPen(theme_->colours.laneLeading, 1, Qt::DotLine));
    const double y = std::floor(area.top()) + 0.5;
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
}

void GeometryPainter::paintHatched(QPainter& painter, const QRectF& area,
                                   const RoleStyle& style) const {
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    painter.fillRect(area, style.fill);
    painter.setPen(style.edge);
    const double step = theme_->sizes.hatch;
    // Lines through multiples of the step in the window's coordinates: neighbours line up.
    const double first = std::floor((area.left() - area.height()) / step) * step;
    for (double x = first; x < area.right(); x += step)
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x + area.height(), area.top()));
    painter.restore();
}

void GeometryPainter::paintCountGround(QPainter& painter, const QRectF& box, double width,
                                       double height) const {
    const RoleStyle& style = theme_->role(ThemeRole::FoldedCount);
    const double padding = theme_->sizes.countChip;
    const QRectF ground(box.left() - padding, box.center().y() - height / 2, width + 2 * padding,
                        height);
    painter.fillRect(ground, style.fill);
}

void GeometryPainter::paintLabel(QPainter& painter, const GeometryLabel& label,
                                 QPointF origin) const {
    const QRectF box(origin.x() + label.x + kLabelPadding, origin.y() + label.y,
                     label.width - 2 * kLabelPadding, label.height);
    // A boost is what the picture is about.
    QFont font = painter.font();
    font.setWeight(label.role == ThemeRole::Boost ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    if (box.width() <= 0 || box.height() < metrics.ascent())
        return;
    for (const std::string& text : label.texts) {
        const QString words = QString::fromStdString(text);
        if (metrics.horizontalAdvance(words) > box.width())
            continue;
        if (label.role == ThemeRole::FoldedCount)
            paintCountGround(painter, box, metrics.horizontalAdvance(words), metrics.height());
        painter.setPen(theme_->look(label.role, label.tint).text);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
        return;
    }
}

} // namespace inversight
