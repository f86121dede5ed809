// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Whether two sets of runs differ, and by how much.
namespace inversight {

enum class LatencyMetric { Average, P50, P99, P99_9, Max };

/// "avg", "p50", "p99", "p99.9", "max".
[[nodiscard]] const char* latencyMetricName(LatencyMetric metric);

/// The latencies of one thread in one run, in the order of its operations.
struct LatencySeries {
    std::vector<std::int64_t> latencies; ///< ns
    std::int64_t spanNs = 0;             ///< from the first operation's begin to the last one's end
};

/// One run: a series per thread.
using RunSample = std::vector<LatencySeries>;

/// The metric of some latencies, in no order that matters; 0 if there are none.
[[nodiscard]] double latencyMetric(std::span<const std::int64_t> latencies, LatencyMetric metric);

/// What is drawn at random to find out what chance alone would do.
enum class ComparisonUnit {
    Run,   ///< each side has runs enough: latencies of one run depend on each other, runs do not
    Block, ///< stretches of operations; a single run's own luck stays hidden
    None,  ///< too few operations for either
};

/// In percent of the value before.
struct PercentInterval {
    double low = 0;
    double high = 0;
    bool operator==(const PercentInterval&) const = default;
};

struct ComparisonRow {
    std::size_t thread = 0; ///< of the runs
    LatencyMetric metric = LatencyMetric::Average;
    double before = 0; ///< ns; of several runs their mean, of the maximum the largest
    double after = 0;
    ComparisonUnit unit = ComparisonUnit::None;
    std::optional<double> changePercent = {}; ///< none if there was nothing before
    std::optional<PercentInterval> interval = {}; ///< 95 %, of this row by itself; never of a maximum
    std::optional<double> p = {}; ///< adjusted for all rows of the comparison

    /// Shown by the samples: at most 5 % of comparisons without a difference have any such row.
    [[nodiscard]] bool differs() const { return p && *p <= 0.05; }
};

struct SampleComparison {
    std::size_t beforeRuns = 0;
    std::size_t afterRuns = 0;
    std::vector<ComparisonRow> rows; ///< by thread, then metric

    [[nodiscard]] bool anyDifference() const;
};

struct ComparisonOptions {
    std::vector<LatencyMetric> metrics{LatencyMetric::Average, LatencyMetric::P99,
                                       LatencyMetric::Max};
    std::uint64_t seed = 1;
};

/// Compares runs thread by thread; all runs have as many series as `threads` says, a thread without
/// operations an empty one. Same input and seed, same result.
///
/// With kRunsForPermutation runs a side or more the unit is the run: a permutation test over the
/// runs' metrics. With fewer, a moving-block bootstrap (Künsch, Annals of Statistics 17, 1989) with
/// blocks of at least 50 operations or 100 ms, because successive latencies depend on each other.
[[nodiscard]] SampleComparison compareSamples(std::span<const RunSample> before,
                                              std::span<const RunSample> after,
                                              std::size_t threads,
                                              const ComparisonOptions& options = {});

inline constexpr std::size_t kRunsForPermutation = 5;

} // namespace inversight
