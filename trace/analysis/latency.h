// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/stats/latency_histogram.h"
#include "core/stats/latency_summary.h"
#include "trace/analysis/analysis.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"

namespace inversight {

/// One bus operation: from the request of the lock to the end of the hold around the transfer.
struct Operation {
    TimeRange range;
    std::int64_t waitNs = 0; ///< of it, until the lock was owned
};

struct ThreadLatency {
    ThreadId thread;
    std::vector<Operation> operations; ///< in time order
    LatencyHistogram latency;
    LatencyHistogram wait;
};

/// The latency of every worker's operations, from markers. Threads without any are left out.
struct Latency {
    static constexpr AnalysisId kId = AnalysisId::Latency;
    std::vector<ThreadLatency> threads; ///< by ThreadId
};

/// The figures of the operations that overlap `range` (none: of all); nothing if there are none.
[[nodiscard]] std::optional<LatencySummary>
summarizeOperations(const ThreadLatency& thread, const std::optional<TimeRange>& range = {});

[[nodiscard]] Result<Latency> findLatency(const TraceStore& store, const LockWaits& waits,
                                          const Ownership& ownership, const Bus& bus,
                                          const JobContext& job);

} // namespace inversight
