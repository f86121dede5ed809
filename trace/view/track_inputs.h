// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/boosts.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/lock_events.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/sched_runs.h"
#include "trace/analysis/thread_states.h"

#include <memory>

namespace inversight {

/// What a picture is drawn from. Any analysis may be missing (failed or not ready): its part of the
/// picture is then left out. The store must be there.
struct TrackInputs {
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const SchedRuns> runs;
    std::shared_ptr<const Priorities> priorities;
    std::shared_ptr<const LockEvents> lockEvents;
    std::shared_ptr<const Ownership> ownership;
    std::shared_ptr<const LockWaits> waits;
    std::shared_ptr<const Boosts> boosts;
    std::shared_ptr<const Bus> bus;
    std::shared_ptr<const ThreadStates> states;

    [[nodiscard]] static TrackInputs from(std::shared_ptr<const TraceStore> store,
                                          const AnalysisResults& results) {
        return {.store = std::move(store),
                .runs = results.get<SchedRuns>(),
                .priorities = results.get<Priorities>(),
                .lockEvents = results.get<LockEvents>(),
                .ownership = results.get<Ownership>(),
                .waits = results.get<LockWaits>(),
                .boosts = results.get<Boosts>(),
                .bus = results.get<Bus>(),
                .states = results.get<ThreadStates>()};
    }
};

/// The indices of one thread in a result's per-thread table; empty where there are none.
[[nodiscard]] inline std::span<const std::uint32_t>
indicesOf(const std::vector<std::vector<std::uint32_t>>& byThread, ThreadId thread) {
    if (thread.index() >= byThread.size())
        return {};
    return byThread[thread.index()];
}

} // namespace inversight
