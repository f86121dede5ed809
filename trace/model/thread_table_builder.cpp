// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/thread_table_builder.h"

#include <algorithm>

namespace inversight {

std::uint32_t ThreadTableBuilder::touch(std::int32_t tid, std::int32_t cpu, std::int64_t time) {
    auto& index = tid == 0 ? idle_ : current_;
    const auto [entry, fresh] =
        index.try_emplace(tid == 0 ? cpu : tid, static_cast<std::uint32_t>(threads_.size()));
    if (fresh) {
        ThreadInfo thread;
        thread.tid = tid;
        thread.idleCpu = tid == 0 ? cpu : -1;
        thread.firstTime = time;
        thread.lastTime = time;
        threads_.push_back(std::move(thread));
    }
    ThreadInfo& thread = threads_[entry->second];
    thread.firstTime = std::min(thread.firstTime, time);
    thread.lastTime = std::max(thread.lastTime, time);
    return entry->second;
}

void ThreadTableBuilder::seen(std::int32_t tid, std::int32_t cpu, std::int64_t time) {
    touch(tid, cpu, time);
}

void ThreadTableBuilder::named(std::int32_t tid, std::int32_t cpu, std::int64_t time, StringId name,
                               bool placeholder) {
    ThreadInfo& thread = threads_[touch(tid, cpu, time)];
    if (placeholder || !name.valid() || thread.name == name)
        return;
    thread.name = name;
    thread.names.push_back({time, name});
}

void ThreadTableBuilder::forked(std::int64_t time, const SchedForkRow& fork,
                                bool childPlaceholder) {
    // A fork always begins an incarnation: what was known of this tid before is somebody else.
    // Unless nothing of it was seen, where the first mention and the fork are one thread.
    if (fork.childTid != 0)
        current_.erase(fork.childTid);
    const std::uint32_t parent =
        fork.parentTid != 0 ? touch(fork.parentTid, 0, time) : static_cast<std::uint32_t>(-1);
    named(fork.childTid, 0, time, fork.childComm, childPlaceholder);
    ThreadInfo& child = threads_[touch(fork.childTid, 0, time)];
    child.forkTime = time;
    child.parent = ThreadId{parent};
}

void ThreadTableBuilder::exited(std::int32_t tid, std::int64_t time) {
    threads_[touch(tid, 0, time)].exitTime = time;
}

ThreadTable ThreadTableBuilder::build() && {
    // A name from the header belongs to the tid's last incarnation: it was saved last.
    for (const auto& [tid, name] : savedNames_) {
        const auto found = current_.find(tid);
        if (tid == 0 || found == current_.end() || threads_[found->second].name.valid())
            continue;
        threads_[found->second].name = name;
    }
    for (ThreadInfo& thread : threads_) {
        const auto group = groups_.find(thread.tid);
        if (thread.tid != 0 && group != groups_.end())
            thread.tgid = group->second;
    }
    return ThreadTable(std::move(threads_));
}

} // namespace inversight
