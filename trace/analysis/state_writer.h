// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/thread_states.h"

namespace inversight {

/// Writes the intervals of one thread one after the other, so that they cover the range without
/// gap or overlap whatever it is told: what lies behind the last end is ignored, neighbours of one
/// state become one interval. Thread-bound.
class StateWriter {
public:
    /// `storage` lends its memory; what is in it is dropped.
    explicit StateWriter(TimeRange range, std::vector<ThreadStateInterval> storage = {})
        : range_(range), cursor_(range.begin), intervals_(std::move(storage)) {
        intervals_.clear();
    }

    /// The thread was in `state` from where the last interval ended until `end`.
    void until(std::int64_t end, ThreadState state, std::int32_t cpu = -1);
    [[nodiscard]] std::vector<ThreadStateInterval> take() && { return std::move(intervals_); }

private:
    TimeRange range_;
    std::int64_t cursor_;
    std::vector<ThreadStateInterval> intervals_;
};

/// Turns the sleeps (Sleeping, Uninterruptible, and what has been laid over them before) that lie
/// inside `ranges` (disjoint, in order) into `state`, splitting them at the edges. `scratch` only
/// lends its memory. O(intervals + ranges).
void layOver(std::vector<ThreadStateInterval>& intervals, const std::vector<TimeRange>& ranges,
             ThreadState state, std::vector<ThreadStateInterval>& scratch);

} // namespace inversight
