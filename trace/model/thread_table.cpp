// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/thread_table.h"

#include <algorithm>

namespace inversight {

ThreadTable::ThreadTable(std::vector<ThreadInfo> threads) : threads_(std::move(threads)) {
    for (std::size_t index = 0; index < threads_.size(); ++index) {
        const ThreadId id{static_cast<std::uint32_t>(index)};
        const ThreadInfo& thread = threads_[index];
        if (thread.isIdle())
            idleByCpu_.emplace(thread.idleCpu, id);
        else
            byTid_[thread.tid].push_back(id);
    }
}

ThreadId ThreadTable::find(std::int32_t tid, std::int32_t cpu, std::int64_t time) const {
    if (tid == 0) {
        const auto idle = idleByCpu_.find(cpu);
        return idle == idleByCpu_.end() ? ThreadId::none() : idle->second;
    }
    const auto found = byTid_.find(tid);
    if (found == byTid_.end())
        return ThreadId::none();
    const std::vector<ThreadId>& incarnations = found->second;
    // The last incarnation forked at or before `time`; what precedes every fork is the first.
    const auto after = std::upper_bound(
        incarnations.begin() + 1, incarnations.end(), time, [this](std::int64_t at, ThreadId id) {
            return at < threads_[id.index()].forkTime.value_or(threads_[id.index()].firstTime);
        });
    return *(after - 1);
}

} // namespace inversight
