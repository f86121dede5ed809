// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace inversight {

/// The last of `count` rows, in order of their begins, that begins at or before `time`; `count` if
/// none does. The search starts at `hint` and leaves it where the answer is: O(log distance), so
/// that questions in nearly ascending order cost next to nothing.
template <class BeginOf>
[[nodiscard]] std::size_t lastBegunAt(std::size_t count, std::int64_t time, std::size_t& hint,
                                      BeginOf beginOf) {
    if (count == 0 || beginOf(0) > time) {
        hint = 0;
        return count;
    }
    std::size_t low = std::min(hint, count - 1);
    std::size_t high = count;
    std::size_t step = 1;
    if (beginOf(low) <= time) {
        for (; low + step < count && beginOf(low + step) <= time; step *= 2)
            low += step;
        high = std::min(low + step, count);
    } else {
        for (; beginOf(low) > time; step *= 2) {
            high = low;
            low = low > step ? low - step : 0;
        }
    }
    while (high - low > 1) { // beginOf(low) <= time < beginOf(high)
        const std::size_t middle = low + (high - low) / 2;
        (beginOf(middle) <= time ? low : high) = middle;
    }
    hint = low;
    return low;
}

} // namespace inversight
