// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/narrow_column.h"

#include <algorithm>
#include <limits>

namespace inversight {

bool NarrowColumn::fits(const Segment& segment, const Bounds& bounds) const {
    const std::uint64_t unitMask = (std::uint64_t{1} << shift_) - 1;
    if (((bounds.bits | segment.base) & unitMask) != 0)
        return false;
    // Below the base the difference wraps and is as large as one can be.
    const auto distance = [&](std::int64_t value) {
        return (static_cast<std::uint64_t>(value) - segment.base) >> shift_;
    };
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return bounds.least >= static_cast<std::int64_t>(segment.base) &&
           distance(bounds.least) <= kMost && distance(bounds.most) <= kMost;
}

void NarrowColumn::widen(Segment& segment, std::size_t rows) {
    Segment wide{segment.base, nullptr, grown(wide_)};
    for (std::size_t row = 0; row < rows; ++row)
        wide.wide[row] = static_cast<std::int64_t>(segment.base +
                                                   (std::uint64_t{segment.narrow[row]} << shift_));
    segment = wide;
}

void NarrowColumn::grow(std::size_t size, const Bounds& bounds) {
    if (size_ == 0)
        shift_ = bounds.bits % 4 == 0 ? 2 : 0;
    const std::size_t used = size_ & (kSegmentRows - 1);
    if (used != 0 && size > size_ && segments_.back().narrow != nullptr &&
        !fits(segments_.back(), bounds))
        widen(segments_.back(), used);
    while (segments_.size() * kSegmentRows < size) {
        Segment segment{static_cast<std::uint64_t>(bounds.least), nullptr, nullptr};
        if (fits(segment, bounds))
            segment.narrow = grown(narrow_);
        else
            segment.wide = grown(wide_);
        segments_.push_back(segment);
    }
    size_ = std::max(size_, size);
}

} // namespace inversight
