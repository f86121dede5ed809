// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_arrangement.h"
#include "ui/theme/theme.h"

#include <optional>
#include <vector>

namespace inversight {

/// Where the rows of a timeline stand, in pixels from the first row's top, not scrolled. The lanes
/// that matter are as large as the height allows without scrolling; where it has to scroll, they
/// are as large as leaves a quarter of the height to the others. Thread-bound.
class RowLayout {
public:
    void rebuild(const std::vector<LaneRow>& rows, std::size_t pinnedRows, const TrackModel& model,
                 const ThemeSizes& sizes, int height);
    void clear() { *this = {}; }

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] int top(std::size_t row) const { return places_[row].top; }
    [[nodiscard]] int height(std::size_t row) const { return places_[row].height; }
    [[nodiscard]] const LaneLayout& layout(std::size_t row) const { return places_[row].layout; }
    [[nodiscard]] int contentHeight() const;
    /// Height of the rows that never scroll.
    [[nodiscard]] int pinnedHeight() const { return pinnedHeight_; }
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const;

private:
    enum class Density { Tall, Roomy, Compact };
    enum class Large { All, Leading };

    struct Place {
        int top = 0;
        int height = 0;
        LaneLayout layout;
    };

    /// Lays out with the first `largeCount` large rows in `density`, all others compact.
    void place(const std::vector<LaneRow>& rows, const TrackModel& model, const ThemeSizes& sizes,
               Density density, std::size_t largeCount, Large which);
    [[nodiscard]] static LaneLayout layoutOf(const LaneInfo& lane, const ThemeSizes& sizes,
                                             Density density);

    std::vector<Place> places_;
    int pinnedHeight_ = 0;
};

} // namespace inversight
