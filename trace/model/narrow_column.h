// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/segmented_column.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inversight {

/// 64-bit numbers that lie close together: within a segment of 4 Ki rows four bytes each, counted
/// from the segment's base in units of 1 << shift, or eight bytes where that does not hold them.
/// grow() lays out rows; then they are set, from several threads if each sets its own. Reentrant
/// once filled. Index cost: one shift, one mask, one branch that is the same for a whole segment.
class NarrowColumn {
public:
    static constexpr std::size_t kSegmentBits = 12;
    static constexpr std::size_t kSegmentRows = std::size_t{1} << kSegmentBits;

    /// What is known of the rows that grow() adds.
    struct Bounds {
        std::int64_t least = 0;
        std::int64_t most = 0;
        std::uint64_t bits = ~std::uint64_t{0}; ///< those that are set in any of them
    };
    /// Room for `size` rows. The unit is chosen by the first rows: 4 if all are multiples of it.
    void grow(std::size_t size, const Bounds& bounds);

    /// As of SegmentedColumn.
    void trim() {
        narrow_.trim();
        wide_.trim();
    }

    void set(std::size_t row, std::int64_t value) {
        const Segment& segment = segments_[row >> kSegmentBits];
        const std::size_t place = row & (kSegmentRows - 1);
        if (segment.narrow != nullptr)
            segment.narrow[place] = static_cast<std::uint32_t>(
                (static_cast<std::uint64_t>(value) - segment.base) >> shift_);
        else
            segment.wide[place] = value;
    }
    [[nodiscard]] std::int64_t operator[](std::size_t row) const {
        const Segment& segment = segments_[row >> kSegmentBits];
        const std::size_t place = row & (kSegmentRows - 1);
        if (segment.narrow != nullptr)
            return static_cast<std::int64_t>(segment.base +
                                             (std::uint64_t{segment.narrow[place]} << shift_));
        return segment.wide[place];
    }

private:
    struct Segment {
        std::uint64_t base = 0;
        std::uint32_t* narrow = nullptr; ///< into narrow_
        std::int64_t* wide = nullptr;    ///< into wide_
    };
    [[nodiscard]] bool fits(const Segment& segment, const Bounds& bounds) const;
    void widen(Segment& segment, std::size_t rows);
    template <class T>
    static T* grown(SegmentedColumn<T>& column) {
        constexpr std::size_t kRows = SegmentedColumn<T>::kSegmentRows;
        static_assert(kRows % kSegmentRows == 0);
        const std::size_t begin = column.size();
        column.resize(begin + kSegmentRows);
        return column.segment(begin / kRows) + begin % kRows;
    }

    unsigned shift_ = 0;
    std::size_t size_ = 0;
    std::vector<Segment> segments_;
    SegmentedColumn<std::uint32_t> narrow_;
    SegmentedColumn<std::int64_t> wide_;
};

} // namespace inversight
