// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/decomposition.h"
#include "trace/analysis/helper_waits.h"
#include "trace/analysis/inversions.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_events.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/thread_states.h"
#include "trace/decode/trace_source.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace inversight {

/// What of the conclusions is wanted; what is concluded still comes from the whole trace.
struct AnalyzeFilter {
    std::vector<AnalysisId> only; ///< empty: everything
    std::vector<bool> threads;    ///< by ThreadId; empty: all
    std::vector<bool> locks;      ///< by LockId; empty: all
};

/// A trace and what was concluded from it, as a format of exporters.cpp takes it. Borrowed for the
/// call; results must be settled.
struct AnalyzedTrace {
    const LoadedTrace& trace;
    const AnalysisResults& results;
    std::string tool; ///< "inversight 0.1.0"
    /// Only what overlaps it is told; what is concluded still comes from the whole trace.
    std::optional<TimeRange> range = std::nullopt;
    AnalyzeFilter filter = {};

    [[nodiscard]] const TraceStore& store() const { return *trace.store; }
    [[nodiscard]] bool includes(const TimeRange& other) const {
        // An empty interval at an instant counts if that instant does.
        return !range || range->overlaps(other) || range->contains(other.begin);
    }
    /// Of a row about several threads, one that is wanted is enough.
    [[nodiscard]] bool includes(std::initializer_list<ThreadId> threads) const;
    [[nodiscard]] bool includes(LockId lock) const;
    /// Whether one of these analyses was asked for, or none in particular.
    [[nodiscard]] bool wants(std::initializer_list<AnalysisId> analyses) const;
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

/// "FIFO 99" and "RR 10" by tid, where the manifest names the class: a switch event cannot
/// (DOMAIN 3).
[[nodiscard]] std::map<std::int32_t, std::string> classesByManifest(const LoadedTrace& trace);

/// All threads, by ThreadId, as far as results are there. A trace of one of our own runs knows the
/// class of its workers (its manifest says FIFO or RR).
[[nodiscard]] std::vector<ThreadSummary> summarizeThreads(const AnalyzedTrace& analyzed);

/// The owner of the awaited lock at the request, whom that one waited for, and so on; stops where
/// nothing is known, and at a thread already named (a deadlock).
[[nodiscard]] std::vector<ThreadId> ownerChain(const LockWaits& waits, const LockWait& wait);

/// The name of a lock; nothing for none().
[[nodiscard]] std::optional<std::string> lockName(const LockEvents& events, LockId lock);

} // namespace inversight
