// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/sched_runs.h"
#include "trace/analysis/wakeups.h"

namespace inversight {

/// A thread slept until another thread had done something for it, and woke it.
struct HelperWait {
    ThreadId thread;
    ThreadId helper;
    TimeRange range;        ///< from the sleep (or the helper's interrupt) until it runs again
    std::int64_t woken = 0; ///< by the helper
    Confidence confidence = Confidence::Low;
};

/// Sleeps that a helper ended: the message pump of an SPI controller, a threaded interrupt handler,
/// whoever empties a pipe. A sleep that a timer or an interrupt ends is no wait, and neither is
/// that of a server between two requests. Told apart by who woke whom:
///
/// * High: the thread had woken the helper before (or somebody who passed it on), so that the
///   wake-up is an answer; or the helper is a threaded interrupt handler, and the wait is only what
///   passed since its interrupt.
/// * Low: it had asked nobody, but mostly runs by timers or interrupts: a job whose sleep a thread
///   ended was probably blocked by it.
///
/// Sleeps inside a wait for a lock are the lock's business and not told here.
///
/// Only for real-time threads and for threads that own locks, since fair threads that talk through
/// pipes are no business of ours.
struct HelperWaits {
    static constexpr AnalysisId kId = AnalysisId::HelperWaits;
    std::vector<HelperWait> waits;                    ///< by begin
    std::vector<std::vector<std::uint32_t>> byThread; ///< indices, by ThreadId
};

[[nodiscard]] Result<HelperWaits>
findHelperWaits(const TraceStore& store, const SchedRuns& runs, const Priorities& priorities,
                const Wakeups& wakeups, const Ownership& ownership, const LockWaits& lockWaits,
                const JobContext& job);

} // namespace inversight
