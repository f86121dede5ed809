// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/sample_comparison.h"

#include "core/stats/block_bootstrap.h"
#include "core/stats/run_permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inversight {

namespace {

double percentileOf(std::span<const std::int64_t> latencies, double fraction) {
    std::vector<std::int64_t> values(latencies.begin(), latencies.end());
    const double count = static_cast<double>(values.size());
    const auto rank = static_cast<std::size_t>(std::max(std::ceil(fraction * count), 1.0));
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::ranges::nth_element(values, place);
    return static_cast<double>(*place);
}

/// The values of one row in each run.
std::vector<double> valuesOf(std::span<const RunSample> runs, std::size_t thread,
                             LatencyMetric metric) {
    std::vector<double> values;
    for (const RunSample& run : runs)
        values.push_back(latencyMetric(run[thread].latencies, metric));
    return values;
}

double overall(std::span<const double> values, LatencyMetric metric) {
    if (values.empty())
        return 0;
    if (metric == LatencyMetric::Max)
        return std::ranges::max(values);
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool ranInAll(std::span<const RunSample> runs, std::size_t thread) {
    return !runs.empty() && std::ranges::none_of(runs, [thread](const RunSample& run) {
        return run[thread].latencies.empty();
    });
}

std::vector<const LatencySeries*> seriesOf(std::span<const RunSample> runs, std::size_t thread) {
    std::vector<const LatencySeries*> series;
    for (const RunSample& run : runs)
        series.push_back(&run[thread]);
    return series;
}

void setInterval(ComparisonRow& row, ComparisonUnit unit, double low, double high) {
    row.unit = unit;
    if (row.before > 0)
        row.interval = PercentInterval{100 * low / row.before, 100 * high / row.before};
}

/// Fills in what chance would do. Rows of maxima, and of threads that did nothing, stay as they are.
class Judge {
public:
    Judge(std::span<const RunSample> before, std::span<const RunSample> after,
          const ComparisonOptions& options, std::vector<ComparisonRow>& rows)
        : before_(before), after_(after), options_(options), rows_(rows) {}

    void byRuns() {
        std::vector<ComparisonRow*> tested;
        std::vector<RunValues> values;
        for (ComparisonRow& row : rows_) {
            if (!testable(row))
                continue;
            tested.push_back(&row);
            values.push_back({valuesOf(before_, row.thread, row.metric),
                              valuesOf(after_, row.thread, row.metric)});
        }
        const std::vector<PermutationFinding> findings = permuteRuns(values, options_.seed);
        for (std::size_t i = 0; i < tested.size(); ++i) {
            tested[i]->p = findings[i].p;
            setInterval(*tested[i], ComparisonUnit::Run, findings[i].low, findings[i].high);
        }
    }

    void byBlocks() {
        for (std::size_t first = 0; first < rows_.size();) {
            std::size_t last = first;
            while (last < rows_.size() && rows_[last].thread == rows_[first].thread)
                ++last;
            thread(std::span(rows_).subspan(first, last - first));
            first = last;
        }
        holm();
    }

private:
    [[nodiscard]] bool testable(const ComparisonRow& row) const {
        return row.metric != LatencyMetric::Max && ranInAll(before_, row.thread) &&
               ranInAll(after_, row.thread);
    }

    void thread(std::span<ComparisonRow> rows) {
        std::vector<ComparisonRow*> tested;
        std::vector<LatencyMetric> metrics;
        for (ComparisonRow& row : rows) {
            if (!testable(row))
                continue;
            tested.push_back(&row);
            metrics.push_back(row.metric);
        }
        if (tested.empty())
            return;
        const std::size_t index = rows.front().thread;
        const auto findings =
            bootstrapBlocks({seriesOf(before_, index), seriesOf(after_, index)}, metrics,
                            options_.seed, index);
        if (!findings)
            return;
        for (std::size_t i = 0; i < tested.size(); ++i) {
            tested[i]->p = (*findings)[i].p;
            setInterval(*tested[i], ComparisonUnit::Block, (*findings)[i].low, (*findings)[i].high);
        }
    }

    /// Holm, Scandinavian Journal of Statistics 6, 1979.
    void holm() {
        std::vector<ComparisonRow*> tested;
        for (ComparisonRow& row : rows_) {
            if (row.p)
                tested.push_back(&row);
        }
        std::ranges::stable_sort(tested, {}, [](const ComparisonRow* row) { return *row->p; });
        double previous = 0;
        for (std::size_t place = 0; place < tested.size(); ++place) {
            const auto left = static_cast<double>(tested.size() - place);
            previous = std::max(previous, std::min(1.0, left * *tested[place]->p));
            tested[place]->p = previous;
        }
    }

    std::span<const RunSample> before_;
    std::span<const RunSample> after_;
    const ComparisonOptions& options_;
    std::vector<ComparisonRow>& rows_;
};

} // namespace

const char* latencyMetricName(LatencyMetric metric) {
    switch (metric) {
    case LatencyMetric::Average:
        return "avg";
    case LatencyMetric::P50:
        return "p50";
    case LatencyMetric::P99:
        return "p99";
    case LatencyMetric::P99_9:
        return "p99.9";
    case LatencyMetric::Max:
        return "max";
    }
    return "unknown";
}

double latencyMetric(std::span<const std::int64_t> latencies, LatencyMetric metric) {
    if (latencies.empty())
        return 0;
    switch (metric) {
    case LatencyMetric::Average: {
        double sum = 0;
        for (const std::int64_t latency : latencies)
            sum += static_cast<double>(latency);
        return sum / static_cast<double>(latencies.size());
    }
    case LatencyMetric::P50:
        return percentileOf(latencies, 0.50);
    case LatencyMetric::P99:
        return percentileOf(latencies, 0.99);
    case LatencyMetric::P99_9:
        return percentileOf(latencies, 0.999);
    case LatencyMetric::Max:
        return static_cast<double>(std::ranges::max(latencies));
    }
    return 0;
}

bool SampleComparison::anyDifference() const {
    return std::ranges::any_of(rows, &ComparisonRow::differs);
}

SampleComparison compareSamples(std::span<const RunSample> before, std::span<const RunSample> after,
                                std::size_t threads, const ComparisonOptions& options) {
    SampleComparison comparison{before.size(), after.size(), {}};
    for (std::size_t thread = 0; thread < threads; ++thread) {
        for (const LatencyMetric metric : options.metrics) {
            ComparisonRow row{.thread = thread, .metric = metric};
            row.before = overall(valuesOf(before, thread, metric), metric);
            row.after = overall(valuesOf(after, thread, metric), metric);
            if (row.before > 0 && row.after > 0)
                row.changePercent = 100 * (row.after - row.before) / row.before;
            comparison.rows.push_back(row);
        }
    }
    Judge judge(before, after, options, comparison.rows);
    if (std::min(before.size(), after.size()) >= kRunsForPermutation)
        judge.byRuns();
    else
        judge.byBlocks();
    return comparison;
}

} // namespace inversight
