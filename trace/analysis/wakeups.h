// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"

namespace inversight {

/// A thread was woken and then ran.
struct Wakeup {
    ThreadId thread;
    ThreadId waker;        ///< none(): an interrupt or a timer, or not known
    std::int64_t time = 0; ///< of the first sched_waking, else of sched_wakeup
    std::int64_t run = 0;  ///< when it came on a CPU
    std::int16_t cpu = 0;  ///< which
    std::int16_t prio = 0; ///< its effective priority there
    [[nodiscard]] std::int64_t latency() const { return run - time; }
};

/// Every wake-up whose run is in the trace, in the order of the runs. The waker is the thread in
/// whose context the wake-up happened; in an interrupt or softirq (which on PREEMPT_RT is a thread:
/// ktimers, ksoftirqd) nobody is. What losses may have swallowed is left out.
struct Wakeups {
    static constexpr AnalysisId kId = AnalysisId::Wakeups;
    std::vector<Wakeup> wakeups;
};

[[nodiscard]] Result<Wakeups> findWakeups(const TraceStore& store, const JobContext& job);

} // namespace inversight
