// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/thread_table_builder.h"

#include <algorithm>

namespace inversight {

ThreadInfo& ThreadTableBuilder::incarnationOf(const ThreadMention& mention) {
    auto& index = mention.tid == 0 ? idle_ : current_;
    const std::int32_t key = mention.tid == 0 ? mention.cpu : mention.tid;
    const auto [entry, fresh] = index.try_emplace(key, static_cast<std::uint32_t>(threads_.size()));
    if (fresh) {
        ThreadInfo& thread = threads_.emplace_back();
        thread.tid = mention.tid;
        thread.idleCpu = mention.tid == 0 ? mention.cpu : -1;
        thread.firstTime = mention.firstTime;
        thread.lastTime = mention.lastTime;
    }
    return threads_[entry->second];
}

/// A fork always begins an incarnation: what was known of this tid before is somebody else.
void ThreadTableBuilder::addFork(const ThreadMention& mention) {
    if (mention.tid != 0)
        current_.erase(mention.tid);
    const auto parent = current_.find(mention.parentTid);
    const ThreadId parentId =
        parent != current_.end() ? ThreadId{parent->second} : ThreadId::none();
    ThreadInfo& child = incarnationOf(mention);
    child.forkTime = mention.forkTime;
    child.parent = parentId;
}

void ThreadTableBuilder::add(const ThreadLog& log) {
    for (const ThreadMention& mention : log.mentions()) {
        if (mention.forkTime)
            addFork(mention);
        ThreadInfo& thread = incarnationOf(mention);
        thread.firstTime = std::min(thread.firstTime, mention.firstTime);
        thread.lastTime = std::max(thread.lastTime, mention.lastTime);
        for (const NameChange& change : mention.names) {
            if (thread.name != change.name) {
                thread.name = change.name;
                thread.names.push_back(change);
            }
        }
        if (mention.exitTime)
            thread.exitTime = mention.exitTime;
        if (mention.tgid >= 0)
            groups_[mention.tid] = mention.tgid;
    }
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
