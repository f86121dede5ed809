// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/track_arrows.h"

#include <algorithm>

namespace inversight {

namespace {

/// A chain of owners longer than this is a loop.
constexpr int kMaxChain = 16;
/// How many wake-ups are looked at, backwards, for the one of a thread.
constexpr std::size_t kMaxWakesRead = 200'000;

class ArrowFinder {
public:
    explicit ArrowFinder(const TrackModel& model) : model_(model) {}

    void operator()(const ThreadStateInterval& state) {
        if (state.state == ThreadState::BlockedLock) {
            addChain(state.range.begin);
        } else if (state.state == ThreadState::Running ||
                   state.state == ThreadState::RunnableWoken) {
            addWake(state.range.begin);
        }
    }
    void operator()(const SchedRun& run) { addWake(run.range.begin); }
    void operator()(const LockWait& wait) { addChain(wait.range.begin); }
    void operator()(const Boost& boost) {
        add(TrackArrow::Kind::Boosts, model_.laneOf(boost.donor), boost.range.begin,
            model_.laneOf(boost.target), boost.range.begin);
    }
    template <class Other>
    void operator()(const Other&) {}

    ThreadId thread;
    std::vector<TrackArrow> arrows;

private:
    void add(TrackArrow::Kind kind, std::optional<std::size_t> from, std::int64_t fromTime,
             std::optional<std::size_t> to, std::int64_t toTime) {
        if (from && to && *from != *to)
            arrows.push_back({kind, *from, fromTime, *to, toTime});
    }

    /// thread waits for an owner, who waits for an owner ...
    void addChain(std::int64_t time) {
        ThreadId waiter = thread;
        for (int step = 0; step < kMaxChain; ++step) {
            const auto lane = model_.laneOf(waiter);
            const LockWait* wait = lane ? model_.waitAt(*lane, time) : nullptr;
            if (!wait || !wait->owner.valid())
                return;
            add(TrackArrow::Kind::WaitsFor, lane, time, model_.laneOf(wait->owner), time);
            waiter = wait->owner;
        }
    }

    void addWake(std::int64_t time) {
        const TraceStore& store = *model_.inputs().store;
        const auto& wakes = store.table<SchedWakeRow>();
        const std::int32_t tid = store.threads()[thread].tid;
        std::size_t row = firstAfter(time);
        for (std::size_t read = 0; row > 0 && read < kMaxWakesRead; ++read) {
            const EventIndex event = wakes.event(--row);
            if (wakes[row].tid != tid)
                continue;
            // The waker runs on the event's CPU; where that is idle, an interrupt woke.
            const ThreadId waker = store.thread(event);
            const auto from = waker.valid() && model_.laneOf(waker)
                                  ? model_.laneOf(waker)
                                  : model_.laneOfCpu(store.cpu(event));
            add(TrackArrow::Kind::Wake, from, store.time(event), model_.laneOf(thread),
                store.time(event));
            return;
        }
    }
    /// The first wake-up after `time`.
    [[nodiscard]] std::size_t firstAfter(std::int64_t time) const {
        const TraceStore& store = *model_.inputs().store;
        const auto& wakes = store.table<SchedWakeRow>();
        std::size_t low = 0;
        std::size_t high = wakes.size();
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (store.time(wakes.event(middle)) <= time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    const TrackModel& model_;
};

} // namespace

std::vector<TrackArrow> arrowsFor(const TrackModel& model, const TrackHit& item) {
    ArrowFinder finder(model);
    finder.thread = item.thread;
    if (item.thread.valid())
        std::visit([&finder](const auto& each) { finder(each); }, item.item);
    return std::move(finder.arrows);
}

} // namespace inversight
