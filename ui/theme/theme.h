// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/thread_lane.h"
#include "trace/view/track_geometry.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <array>
#include <vector>

/// The one table of colours and sizes. Nothing else in the program names a colour or a size.
namespace inversight {

enum class ThemeKind { Light, Dark };

/// How a role is drawn: its area, its outline or line, and text that lies on the area.
struct RoleStyle {
    QColor fill;
    QColor edge;
    QColor text;
};

struct ThemeColours {
    QColor window; ///< behind everything
    QColor panel;  ///< headers, bars
    QColor lane;
    QColor laneLeading; ///< lanes of the workload's own threads
    QColor text;
    QColor mutedText;
    QColor separator;
    QColor grid;
    QColor accent; ///< the visible range's frame, selection
    QColor accentText;
    QColor chip;
    QColor chipText;
    QColor danger; ///< lost events, errors
    QColor dangerText;
    QColor good;
    QColor markerA; ///< the two markers of the timeline
    QColor markerB;
    QColor selection; ///< a selected range, translucent
    QColor arrow;
    std::vector<QColor> series; ///< curves, in order; line styles tell them apart too
};

struct ThemeSizes {
    LaneLayout laneCompact{};                                                ///< 44 px
    LaneLayout laneRoomy{.priority = 30, .state = 28, .lock = 12, .gap = 2}; ///< few lanes
    LaneLayout laneTall{.priority = 44, .state = 40, .lock = 16, .gap = 3};  ///< fewer still
    LaneLayout barCompact{.priority = 0, .state = 18, .lock = 0}; ///< a CPU or a bus, 22 px
    LaneLayout barRoomy{.priority = 0, .state = 26, .lock = 0, .gap = 2};
    LaneLayout lockCompact{.priority = 0, .state = 16, .lock = 10}; ///< 30 px
    LaneLayout lockRoomy{.priority = 0, .state = 22, .lock = 18, .gap = 2};
    int groupHeading = 22;
    std::size_t maxLargeLanes = 6;
    int laneHeader = 220;
    int ruler = 28;
    int tickSpacing = 110; ///< between labels of the ruler, at least
    int overview = 40;
    int legend = 26;
    int header = 58;
    int latency = 240;
    int minHeightWithLatency = 600; ///< of a picture; smaller ones show the timeline only
    int margin = 10;
    int spacing = 6;
    int chipPadding = 6;
    int chipRadius = 4;
    int swatchWidth = 22;
    int swatchHeight = 12;
    int notch = 5; ///< distance of notches and hatch lines
    int hatch = 6;
    int titleFont = 17; ///< pixels, as all fonts
    int bodyFont = 13;
    int smallFont = 11;
    int labelFont = 10;
    int windowWidth = 1600;
    int windowHeight = 900;
    int curveWidth = 2;
    double boostEdge = 1.6;
    int countChip = 3; ///< padding of the number of folded items
    int markerWidth = 2;
    int markerFlag = 16;
    int arrowHead = 6;
    int dock = 320;
    int findings = 240;
    int eventRow = 20;
    int axisTick = 62; ///< pixels a label of a plot's axis needs
    int legendLine = 24;
};

struct Theme {
    ThemeKind kind = ThemeKind::Light;
    ThemeColours colours;
    ThemeSizes sizes;
    std::array<RoleStyle, kThemeRoleCount> roles;
    std::array<RoleStyle, kTintCount> tints; ///< of equals, such as threads on CPUs

    [[nodiscard]] static const Theme& of(ThemeKind kind);

    [[nodiscard]] const RoleStyle& role(ThemeRole role) const {
        return roles[static_cast<std::size_t>(role)];
    }
    /// A tinted thing's look; the role's own for tint 0.
    [[nodiscard]] const RoleStyle& look(ThemeRole which, Tint tint) const {
        return tint == 0 ? role(which) : tints[(tint - 1U) % tints.size()];
    }
    [[nodiscard]] const QColor& series(std::size_t index) const {
        return colours.series[index % colours.series.size()];
    }
    [[nodiscard]] QPalette palette() const;
    /// The system's font in a size of the table.
    [[nodiscard]] QFont font(int pixels, QFont::Weight weight = QFont::Normal) const;
};

/// Fusion, the theme's palette and font for the whole application.
void applyTheme(const Theme& theme);

/// What a person with a colour blindness sees (Vienot, Brettel, Mollon, 1999): for choosing and
/// testing colours.
enum class ColourVision { Deuteranopia, Protanopia };
[[nodiscard]] QColor simulated(const QColor& value, ColourVision vision);

/// WCAG 2 contrast of two opaque colours, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

} // namespace inversight
