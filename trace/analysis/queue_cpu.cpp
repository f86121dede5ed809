// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/queue_cpu.h"

#include "trace/analysis/timeline_search.h"

#include <algorithm>

namespace inversight {

QueueCpu::QueueCpu(const TraceStore& store, const SchedRuns& runs)
    : runs_(runs), runHints_(store.threads().size()), migrationHints_(store.threads().size()) {
    const auto& rows = store.table<SchedMigrateRow>();
    if (rows.size() > 0)
        migrations_.resize(store.threads().size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::int64_t time = store.time(rows.event(row));
        const ThreadId thread =
            store.threads().find(rows[row].tid, store.cpu(rows.event(row)), time);
        if (thread.valid())
            migrations_[thread.index()].push_back({time, rows[row].toCpu});
    }
}

QueueCpu::Answer QueueCpu::at(ThreadId thread, std::int64_t time, std::int64_t end) {
    const std::vector<std::uint32_t>& ids = runs_.byThread[thread.index()];
    const auto beginOf = [&](std::size_t i) { return runs_.runs[ids[i]].range.begin; };
    const std::size_t last = lastBegunAt(ids.size(), time, runHints_[thread.index()], beginOf);
    const std::size_t next = last == ids.size() ? 0 : last + 1;
    const std::int32_t nextCpu =
        next < ids.size() && beginOf(next) == end ? runs_.runs[ids[next]].cpu : -1;
    const std::int32_t lastCpu = last == ids.size() ? -1 : runs_.runs[ids[last]].cpu;
    if (migrations_.empty())
        return {nextCpu >= 0 ? nextCpu : lastCpu, end};

    const std::vector<Migration>& moves = migrations_[thread.index()];
    const std::size_t move = lastBegunAt(moves.size(), time, migrationHints_[thread.index()],
                                         [&](std::size_t i) { return moves[i].time; });
    const std::size_t further = move == moves.size() ? 0 : move + 1;
    const bool movesOn = further < moves.size() && moves[further].time < end;
    const bool moved = move < moves.size() &&
                       (last == ids.size() || moves[move].time >= runs_.runs[ids[last]].range.end);
    // Where it ran next it was at last, whatever migrations say (events may be missing).
    const std::int32_t cpu = moved ? moves[move].cpu : lastCpu;
    if (!movesOn && nextCpu >= 0)
        return {nextCpu, end};
    return {cpu, movesOn ? moves[further].time : end};
}

} // namespace inversight
