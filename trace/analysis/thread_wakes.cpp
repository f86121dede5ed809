// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/thread_wakes.h"

#include <algorithm>

namespace inversight {

namespace {

/// Clocks of two CPUs differ by less: a wake-up that seems to follow the run it caused by no more
/// is taken for its cause (BUGS B29).
constexpr std::int64_t kMaxClockSkewNs = 100'000;

} // namespace

ThreadWakes::ThreadWakes(const TraceStore& store) : starts_(store.threads().size() + 1, 0) {
    const auto& rows = store.table<SchedWakeRow>();
    std::vector<ThreadId> threads(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const EventIndex event = rows.event(row);
        if (rows[row].tid != 0)
            threads[row] = store.threads().find(rows[row].tid, store.cpu(event), store.time(event));
        if (threads[row].valid())
            ++starts_[threads[row].index() + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i)
        starts_[i] += starts_[i - 1];
    wakes_.resize(starts_.back());
    std::vector<std::size_t> fill(starts_.begin(), starts_.end() - 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!threads[row].valid())
            continue;
        const std::size_t thread = threads[row].index();
        std::int64_t time = store.time(rows.event(row));
        if (fill[thread] > starts_[thread]) // times may step back; a thread's wake-ups may not
            time = std::max(time, wakes_[fill[thread] - 1].time);
        wakes_[fill[thread]++] = {time, rows[row].kind};
    }
}

void WakeCursor::skipTo(std::int64_t time) {
    while (next_ < wakes_.size() && wakes_[next_].time < time)
        ++next_;
}

std::optional<std::int64_t> WakeCursor::late(std::int64_t end, const SchedRun* next) {
    if (!next || next_ >= wakes_.size())
        return std::nullopt;
    const std::int64_t time = wakes_[next_].time;
    if (time >= next->range.end || time - end > kMaxClockSkewNs)
        return std::nullopt;
    ++next_;
    return end;
}

std::optional<std::int64_t> WakeCursor::between(std::int64_t begin, std::int64_t end,
                                                const SchedRun* next) {
    skipTo(begin);
    std::optional<std::int64_t> waking;
    std::optional<std::int64_t> wakeup;
    for (; next_ < wakes_.size() && wakes_[next_].time <= end; ++next_) {
        std::optional<std::int64_t>& first =
            wakes_[next_].kind == WakeEventKind::Waking ? waking : wakeup;
        if (!first)
            first = wakes_[next_].time;
    }
    if (waking)
        return waking;
    return wakeup || begin == end ? wakeup : late(end, next);
}

std::optional<std::int64_t> WakeCursor::afterSleep(const SchedRun& run, std::int64_t end,
                                                   const SchedRun* next) {
    skipTo(run.range.begin);
    bool wokenEarly = false;
    for (; next_ < wakes_.size() && wakes_[next_].time < run.range.end; ++next_)
        wokenEarly |= wakes_[next_].kind == WakeEventKind::Waking;
    std::optional<std::int64_t> woken = between(run.range.end, end, wokenEarly ? nullptr : next);
    if (!woken && wokenEarly)
        woken = run.range.end;
    return woken;
}

} // namespace inversight
