// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/timeline/legend.h"

#include "ui/timeline/geometry_painter.h"

#include <QFontMetrics>
#include <algorithm>
#include <cmath>

namespace inversight {

Legend::Legend(QWidget* parent) : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)) {
    entries_ = {{ThemeRole::Running, RectShape::Solid, 1, tr("running")},
                {ThemeRole::Runnable, RectShape::Solid, 0.67, tr("waits for a CPU")},
                {ThemeRole::BlockedLock, RectShape::Notched, 0.67, tr("blocked (lock: owner)")},
                {ThemeRole::Wire, RectShape::Dotted, 0.5, tr("on the bus")},
                {ThemeRole::Uninterruptible, RectShape::Solid, 0.5, tr("uninterruptible")},
                {ThemeRole::Sleeping, RectShape::Solid, 0.1, tr("sleeping")},
                {ThemeRole::Boost, RectShape::Filled, 1, tr("boosted \u2190 by whom")},
                {ThemeRole::Hold, RectShape::Solid, 0.5, tr("holds a lock")},
                {ThemeRole::Wait, RectShape::Outline, 0.5, tr("waits for a lock")},
                {ThemeRole::Lost, RectShape::Hatched, 1, tr("events lost")}};
    setFixedHeight(theme_->sizes.legend);
}

void Legend::setTheme(const Theme& theme) {
    theme_ = &theme;
    setFixedHeight(places(width()).back().y() + theme.sizes.legend);
    update();
}

int Legend::entryWidth(const Entry& entry) const {
    const QFontMetrics metrics(theme_->font(theme_->sizes.smallFont));
    return theme_->sizes.swatchWidth + theme_->sizes.spacing +
           metrics.horizontalAdvance(entry.words) + 2 * theme_->sizes.margin;
}

std::vector<QPoint> Legend::places(int width) const {
    std::vector<QPoint> points;
    QPoint at(theme_->sizes.margin, 0);
    for (const Entry& entry : entries_) {
        const int needed = entryWidth(entry);
        if (at.x() > theme_->sizes.margin && at.x() + needed > width)
            at = QPoint(theme_->sizes.margin, at.y() + theme_->sizes.legend);
        points.push_back(at);
        at.rx() += needed;
    }
    points.push_back(at);
    return points;
}

void Legend::resizeEvent(QResizeEvent*) {
    setFixedHeight(places(width()).back().y() + theme_->sizes.legend);
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_->colours.panel);
    painter.setFont(theme_->font(theme_->sizes.smallFont));
    const GeometryPainter geometry(*theme_);
    const std::vector<QPoint> corners = places(width());
    const ThemeSizes& sizes = theme_->sizes;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        const QPoint corner = corners[i];
        const double height = std::max(1.0, std::round(sizes.swatchHeight * entry.share));
        const double bottom = corner.y() + (sizes.legend + sizes.swatchHeight) / 2.0;
        geometry.paintRect(painter, QRectF(corner.x(), bottom - height, sizes.swatchWidth, height),
                           entry.role, entry.shape);
        painter.setPen(theme_->colours.text);
        painter.drawText(QRect(corner.x() + sizes.swatchWidth + sizes.spacing, corner.y(),
                               entryWidth(entry), sizes.legend),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.words);
    }
}

} // namespace inversight
