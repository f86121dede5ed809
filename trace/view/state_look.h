// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/thread_states.h"
#include "trace/view/track_geometry.h"

#include <array>
#include <cmath>
#include <optional>

namespace inversight {

/// How a state is drawn in a state bar. Bars stand on the bar's bottom edge.
struct StateLook {
    ThemeRole role = ThemeRole::Unknown;
    std::optional<RectShape> shape; ///< none: nothing is drawn
    float share = 1;                ///< of the bar's height; 0 = a hairline
    bool quiet = false;             ///< gives way to any other state in a mixed column

    /// Pixels between the bar's top and this state's top, whole.
    [[nodiscard]] float top(float barHeight) const {
        return share > 0 ? std::round(barHeight * (1 - share)) : barHeight - 1;
    }
};

[[nodiscard]] inline const StateLook& stateLook(ThreadState state) {
    static constexpr float kTwoThirds = 2.0F / 3;
    static constexpr std::array<StateLook, kThreadStateCount> looks{{
        {ThemeRole::Running, RectShape::Solid, 1},
        {ThemeRole::Runnable, RectShape::Solid, kTwoThirds},
        {ThemeRole::Runnable, RectShape::Solid, kTwoThirds},
        {ThemeRole::BlockedLock, RectShape::Notched, kTwoThirds},
        {ThemeRole::Wire, RectShape::Dotted, 0.5F},
        {ThemeRole::Sleeping, RectShape::Solid, 0, true},
        {ThemeRole::Uninterruptible, RectShape::Solid, 0.5F},
        {ThemeRole::Sleeping, RectShape::Solid, 0, true},
        {ThemeRole::Stopped, RectShape::Outline, 0.5F},
        {ThemeRole::Dead, std::nullopt, 0, true},
        {ThemeRole::Unknown, RectShape::Dashed, 0, true},
    }};
    return looks[static_cast<std::size_t>(state)];
}

} // namespace inversight
