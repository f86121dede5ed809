// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/stats/latency_histogram.h"

#include <cstdint>

namespace inversight {

/// The figures every table prints; ns.
struct LatencySummary {
    std::uint64_t count = 0;
    std::int64_t min = 0;
    std::int64_t average = 0;
    std::int64_t p50 = 0;
    std::int64_t p99 = 0;
    std::int64_t p99_9 = 0;
    std::int64_t max = 0;
    bool operator==(const LatencySummary&) const = default;
};

[[nodiscard]] LatencySummary summarize(const LatencyHistogram& histogram);

/// How `after` differs from `before`, in percent (-40.0 = 40 % lower). Nothing to compare with
/// (before 0 or no samples) gives no value.
struct LatencyChange {
    bool comparable = false;
    double averagePercent = 0;
    double p99Percent = 0;
    double maxPercent = 0;
};

[[nodiscard]] LatencyChange compare(const LatencySummary& before, const LatencySummary& after);

} // namespace inversight
