// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What a picture consists of, in pixels and in meaning. The lower side says what a thing is; only
/// the theme (ui/theme) knows colours. Replayed by a painter on screen, into SVG or into PDF.
namespace inversight {

/// What a drawn thing means.
enum class ThemeRole : std::uint8_t {
    Running,
    Runnable,
    BlockedLock,
    Wire,
    Uninterruptible,
    Sleeping,
    Stopped,
    Dead,
    Unknown,
    BasePriority,
    Boost,
    NominalBoost,
    Hold,
    Wait,
    Lost,
    Load,
    BoostTick,
    CpuRun,        ///< who runs on a CPU: tinted
    LockHeld,      ///< a lock with an owner
    LockContended, ///< ... and somebody who waits
    LockUrgent,    ///< ... somebody who waits with a higher priority than the owner's
    Queue,         ///< waiters of a lock, one sliver each
    Inversion,     ///< over the victim's lane
    Throttled,
    Interrupt,
    InversionTick,
    FoldedCount, ///< how many items a stretch of folded columns stands for
};
inline constexpr std::size_t kThemeRoleCount = 27;

/// Which of many equals a thing is (a thread on a CPU): 1..kTintCount, 0 = none. The theme gives
/// each a look; equals far apart may share one.
using Tint = std::uint8_t;
inline constexpr std::size_t kTintCount = 8;

/// How it is drawn: shape tells what colour tells.
enum class RectShape : std::uint8_t {
    Solid,
    Filled,  ///< translucent with a solid outline
    Outline, ///< outline only
    Notched, ///< solid, the top edge has notches
    Dotted,  ///< solid, with a dotted edge
    Hatched, ///< 45 degree lines
    Dashed,  ///< dashed outline
};

struct GeometryRect {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
    ThemeRole role = ThemeRole::Unknown;
    RectShape shape = RectShape::Solid;
    Tint tint = 0;
    bool operator==(const GeometryRect&) const = default;
};

struct GeometryLine {
    float x1 = 0;
    float y1 = 0;
    float x2 = 0;
    float y2 = 0;
    ThemeRole role = ThemeRole::Unknown;
    bool operator==(const GeometryLine&) const = default;
};

/// Text inside a box: the first of `texts` (longest first) that fits is drawn, else none.
struct GeometryLabel {
    float x = 0;
    float y = 0;
    float width = 0;
    float height = 0;
    ThemeRole role = ThemeRole::Unknown;
    std::vector<std::string> texts;
    Tint tint = 0;
    bool operator==(const GeometryLabel&) const = default;
};

/// A pixel column that holds more than one interval: the role that covers most of it (sleep and
/// other quiet roles only when nothing else is there) and how much of the column's time, 1..255,
/// that role has. Drawn from `top` to `bottom`, in pixels below the strip's y.
struct PixelColumn {
    std::int32_t x = 0;
    ThemeRole role = ThemeRole::Unknown;
    std::uint8_t coverage = 0;
    std::uint8_t top = 0;
    std::uint8_t bottom = 0;
    Tint tint = 0;
    bool operator==(const PixelColumn&) const = default;
};

/// Whether a strip's columns stand for several items each (and are drawn so that nobody takes them
/// for one), or are what they look like.
enum class StripDetail : std::uint8_t { Folded, Exact };

/// Columns of one bar, ascending in x, replayed as one image.
struct ColumnStrip {
    float y = 0;
    float height = 0;
    std::vector<PixelColumn> columns;
    StripDetail detail = StripDetail::Folded;
    bool operator==(const ColumnStrip&) const = default;
};

/// Drawn in this order: strips, rects, lines, labels. A pixel column is either in rects or in a
/// strip of a bar, never in both.
struct TrackGeometry {
    std::vector<ColumnStrip> strips;
    std::vector<GeometryRect> rects;
    std::vector<GeometryLine> lines;
    std::vector<GeometryLabel> labels;
    bool operator==(const TrackGeometry&) const = default;
};

} // namespace inversight
