// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

namespace inversight {

/// Heights of a lane's parts, in pixels, top to bottom. The theme gives the values; a CPU or a bus
/// has only a bar (`state`), a lock its owner there and its queue below (`lock`).
struct LaneLayout {
    float priority = 14;
    float state = 18;
    float lock = 8;
    float gap = 1; ///< above, between and below the parts

    [[nodiscard]] float priorityTop() const { return gap; }
    [[nodiscard]] float stateTop() const { return priorityTop() + priority + gap; }
    [[nodiscard]] float lockTop() const { return stateTop() + state + gap; }
    [[nodiscard]] float height() const { return lockTop() + lock + gap; }
    bool operator==(const LaneLayout&) const = default;
};

} // namespace inversight
