// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/lock_waits.h"

namespace inversight {

/// Answers "what does this thread wait for now?" for questions in time order. Every wait is
/// entered and left once: O(waits) in all, whatever the number of questions. Thread-bound.
class OpenWaits {
public:
    explicit OpenWaits(const LockWaits& waits);

    /// The innermost wait of `thread` that covers `time`, or null. Times of one thread must not
    /// step back; where they do, the answer is that of the latest time asked.
    const LockWait* innermost(ThreadId thread, std::int64_t time);

private:
    struct ThreadState {
        std::size_t next = 0;            ///< into byThread
        std::vector<std::uint32_t> open; ///< by begin
    };
    const LockWaits& waits_;
    std::vector<ThreadState> threads_;
};

} // namespace inversight
