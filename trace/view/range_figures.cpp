// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/range_figures.h"

#include <algorithm>

namespace inversight {

namespace {

bool onlyAsleep(const ThreadLane::StateTotals& totals) {
    const auto at = [&](ThreadState state) { return totals[static_cast<std::size_t>(state)]; };
    std::int64_t quiet = 0;
    for (const ThreadState state : {ThreadState::Sleeping, ThreadState::Idle, ThreadState::Dead,
                                    ThreadState::Unknown, ThreadState::Stopped})
        quiet += at(state);
    std::int64_t all = 0;
    for (const std::int64_t each : totals)
        all += each;
    return quiet == all;
}

std::optional<LatencySummary> latencyOf(const Latency* latency, ThreadId thread, TimeRange range) {
    if (!latency)
        return std::nullopt;
    const auto found =
        std::find_if(latency->threads.begin(), latency->threads.end(),
                     [thread](const ThreadLatency& each) { return each.thread == thread; });
    return found == latency->threads.end() ? std::nullopt : summarizeOperations(*found, range);
}

} // namespace

std::size_t firstEventAt(const TraceStore& store, std::int64_t time) {
    std::size_t low = 0;
    std::size_t high = store.eventCount();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (store.time(EventIndex{static_cast<std::uint32_t>(middle)}) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::size_t countEvents(const TraceStore& store, TimeRange range) {
    return firstEventAt(store, range.end) - firstEventAt(store, range.begin);
}

RangeFigures rangeFigures(const TrackModel& model, const Latency* latency, TimeRange range) {
    const TrackInputs& inputs = model.inputs();
    RangeFigures figures{.range = range, .threads = {}};
    figures.eventCount = countEvents(*inputs.store, range);
    if (inputs.boosts)
        figures.boostCount = static_cast<std::size_t>(std::count_if(
            inputs.boosts->boosts.begin(), inputs.boosts->boosts.end(),
            [&](const Boost& each) { return !each.nominal && each.range.overlaps(range); }));
    if (inputs.waits) {
        for (const LockWait& wait : inputs.waits->waits) {
            if (!wait.range.overlaps(range))
                continue;
            ++figures.waitCount;
            figures.longestWait = std::max(figures.longestWait, wait.range.length());
        }
    }
    for (std::size_t lane = 0; lane < model.threadLaneCount(); ++lane) {
        ThreadFigures thread{.thread = model.lane(lane).thread,
                             .name = model.lane(lane).name,
                             .states = model.stateTotals(lane, range),
                             .latency = std::nullopt};
        if (onlyAsleep(thread.states))
            continue;
        thread.latency = latencyOf(latency, thread.thread, range);
        figures.threads.push_back(std::move(thread));
    }
    return figures;
}

} // namespace inversight
