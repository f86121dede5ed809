// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/parts_bar.h"

#include "trace/view/time_scale.h"
#include "ui/timeline/geometry_painter.h"

#include <QPainter>
#include <algorithm>

namespace inversight {

PartsBar::PartsBar(QWidget* parent) : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)) {
    setAccessibleName(tr("Parts of the time"));
    resizeToParts();
}

void PartsBar::setTheme(const Theme& theme) {
    theme_ = &theme;
    resizeToParts();
    update();
}

void PartsBar::setParts(std::vector<TimePart> parts, ClockUnit unit) {
    std::erase_if(parts, [](const TimePart& part) { return part.length <= 0; });
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.length > b.length; });
    parts_ = std::move(parts);
    unit_ = unit;
    resizeToParts();
    update();
}

void PartsBar::resizeToParts() {
    const int lines = static_cast<int>(parts_.size());
    setFixedHeight(
        parts_.empty() ? 0 : (lines + 1) * theme_->sizes.eventRow + 2 * theme_->sizes.spacing);
}

void PartsBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeSizes& sizes = theme_->sizes;
    std::int64_t whole = 0;
    for (const TimePart& part : parts_)
        whole += part.length;
    const GeometryPainter geometry(*theme_);
    const double width = std::max(this->width() - 2 * sizes.margin, 1);
    double x = sizes.margin;
    int top = sizes.eventRow + sizes.spacing;
    painter.setFont(theme_->font(sizes.smallFont));
    for (const TimePart& part : parts_) {
        const double share = static_cast<double>(part.length) / static_cast<double>(whole);
        geometry.paintRect(painter, QRectF(x, sizes.spacing / 2.0, width * share, sizes.eventRow),
                           part.role, part.shape);
        x += width * share;
        geometry.paintRect(painter,
                           QRectF(sizes.margin, top + (sizes.eventRow - sizes.swatchHeight) / 2.0,
                                  sizes.swatchWidth, sizes.swatchHeight),
                           part.role, part.shape);
        painter.setPen(theme_->colours.text);
        const int left = sizes.margin + sizes.swatchWidth + sizes.spacing;
        painter.drawText(
            QRect(left, top, this->width() - left, sizes.eventRow),
            Qt::AlignLeft | Qt::AlignVCenter,
            tr("%1 %2 (%3 %)")
                .arg(QString::fromStdString(formatSpan(part.length, unit_)), part.words)
                .arg(100 * share, 0, 'f', 1));
        top += sizes.eventRow;
    }
}

} // namespace inversight
