// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/state_writer.h"

#include <algorithm>
#include <utility>

namespace inversight {

void StateWriter::until(std::int64_t end, ThreadState state, std::int32_t cpu) {
    end = std::min(end, range_.end);
    if (end <= cursor_)
        return;
    ThreadStateInterval* last = intervals_.empty() ? nullptr : &intervals_.back();
    if (last && last->state == state && last->cpu == cpu)
        last->range.end = end;
    else
        intervals_.push_back({{cursor_, end}, state, cpu});
    cursor_ = end;
}

namespace {

/// Sleeps, and what has been laid over them before.
bool isSleep(ThreadState state) {
    return state == ThreadState::Sleeping || state == ThreadState::Uninterruptible ||
           state == ThreadState::Wire || state == ThreadState::BlockedLock;
}

} // namespace

void layOver(std::vector<ThreadStateInterval>& intervals, const std::vector<TimeRange>& ranges,
             ThreadState state, std::vector<ThreadStateInterval>& scratch) {
    if (ranges.empty() || intervals.empty())
        return;
    StateWriter writer({intervals.front().range.begin, intervals.back().range.end},
                       std::move(scratch));
    auto range = ranges.begin();
    for (const ThreadStateInterval& interval : intervals) {
        while (range != ranges.end() && range->end <= interval.range.begin)
            ++range;
        // Several ranges may lie in one sleep, and one range over several sleeps.
        for (auto inside = range; isSleep(interval.state) && inside != ranges.end() &&
                                  inside->begin < interval.range.end;
             ++inside) {
            writer.until(inside->begin, interval.state, interval.cpu);
            writer.until(std::min(inside->end, interval.range.end), state);
        }
        writer.until(interval.range.end, interval.state, interval.cpu);
    }
    scratch = std::exchange(intervals, std::move(writer).take());
}

} // namespace inversight
