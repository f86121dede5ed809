// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inversight {

/// ftrace writes "<...>" or "<idle>" where it knows no name.
[[nodiscard]] inline bool isPlaceholderName(std::string_view name) {
    return name.empty() || name.front() == '<';
}

struct NameChange {
    std::int64_t time = 0;
    StringId name;
};

/// One incarnation of a thread.
struct ThreadInfo {
    std::int32_t tid = 0;
    std::int32_t tgid = -1;    ///< -1: unknown
    std::int32_t idleCpu = -1; ///< of an idle task (all have tid 0); -1: a text without CPUs
    ThreadId parent;
    StringId name;                 ///< the last known; none() = unknown
    std::vector<NameChange> names; ///< in time order
    std::int64_t firstTime = 0;    ///< first and last event that concerns it
    std::int64_t lastTime = 0;
    std::optional<std::int64_t> forkTime;
    std::optional<std::int64_t> exitTime;

    [[nodiscard]] bool isIdle() const { return tid == 0; }
};

/// Every thread a trace knows. A tid that was used again is another row: incarnations of one tid
/// are parted by fork events. Idle is one row per CPU. Reentrant (frozen).
class ThreadTable {
public:
    ThreadTable() = default;
    explicit ThreadTable(std::vector<ThreadInfo> threads);

    [[nodiscard]] std::size_t size() const { return threads_.size(); }
    [[nodiscard]] const ThreadInfo& operator[](ThreadId id) const { return threads_[id.index()]; }
    [[nodiscard]] std::span<const ThreadInfo> all() const { return threads_; }

    /// The incarnation of `tid` at `time`; for tid 0 the idle task of `cpu`. none() if the trace
    /// never mentions it. O(1) for a tid with one incarnation, else O(log incarnations).
    [[nodiscard]] ThreadId find(std::int32_t tid, std::int32_t cpu, std::int64_t time) const;

private:
    std::vector<ThreadInfo> threads_; // incarnations of one tid are in time order
    std::unordered_map<std::int32_t, std::vector<ThreadId>> byTid_;
    std::unordered_map<std::int32_t, ThreadId> idleByCpu_;
};

} // namespace inversight
