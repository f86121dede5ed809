// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/stats/latency_summary.h"

namespace inversight {

namespace {

double percentChange(std::int64_t before, std::int64_t after) {
    return 100.0 * (static_cast<double>(after) - static_cast<double>(before)) /
           static_cast<double>(before);
}

} // namespace

LatencySummary summarize(const LatencyHistogram& histogram) {
    return {
        .count = histogram.count(),
        .min = histogram.min(),
        .average = histogram.average(),
        .p50 = histogram.percentile(0.50),
        .p99 = histogram.percentile(0.99),
        .p99_9 = histogram.percentile(0.999),
        .max = histogram.max(),
    };
}

LatencyChange compare(const LatencySummary& before, const LatencySummary& after) {
    if (before.count == 0 || after.count == 0)
        return {};
    if (before.average <= 0 || before.p99 <= 0 || before.max <= 0)
        return {};
    return {
        .comparable = true,
        .averagePercent = percentChange(before.average, after.average),
        .p99Percent = percentChange(before.p99, after.p99),
        .maxPercent = percentChange(before.max, after.max),
    };
}

} // namespace inversight
