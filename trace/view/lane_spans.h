// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inversight {

/// A piece of a bar: what is shown (`kind`, the bar's own numbering) and which item it stands for.
struct LaneSpan {
    TimeRange range;
    std::uint32_t item = 0;
    std::uint8_t kind = 0;
    bool operator==(const LaneSpan&) const = default;
};

[[nodiscard]] inline std::size_t laneKind(const LaneSpan& span) {
    return span.kind;
}

/// Makes spans that may overlap into the ascending, non-overlapping, non-empty spans that a bar can
/// draw: at each instant the open span with the greatest kind shows, of equal kinds the one that
/// began last (the inner one). O(n log n).
[[nodiscard]] std::vector<LaneSpan> flattenSpans(std::vector<LaneSpan> spans);

} // namespace inversight
