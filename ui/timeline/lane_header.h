// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_info.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QRect>

namespace inversight {

/// What is special about a lane at the moment.
struct HeaderMarks {
    bool pinned = false;
    bool current = false; ///< keys are about it
    bool linked = false;  ///< responsible for what is hovered
};

/// Draws a lane's header into `area`: name, what tells it apart (thread id, number of holds), and
/// the class as a chip. Long names are elided; the chip never is. Low lanes have one line.
void paintLaneHeader(QPainter& painter, const Theme& theme, const QRect& area, const LaneInfo& lane,
                     const HeaderMarks& marks);

struct HeadingMarks {
    bool collapsed = false;
    bool current = false;
};

/// Draws a group's heading over the whole width.
void paintGroupHeading(QPainter& painter, const Theme& theme, const QRect& area,
                       const QString& text, const HeadingMarks& marks);

/// "fifo-99", "CPU 0", "i2c-2 bus lock": a lane's name in words.
[[nodiscard]] QString laneName(const LaneInfo& lane);

/// A rounded chip with text, right edge at `right`, vertically centred in `area`; returns its left
/// edge.
int paintChip(QPainter& painter, const Theme& theme, const QRect& area, int right,
              const QString& text, const QColor& fill, const QColor& ink);

} // namespace inversight
