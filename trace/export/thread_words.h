// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/analyzed_trace.h"

#include <map>
#include <string>

namespace inversight {

/// Threads and locks in people's words. Reentrant once made; `analyzed` must outlive it.
class ThreadWords {
public:
    explicit ThreadWords(const AnalyzedTrace& analyzed);

    /// "fifo-99 (FIFO 99)": with its base priority at `time`; with its number, too, where other
    /// threads have the same name.
    [[nodiscard]] std::string withPriority(ThreadId thread, std::int64_t time) const;
    /// "fifo-99", with its number where other threads have the same name.
    [[nodiscard]] std::string name(ThreadId thread) const;
    /// "bus lock i2c-2", "lock R", "futex 0x7f.. (process 12)", "an unknown lock".
    [[nodiscard]] std::string lock(LockId lock) const;
    /// "FIFO 99" where the manifest names the class, else "RT 99"; "" unknown.
    [[nodiscard]] std::string priority(ThreadId thread, std::int64_t time) const;

private:
    const TraceStore& store_;
    std::shared_ptr<const Priorities> priorities_;
    std::shared_ptr<const LockEvents> events_;
    std::map<std::int32_t, std::string> classes_;
    std::map<std::string, int> nameCounts_;
};

} // namespace inversight
