// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace inversight {

/// A growing array in segments of 64 Ki rows: appending never moves or doubles what is there, so
/// peak memory stays near the final size. Rows of a segment that are not appended yet are not
/// constructed either: a short column touches only the memory it uses. Index cost: one shift, one
/// mask. Thread-bound while it grows, reentrant once frozen.
template <class T>
class SegmentedColumn {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::size_t kSegmentBits = 16;
    static constexpr std::size_t kSegmentRows = std::size_t{1} << kSegmentBits;

    void append(const T& value) {
        if ((size_ & (kSegmentRows - 1)) == 0)
            segments_.emplace_back(std::allocator<T>().allocate(kSegmentRows));
        std::construct_at(segments_.back().get() + (size_ & (kSegmentRows - 1)), value);
        ++size_;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T& operator[](std::size_t row) const {
        assert(row < size_);
        return segments_[row >> kSegmentBits].get()[row & (kSegmentRows - 1)];
    }
    void clear() {
        segments_.clear();
        size_ = 0;
    }

private:
    struct Free {
        void operator()(T* rows) const { std::allocator<T>().deallocate(rows, kSegmentRows); }
    };

    std::vector<std::unique_ptr<T, Free>> segments_;
    std::size_t size_ = 0;
};

} // namespace inversight
