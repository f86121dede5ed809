// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/segment_memory.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace inversight {

/// A growing array in segments of 64 Ki rows: appending never moves (but for the first few rows) or
/// doubles what is there, so peak memory stays near the final size. Rows of a segment that are not
/// written yet are not constructed either: a short column touches only the memory it uses. Index
/// cost: one shift, one mask. Thread-bound while it grows, reentrant once frozen; after resize()
/// different rows may be set from different threads.
template <class T>
class SegmentedColumn {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    static constexpr std::size_t kSegmentBits = 16;
    static constexpr std::size_t kSegmentRows = std::size_t{1} << kSegmentBits;

    SegmentedColumn() = default;
    SegmentedColumn(SegmentedColumn&& other) noexcept
        : blocks_(std::move(other.blocks_)), segments_(std::move(other.segments_)),
          size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
    SegmentedColumn& operator=(SegmentedColumn&& other) noexcept {
        blocks_.swap(other.blocks_);
        segments_.swap(other.segments_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }

    /// By value: it may be one of the column's own rows.
    void append(T value) {
        if (size_ == capacity_) [[unlikely]]
            addRoom();
        std::construct_at(segments_[size_ >> kSegmentBits] + (size_ & (kSegmentRows - 1)), value);
        ++size_;
    }
    /// Room for `size` rows, of which those behind the present ones hold nothing until set().
    void resize(std::size_t size) {
        assert(size >= size_);
        while (capacity_ < size)
            addBlock();
        size_ = size;
    }
    void set(std::size_t row, const T& value) {
        assert(row < size_);
        std::construct_at(segments_[row >> kSegmentBits] + (row & (kSegmentRows - 1)), value);
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T& operator[](std::size_t row) const {
        assert(row < size_);
        return segments_[row >> kSegmentBits][row & (kSegmentRows - 1)];
    }
    /// The rows of one segment, kSegmentRows of them laid out.
    [[nodiscard]] T* segment(std::size_t index) const { return segments_[index]; }
    /// Gives back the memory of rows beyond size(); the column must not grow any more.
    void trim() {
        if (blocks_.empty())
            return;
        const std::size_t first =
            blocks_.size() <= kOrdinarySegments
                ? segments_.size()
                : kOrdinarySegments + (blocks_.size() - kOrdinarySegments - 1) * kHugeSegments;
        const std::size_t rows = size_ - std::min(size_, first * kSegmentRows);
        blocks_.back().trim(rows * sizeof(T));
    }
    /// Empty, with its memory kept for what comes next.
    void rewind() { size_ = 0; }

private:
    /// Small traces stay in ordinary memory; what follows comes in whole huge pages.
    static constexpr std::size_t kOrdinarySegments = 1;
    static constexpr std::size_t kSegmentBytes = kSegmentRows * sizeof(T);
    /// As many as fill huge pages without a rest.
    static constexpr std::size_t kHugeSegments =
        SegmentMemory::kHugePage / std::gcd(SegmentMemory::kHugePage, kSegmentBytes);

    /// Most columns of a part of a CPU stay short.
    static constexpr std::size_t kShortRows = 2048;

    /// For append(): only there a first piece may be short, for resize() promises that rows stay
    /// where they are.
    [[gnu::noinline]] void addRoom() {
        if (capacity_ > 0)
            return addBlock();
        blocks_.emplace_back(kShortRows * sizeof(T), SegmentMemory::Pages::Ordinary);
        segments_.push_back(reinterpret_cast<T*>(blocks_.back().data()));
        capacity_ = kShortRows;
    }
    void lengthenShort() {
        SegmentMemory whole(kSegmentBytes, SegmentMemory::Pages::Ordinary);
        std::memcpy(whole.data(), blocks_.front().data(), size_ * sizeof(T));
        blocks_.front() = std::move(whole);
        segments_.front() = reinterpret_cast<T*>(blocks_.front().data());
        capacity_ = kSegmentRows;
    }
    void addBlock() {
        if (capacity_ == kShortRows)
            return lengthenShort();
        const bool huge = segments_.size() >= kOrdinarySegments;
        const std::size_t count = huge ? kHugeSegments : 1;
        blocks_.emplace_back(count * kSegmentBytes,
                             huge ? SegmentMemory::Pages::Huge : SegmentMemory::Pages::Ordinary);
        auto* rows = reinterpret_cast<T*>(blocks_.back().data());
        for (std::size_t index = 0; index < count; ++index)
            segments_.push_back(rows + index * kSegmentRows);
        capacity_ = segments_.size() * kSegmentRows;
    }

    std::vector<SegmentMemory> blocks_;
    std::vector<T*> segments_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0; ///< rows there is room for
};

/// The first row in [first, last) whose value is not less than `value`, by binary search; rows are
/// ascending. last if there is none. Complexity: O(log(last - first)).
template <class Column, class T>
[[nodiscard]] std::size_t lowerBound(const Column& column, std::size_t first, std::size_t last,
                                     const T& value) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (column[middle] < value)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

} // namespace inversight
