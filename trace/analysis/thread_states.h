// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/sched_runs.h"

namespace inversight {

enum class ThreadState : std::uint8_t {
    Running,
    RunnableWoken,     ///< woken, waits for a CPU
    RunnablePreempted, ///< was running, waits for a CPU
    BlockedLock,       ///< off CPU inside a wait for a lock
    Wire,              ///< off CPU inside a bus transfer
    Sleeping,          ///< S, none of the above
    Uninterruptible,   ///< D
    Idle,              ///< I: a kernel thread's idle sleep
    Stopped,           ///< T or t
    Dead,              ///< X or Z
    Unknown,           ///< before the first event, across losses
};
inline constexpr std::size_t kThreadStateCount = 11;
[[nodiscard]] const char* threadStateName(ThreadState state); ///< "running", "runnable_woken", ...

struct ThreadStateInterval {
    TimeRange range;
    ThreadState state = ThreadState::Unknown;
    std::int32_t cpu = -1; ///< Running: where
};

/// What every thread did at every instant of [range begin, range end) of the trace: intervals of a
/// thread follow each other without gap or overlap, so totals add up to the trace's length. Made
/// from runs, wake-ups (waking where there is one, else wakeup) and, laid over sleeps, lock waits
/// and transfers. Idle tasks have Running intervals and, between them, Sleeping.
struct ThreadStates {
    static constexpr AnalysisId kId = AnalysisId::ThreadStates;
    std::vector<std::vector<ThreadStateInterval>> byThread;          ///< by ThreadId
    std::vector<std::array<std::int64_t, kThreadStateCount>> totals; ///< ns, by ThreadId
};

[[nodiscard]] Result<ThreadStates> findThreadStates(const TraceStore& store, const SchedRuns& runs,
                                                    const LockWaits& waits, const Bus& bus,
                                                    const JobContext& job);

} // namespace inversight
