// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/sched_runs.h"

namespace inversight {

/// On which CPU's queue a runnable thread stands: where it ran last, or where sched_migrate_task
/// has put it since; without such events in the trace, where it ran next. Thread-bound.
class QueueCpu {
public:
    QueueCpu(const TraceStore& store, const SchedRuns& runs);

    struct Answer {
        std::int32_t cpu = -1;  ///< -1: unknown
        std::int64_t until = 0; ///< it stands there until then at least
    };
    /// For a thread that does not run between `time` and `end`.
    [[nodiscard]] Answer at(ThreadId thread, std::int64_t time, std::int64_t end);

private:
    struct Migration {
        std::int64_t time = 0;
        std::int32_t cpu = 0;
    };
    const SchedRuns& runs_;
    std::vector<std::vector<Migration>> migrations_; ///< by ThreadId; empty: no such events
    std::vector<std::size_t> runHints_;
    std::vector<std::size_t> migrationHints_;
};

} // namespace inversight
