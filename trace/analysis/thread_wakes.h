// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/sched_runs.h"

namespace inversight {

struct Wake {
    std::int64_t time = 0;
    WakeEventKind kind = WakeEventKind::Waking;
};

/// Walks the wake-ups of one thread in time order and tells when it became runnable. Thread-bound.
class WakeCursor {
public:
    explicit WakeCursor(std::span<const Wake> wakes) : wakes_(wakes) {}

    /// When a thread that was asleep became runnable between `begin` and `end`, at which it ran
    /// (`next`, null: not any more): the first sched_waking, else the first sched_wakeup.
    std::optional<std::int64_t> between(std::int64_t begin, std::int64_t end, const SchedRun* next);

    /// The same for a sleep that began with the end of `run`. A waking that precedes it, while the
    /// thread was about to leave (BUGS B23), counts from the sched_wakeup in the sleep or, without
    /// one, from its begin.
    std::optional<std::int64_t> afterSleep(const SchedRun& run, std::int64_t end,
                                           const SchedRun* next);

    /// Wake-ups before `time` are of no interest.
    void skipTo(std::int64_t time);

private:
    std::optional<std::int64_t> late(std::int64_t end, const SchedRun* next);

    std::span<const Wake> wakes_;
    std::size_t next_ = 0;
};

/// The wake-ups of every thread, in time order. Reentrant once made.
class ThreadWakes {
public:
    explicit ThreadWakes(const TraceStore& store);
    [[nodiscard]] std::span<const Wake> of(ThreadId thread) const {
        return std::span(wakes_).subspan(starts_[thread.index()],
                                         starts_[thread.index() + 1] - starts_[thread.index()]);
    }

private:
    std::vector<Wake> wakes_;         ///< by thread
    std::vector<std::size_t> starts_; ///< where a thread's begin; one more than threads
};

} // namespace inversight
