// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

namespace inversight {

namespace {

// Values below 2048 have a bucket each. Every further octave [1024 * 2^k, 2048 * 2^k), k = 1, 2, ..
// is cut into 1024 buckets of 2^k, so a bucket is never wider than 1/1024 of its values.
constexpr int kSubBucketBits = 10;
constexpr std::size_t kSubBuckets = std::size_t{1} << kSubBucketBits;
constexpr std::size_t kOctaves = 63 - (kSubBucketBits + 1);
constexpr std::size_t kBucketCount = 2 * kSubBuckets + kOctaves * kSubBuckets;

int octaveOf(std::uint64_t value) {
    return std::max(0, static_cast<int>(std::bit_width(value)) - (kSubBucketBits + 1));
}

std::size_t bucketOf(std::uint64_t value) {
    const int octave = octaveOf(value);
    return static_cast<std::size_t>(octave) * kSubBuckets +
           static_cast<std::size_t>(value >> octave);
}

int octaveOfBucket(std::size_t bucket) {
    return bucket < 2 * kSubBuckets ? 0 : static_cast<int>(bucket / kSubBuckets) - 1;
}

std::int64_t lowEdge(std::size_t bucket) {
    const int octave = octaveOfBucket(bucket);
    const std::size_t sub = bucket - static_cast<std::size_t>(octave) * kSubBuckets;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(sub) << octave);
}

std::int64_t highEdge(std::size_t bucket) {
    return lowEdge(bucket) + ((std::int64_t{1} << octaveOfBucket(bucket)) - 1);
}

// Values from a damaged trace may be anything; their sum must not be undefined.
std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// How many values a fraction of `count` values is, at least 1. The tolerance keeps 0.07 * 100,
/// which is 7.000000000000001 in binary, from asking for the eighth value.
std::uint64_t rankOf(double fraction, std::uint64_t count) {
    const double wanted = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count);
    const double tolerance = 4 * std::numeric_limits<double>::epsilon();
    const auto rank = static_cast<std::uint64_t>(std::ceil(wanted * (1 - tolerance)));
    return std::clamp<std::uint64_t>(rank, 1, count);
}

} // namespace

LatencyHistogram::LatencyHistogram() : counts_(kBucketCount, 0) {}

void LatencyHistogram::record(std::int64_t nanoseconds) {
    const std::int64_t value = std::max<std::int64_t>(nanoseconds, 0);
    ++counts_[bucketOf(static_cast<std::uint64_t>(value))];
    min_ = count_ == 0 ? value : std::min(min_, value);
    max_ = std::max(max_, value);
    sum_ = saturatingAdd(sum_, value);
    ++count_;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
    if (other.count_ == 0)
        return;
    for (std::size_t i = 0; i < kBucketCount; ++i)
        counts_[i] += other.counts_[i];
    min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    sum_ = saturatingAdd(sum_, other.sum_);
    count_ += other.count_;
}

std::int64_t LatencyHistogram::average() const {
    if (count_ == 0)
        return 0;
    const auto sum = static_cast<std::uint64_t>(sum_);
    const std::uint64_t remainder = sum % count_;
    const std::uint64_t roundUp = remainder >= count_ - remainder ? 1 : 0;
    return static_cast<std::int64_t>(sum / count_ + roundUp);
}

std::int64_t LatencyHistogram::percentile(double fraction) const {
    if (count_ == 0)
        return 0;
    const std::uint64_t rank = rankOf(fraction, count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBucketCount; ++i) {
        seen += counts_[i];
        if (seen >= rank)
            return std::min(highEdge(i), max_);
    }
    return max_;
}

std::vector<LatencyHistogram::Bucket> LatencyHistogram::buckets() const {
    std::vector<Bucket> result;
    for (std::size_t i = 0; i < kBucketCount; ++i) {
        if (counts_[i] > 0)
            result.push_back({lowEdge(i), highEdge(i), counts_[i]});
    }
    return result;
}

LatencyHistogram LatencyHistogram::restored(std::span<const Bucket> buckets, std::int64_t sum,
                                            std::int64_t min, std::int64_t max) {
    LatencyHistogram result;
    for (const Bucket& bucket : buckets) {
        result
            .counts_[bucketOf(static_cast<std::uint64_t>(std::max<std::int64_t>(bucket.low, 0)))] +=
            bucket.count;
        result.count_ += bucket.count;
    }
    result.sum_ = sum;
    result.min_ = min;
    result.max_ = max;
    return result;
}

} // namespace inversight
