// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_geometry.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <vector>

namespace inversight {

/// A geometry ready for painting: its strips as images. Made when the view changes, so that a paint
/// only replays.
struct PreparedGeometry {
    TrackGeometry geometry;
    std::vector<QImage> strips; ///< one per geometry.strips, `width` pixels wide
};

/// Replays geometry with a theme's colours: on a widget, an image, SVG or PDF. Reentrant.
class GeometryPainter {
public:
    explicit GeometryPainter(const Theme& theme) : theme_(&theme) {}

    [[nodiscard]] PreparedGeometry prepare(TrackGeometry geometry, int width) const;
    void paint(QPainter& painter, const PreparedGeometry& prepared, QPointF origin) const;

    /// One rectangle of a role, also for legends.
    void paintRect(QPainter& painter, const QRectF& area, ThemeRole role, RectShape shape,
                   Tint tint = 0) const;

private:
    [[nodiscard]] QImage stripImage(const ColumnStrip& strip, int width) const;
    void paintNotched(QPainter& painter, const QRectF& area, const RoleStyle& style) const;
    void paintDotted(QPainter& painter, const QRectF& area, const RoleStyle& style) const;
    void paintHatched(QPainter& painter, const QRectF& area, const RoleStyle& style) const;
    void paintFramed(QPainter& painter, const QRectF& area, const RoleStyle& style,
                     Qt::PenStyle pen, bool filled) const;
    /// What lies under a number, so that it reads on any bar.
    void paintCountGround(QPainter& painter, const QRectF& box, double width, double height) const;
    void paintLabel(QPainter& painter, const GeometryLabel& label, QPointF origin) const;

    const Theme* theme_;
};

} // namespace inversight
