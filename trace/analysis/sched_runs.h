// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"

namespace inversight {

/// One stay of a thread on a CPU, from the switch in to the switch out.
struct SchedRun {
    ThreadId thread;
    std::int32_t cpu = 0;
    TimeRange range;
    std::int32_t prio = 0;    ///< effective priority at the switch in (or at the out if unseen)
    std::int32_t endPrio = 0; ///< ... at the switch out
    TaskState endState = TaskState::Unknown;
    bool endPreempted = false; ///< the "+" bit of the switch out
    bool beginSeen = true;     ///< false: it ran before the trace (or a loss) began
    bool endSeen = true;       ///< false: the trace (or a loss) ended it
};

/// Who ran where. Idle tasks are runs too (thread.isIdle()). Losses cut runs.
struct SchedRuns {
    static constexpr AnalysisId kId = AnalysisId::SchedRuns;
    std::vector<SchedRun> runs;                       ///< by (begin, cpu)
    std::vector<std::vector<std::uint32_t>> byThread; ///< indices into runs, by ThreadId
    std::vector<std::pair<std::int32_t, std::vector<std::uint32_t>>> byCpu;
};

[[nodiscard]] Result<SchedRuns> findSchedRuns(const TraceStore& store, const JobContext& job);

} // namespace inversight
