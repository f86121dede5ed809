// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/time_scale.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// Finds and sums the intervals of a bar so that a query's cost follows pixels, not events.
///
/// `Interval` has a `TimeRange range`; `laneKind(interval)`, found by argument-dependent lookup,
/// gives its kind in [0, KindCount). Intervals are ascending, do not overlap and are not empty;
/// gaps are allowed. Every 2^5 intervals the time per kind up to there is kept, so the time per
/// kind in any range is the difference of two sums that each read at most 32 intervals. Borrows the
/// intervals. Reentrant; O(n) to build, O(log n + 32) a sum.
template <class Interval, std::size_t KindCount>
class LaneIndex {
public:
    static constexpr std::size_t kBlockBits = 5;
    static constexpr std::size_t kKindCount = KindCount;
    using Totals = std::array<std::int64_t, KindCount>;

    LaneIndex() = default;
    explicit LaneIndex(std::span<const Interval> intervals) : intervals_(intervals) {
        blocks_.reserve((intervals.size() >> kBlockBits) + 1);
        Totals sum{};
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            if ((i & (kBlock - 1)) == 0)
                blocks_.push_back(sum);
            sum[laneKind(intervals[i])] += intervals[i].range.length();
        }
    }

    [[nodiscard]] std::size_t size() const { return intervals_.size(); }
    [[nodiscard]] const Interval& operator[](std::size_t i) const { return intervals_[i]; }

    /// The first interval at or after `from` that ends after `time`; size() if there is none.
    /// Galloping: O(log distance).
    [[nodiscard]] std::size_t firstEndingAfter(std::int64_t time, std::size_t from = 0) const {
        std::size_t reach = 1;
        std::size_t low = from;
        while (low + reach <= size() && intervals_[low + reach - 1].range.end <= time) {
            low += reach;
            reach *= 2;
        }
        const auto first = intervals_.begin() + static_cast<std::ptrdiff_t>(low);
        const auto last =
            intervals_.begin() + static_cast<std::ptrdiff_t>(std::min(size(), low + reach));
        const auto found = std::partition_point(
            first, last, [time](const Interval& interval) { return interval.range.end <= time; });
        return static_cast<std::size_t>(found - intervals_.begin());
    }

    /// The interval at `time`, or null.
    [[nodiscard]] const Interval* at(std::int64_t time) const {
        const std::size_t i = firstEndingAfter(time);
        return i < size() && intervals_[i].range.begin <= time ? &intervals_[i] : nullptr;
    }

    /// Time per kind before `time`, where `next` == firstEndingAfter(time).
    [[nodiscard]] Totals totalsBefore(std::int64_t time, std::size_t next) const {
        // The block of the last interval that may count, so that next == size() has one.
        const std::size_t block = (next == size() && next > 0 ? next - 1 : next) >> kBlockBits;
        Totals sum = block < blocks_.size() ? blocks_[block] : Totals{};
        for (std::size_t i = block << kBlockBits; i < next; ++i)
            sum[laneKind(intervals_[i])] += intervals_[i].range.length();
        if (next < size() && intervals_[next].range.begin < time)
            sum[laneKind(intervals_[next])] += time - intervals_[next].range.begin;
        return sum;
    }

    /// Time per kind in `range`.
    [[nodiscard]] Totals totals(const TimeRange& range) const {
        const std::size_t first = firstEndingAfter(range.begin);
        const std::size_t last = firstEndingAfter(range.end, first);
        return difference(totalsBefore(range.end, last), totalsBefore(range.begin, first));
    }

    [[nodiscard]] static Totals difference(Totals later, const Totals& earlier) {
        for (std::size_t kind = 0; kind < KindCount; ++kind)
            later[kind] -= earlier[kind];
        return later;
    }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << kBlockBits;

    std::span<const Interval> intervals_;
    std::vector<Totals> blocks_;
};

/// Cuts the visible part of a bar into what a painter needs. Each pixel column that any interval
/// touches is reported once, left to right:
///  - `onRun(index, firstColumn, lastColumn)`: columns that this interval alone touches;
///  - `onColumn(column, totals, first, last)`: a column that intervals first..last-1 touch, two or
///    more of them, with the time of each kind in it.
/// O(width x (log n + 32)) whatever the number of intervals.
template <class Index, class OnRun, class OnColumn>
void foldColumns(const Index& index, const TimeScale& scale, OnRun&& onRun, OnColumn&& onColumn) {
    std::size_t i = index.firstEndingAfter(scale.range.begin);
    int column = 0;
    while (i < index.size() && index[i].range.begin < scale.range.end && column < scale.width) {
        const auto beginColumn = scale.columnOf(index[i].range.begin);
        column = std::max(column, static_cast<int>(std::max<std::int64_t>(beginColumn, 0)));
        const TimeRange slot = scale.columnRange(column);
        if (i + 1 < index.size() && index[i + 1].range.begin < slot.end) {
            const std::size_t next = index.firstEndingAfter(slot.end, i);
            const std::size_t last =
                next < index.size() && index[next].range.begin < slot.end ? next + 1 : next;
            onColumn(column,
                     Index::difference(index.totalsBefore(slot.end, next),
                                       index.totalsBefore(slot.begin, i)),
                     i, last);
            i = next;
            ++column;
            continue;
        }
        const std::int64_t end = std::min(index[i].range.end, scale.range.end);
        int lastColumn = static_cast<int>(scale.columnOf(end - 1));
        // The column in which it ends belongs to it only if the next interval begins later.
        if (i + 1 < index.size() && index[i + 1].range.begin < scale.columnRange(lastColumn).end)
            --lastColumn;
        onRun(i, column, lastColumn);
        column = lastColumn + 1;
        i = index.firstEndingAfter(scale.columnBegin(column), i);
    }
}

/// The kind that a mixed column shows: the one with most time, quiet kinds only when no other has
/// any. `isQuiet(kind)` says which are quiet.
template <class Totals, class IsQuiet>
[[nodiscard]] std::size_t dominantKind(const Totals& totals, IsQuiet&& isQuiet) {
    std::size_t best = 0;
    bool bestLoud = false;
    for (std::size_t kind = 0; kind < totals.size(); ++kind) {
        const bool loud = totals[kind] > 0 && !isQuiet(kind);
        if (loud > bestLoud || (loud == bestLoud && totals[kind] > totals[best])) {
            best = kind;
            bestLoud = loud;
        }
    }
    return best;
}

/// The share `part` of `whole` as 1..255.
[[nodiscard]] inline std::uint8_t coverageOf(std::int64_t part, std::int64_t whole) {
    const double share = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1.0;
    return static_cast<std::uint8_t>(std::clamp(share * 255.0 + 0.5, 1.0, 255.0));
}

} // namespace inversight
