// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// A high dynamic range histogram of non-negative durations in ns.
///
/// Values below 2048 ns are exact; above, a bucket is at most 1/1024 of its value wide (three
/// significant digits, as HdrHistogram's log-linear layout). Count, sum, min and max are exact.
/// `record` neither locks nor allocates (storage is made in the constructor): it may be called on
/// the hot path of an RT thread. Negative values count as 0. Thread-bound; merge to combine.
class LatencyHistogram {
public:
    LatencyHistogram();

    void record(std::int64_t nanoseconds);
    void merge(const LatencyHistogram& other);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::int64_t min() const { return count_ ? min_ : 0; }
    [[nodiscard]] std::int64_t max() const { return count_ ? max_ : 0; }
    [[nodiscard]] std::int64_t sum() const { return sum_; }
    /// Rounded to nearest; 0 when empty.
    [[nodiscard]] std::int64_t average() const;

    /// The smallest recorded magnitude that at least `fraction` (0..1) of the values do not exceed:
    /// the upper edge of its bucket, never above max(). 0 when empty.
    [[nodiscard]] std::int64_t percentile(double fraction) const;

    /// A non-empty bucket: values in [low, high].
    struct Bucket {
        std::int64_t low = 0;
        std::int64_t high = 0;
        std::uint64_t count = 0;
    };
    [[nodiscard]] std::vector<Bucket> buckets() const;

    /// What buckets(), sum(), min() and max() of another histogram make up again. Buckets that are
    /// not of this layout are counted where their low edge belongs.
    [[nodiscard]] static LatencyHistogram
    restored(std::span<const Bucket> buckets, std::int64_t sum, std::int64_t min, std::int64_t max);

private:
    std::vector<std::uint64_t> counts_;
    std::uint64_t count_ = 0;
    std::int64_t sum_ = 0;
    std::int64_t min_ = 0;
    std::int64_t max_ = 0;
};

} // namespace inversight
