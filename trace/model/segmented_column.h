// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace inversight {

/// A growing array in segments of 64 Ki rows: appending never moves or doubles what is there, so
/// peak memory stays near the final size. Index cost: one shift, one mask. Thread-bound while it
/// grows, reentrant once frozen.
template <class T>
class SegmentedColumn {
public:
    static constexpr std::size_t kSegmentBits = 16;
    static constexpr std::size_t kSegmentRows = std::size_t{1} << kSegmentBits;

    void append(const T& value) {
        if ((size_ & (kSegmentRows - 1)) == 0)
            segments_.push_back(std::make_unique_for_overwrite<T[]>(kSegmentRows));
        segments_.back()[size_ & (kSegmentRows - 1)] = value;
        ++size_;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T& operator[](std::size_t row) const {
        assert(row < size_);
        return segments_[row >> kSegmentBits][row & (kSegmentRows - 1)];
    }
    void clear() {
        segments_.clear();
        size_ = 0;
    }

private:
    std::vector<std::unique_ptr<T[]>> segments_;
    std::size_t size_ = 0;
};

} // namespace inversight
