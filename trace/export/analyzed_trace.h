// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_events.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/thread_states.h"
#include "trace/decode/trace_source.h"

#include <optional>
#include <string>

namespace inversight {

/// A trace and what was concluded from it, as a format of exporters.cpp takes it. Borrowed for the
/// call; results must be settled.
struct AnalyzedTrace {
    const LoadedTrace& trace;
    const AnalysisResults& results;
    std::string tool; ///< "inversight 0.1.0"
    /// Only what overlaps it is told; what is concluded still comes from the whole trace.
    std::optional<TimeRange> range = std::nullopt;

    [[nodiscard]] const TraceStore& store() const { return *trace.store; }
    [[nodiscard]] bool includes(const TimeRange& other) const {
        // An empty interval at an instant counts if that instant does.
        return !range || range->overlaps(other) || range->contains(other.begin);
    }
};

/// One thread as every format tells it.
struct ThreadSummary {
    ThreadId thread;
    std::optional<std::int32_t> basePrio; ///< the last known
    std::string priority;                 ///< in the user's words; "" unknown
    std::optional<std::array<std::int64_t, kThreadStateCount>> statesNs;
    std::uint64_t transferCount = 0;
    std::uint64_t boostCount = 0;          ///< as the target
    std::uint64_t waitCount = 0;           ///< contended ones
    std::optional<LatencySummary> latency; ///< none: no operations, or the analysis is missing
};

/// All threads, by ThreadId, as far as results are there. A trace of one of our own runs knows the
/// class of its workers (its manifest says FIFO or RR).
[[nodiscard]] std::vector<ThreadSummary> summarizeThreads(const AnalyzedTrace& analyzed);

/// The owner of the awaited lock at the request, whom that one waited for, and so on; stops where
/// nothing is known, and at a thread already named (a deadlock).
[[nodiscard]] std::vector<ThreadId> ownerChain(const LockWaits& waits, const LockWait& wait);

/// The name of a lock; nothing for none().
[[nodiscard]] std::optional<std::string> lockName(const LockEvents& events, LockId lock);

} // namespace inversight
