// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_order.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QRect>

namespace inversight {

/// Draws a lane's header into `area`: name, thread id, and the class as a chip. Long names are
/// elided; the chip never is.
void paintLaneHeader(QPainter& painter, const Theme& theme, const QRect& area,
                     const LaneInfo& lane);

/// A rounded chip with text, right edge at `right`, vertically centred in `area`; returns its left
/// edge.
int paintChip(QPainter& painter, const Theme& theme, const QRect& area, int right,
              const QString& text, const QColor& fill, const QColor& ink);

} // namespace inversight
