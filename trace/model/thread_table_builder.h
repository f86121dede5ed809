// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"
#include "trace/model/thread_table.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace inversight {

/// Learns threads, their names and incarnations from events in merged order. Thread-bound.
class ThreadTableBuilder {
public:
    /// The weakest name: from the file's header.
    void savedName(std::int32_t tid, StringId name) { savedNames_[tid] = name; }
    void threadGroup(std::int32_t tid, std::int32_t tgid) { groups_[tid] = tgid; }

    /// `tid` ran on `cpu` at `time` (an event's common_pid).
    void seen(std::int32_t tid, std::int32_t cpu, std::int64_t time);
    /// An event says that `tid` (idle: of `cpu`) bears `name`; names like "<...>" say nothing.
    void named(std::int32_t tid, std::int32_t cpu, std::int64_t time, StringId name,
               bool placeholder);
    void forked(std::int64_t time, const SchedForkRow& fork, bool childPlaceholder);
    void exited(std::int32_t tid, std::int64_t time);

    [[nodiscard]] ThreadTable build() &&;

private:
    std::uint32_t touch(std::int32_t tid, std::int32_t cpu, std::int64_t time);

    std::vector<ThreadInfo> threads_;
    std::unordered_map<std::int32_t, std::uint32_t> current_; ///< tid -> its latest incarnation
    std::unordered_map<std::int32_t, std::uint32_t> idle_;    ///< CPU -> row
    std::unordered_map<std::int32_t, StringId> savedNames_;
    std::unordered_map<std::int32_t, std::int32_t> groups_;
};

} // namespace inversight
