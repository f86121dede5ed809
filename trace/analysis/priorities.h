// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/sched_runs.h"

namespace inversight {

/// A stretch of time with one effective and one base priority.
struct PriorityStep {
    TimeRange range;
    std::int32_t effective = 120;
    std::int32_t base = 120;
    [[nodiscard]] bool boosted() const { return effective < base; }
};

/// Base and effective priority of every thread over time. The effective one is what sched_switch,
/// wake-up events and pi_setprio show; the base is inferred: the priority of a thread while no
/// pi_setprio boost of it is open. Threads never seen with a priority have no steps.
struct Priorities {
    static constexpr AnalysisId kId = AnalysisId::Priorities;
    std::vector<std::vector<PriorityStep>> byThread; ///< by ThreadId, in time order, no gaps

    /// The step at `time`, or null.
    [[nodiscard]] const PriorityStep* at(ThreadId thread, std::int64_t time) const;
    /// The base priority at `time`; none when unknown.
    [[nodiscard]] std::optional<std::int32_t> baseAt(ThreadId thread, std::int64_t time) const;
};

[[nodiscard]] Result<Priorities> findPriorities(const TraceStore& store, const SchedRuns& runs,
                                                const JobContext& job);

} // namespace inversight
