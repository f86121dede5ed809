// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/thread_log.h"
#include "trace/model/thread_table.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace inversight {

/// Joins what stretches of the merged order say of threads, their names and incarnations.
/// Thread-bound.
class ThreadTableBuilder {
public:
    /// The weakest name: from the file's header.
    void savedName(std::int32_t tid, StringId name) { savedNames_[tid] = name; }
    void threadGroup(std::int32_t tid, std::int32_t tgid) { groups_[tid] = tgid; }

    /// The next stretch.
    void add(const ThreadLog& log);

    [[nodiscard]] ThreadTable build() &&;

private:
    ThreadInfo& incarnationOf(const ThreadMention& mention);
    void addFork(const ThreadMention& mention);

    std::vector<ThreadInfo> threads_;
    std::unordered_map<std::int32_t, std::uint32_t> current_; ///< tid -> its latest incarnation
    std::unordered_map<std::int32_t, std::uint32_t> idle_;    ///< CPU -> row
    std::unordered_map<std::int32_t, StringId> savedNames_;
    std::unordered_map<std::int32_t, std::int32_t> groups_;
};

} // namespace inversight
