// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/clock_domain.h"
#include "trace/model/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// The mapping between time and pixel columns: `range` is shown on columns 0..width-1. Integer
/// arithmetic throughout, so that neighbouring columns share exactly one edge and a bar neither
/// breaks nor fuses because of a rounding error. Passive data; make it with `of`.
///
/// Invariant: width >= 1 and range.length() >= width, so a column is at least one time unit wide.
struct TimeScale {
    TimeRange range{0, 1};
    int width = 1;

    /// Widens a range that is shorter than `width` units around its middle.
    [[nodiscard]] static TimeScale of(TimeRange range, int width);

    /// The first instant of a column: the smallest t with columnOf(t) == column.
    [[nodiscard]] std::int64_t columnBegin(int column) const;
    /// [columnBegin(column), columnBegin(column + 1)), never empty.
    [[nodiscard]] TimeRange columnRange(int column) const;
    /// The column that holds `time`; below 0 or above width - 1 for times outside of the range.
    [[nodiscard]] std::int64_t columnOf(std::int64_t time) const;
    /// Where `time` is drawn, in pixels from the left edge; for lines and labels, not for bars.
    [[nodiscard]] double positionOf(std::int64_t time) const;
    [[nodiscard]] double timePerPixel() const;

    bool operator==(const TimeScale&) const = default;
};

/// What a view may show: nothing outside of `whole` beyond the slack that a very short trace needs.
/// `whole` is never shortened; a range is moved into it, and cut to it when it is longer.
[[nodiscard]] TimeRange clampRange(TimeRange range, TimeRange whole, std::int64_t minLength);

/// `range` made `factor` times as long (0.5 zooms in) such that `anchor` keeps its relative place.
[[nodiscard]] TimeRange zoomRange(TimeRange range, std::int64_t anchor, double factor);

/// `range` moved by a number of time units; saturates at the ends of int64.
[[nodiscard]] TimeRange panRange(TimeRange range, std::int64_t offset);

/// A range in which `item` takes the middle third.
[[nodiscard]] TimeRange frameRange(TimeRange item);

struct RulerTick {
    double x = 0;
    std::int64_t time = 0;
    bool major = false;
    std::string label; ///< major ticks only
};

/// Ticks at round times relative to `origin`, major ones at least `minSpacing` pixels apart, five
/// or four minor steps between them. Labels use the unit that fits the range and as many decimals
/// as tell neighbours apart: "213.5 ms".
[[nodiscard]] std::vector<RulerTick> rulerTicks(const TimeScale& scale, std::int64_t origin,
                                                int minSpacing, ClockUnit unit);

/// A duration in the clock's unit: formatDuration for ns, "1234 ticks" for others.
[[nodiscard]] std::string formatSpan(std::int64_t length, ClockUnit unit);

} // namespace inversight
