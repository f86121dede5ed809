// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/analysis.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/decomposition.h"
#include "trace/analysis/helper_waits.h"
#include "trace/analysis/inversions.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_events.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/sched_runs.h"
#include "trace/analysis/thread_states.h"
#include "trace/analysis/wakeups.h"

namespace inversight {

std::span<const AnalysisRow> analyses() {
    static const std::vector<AnalysisRow> table = {
        makeAnalysis<&findSchedRuns>("sched_runs", "which thread ran on which CPU, and when"),
        makeAnalysis<&findPriorities>("priorities",
                                      "base and effective priority of every thread over time"),
        makeAnalysis<&findWakeups>("wakeups", "who woke whom, and how long until it ran"),
        makeAnalysis<&findLockEvents>(
            "lock_events", "requests, acquisitions and releases from markers, futexes, contention"),
        makeAnalysis<&findOwnership>("ownership", "who held which lock, with the evidence for it"),
        makeAnalysis<&findLockWaits>("lock_waits", "who waited for which lock, and for whom"),
        makeAnalysis<&findBoosts>("boosts", "who was boosted by whom, how far, and on which lock"),
        makeAnalysis<&findBusTransfers>("bus", "transfers on the wire"),
        makeAnalysis<&findHelperWaits>("helper_waits",
                                       "which sleeps another thread's work ended: pumps, handlers"),
        makeAnalysis<&findThreadStates>("thread_states",
                                        "what every thread did at every instant of the trace"),
        makeAnalysis<&decomposeWaits>(
            "decomposition", "what every wait was made of, and whose hold it was, to the ns"),
        makeAnalysis<&findInversions>("inversions",
                                      "who was kept waiting by a lower priority, and how"),
        makeAnalysis<&findLatency>("latency", "how long every operation of every worker took"),
    };
    return table;
}

} // namespace inversight
