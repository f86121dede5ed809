// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/lock_waits.h"

#include "trace/analysis/loss_map.h"

#include <algorithm>
#include <tuple>

namespace inversight {

namespace {

/// More nested waits than a thread can have: older ones are leftovers of ends that were lost.
constexpr std::size_t kMaxOpenWaits = 16;

class WaitFinder {
public:
    WaitFinder(const TraceStore& store, const Ownership& ownership)
        : store_(store), ownership_(ownership),
          losses_(
              LossMap::of<MarkerRow, FutexEnter, FutexExit, ContentionBegin, ContentionEnd>(store)),
          threads_(store.threads().size()) {}

    void add(const LockEvent& event) {
        std::vector<Open>& open = threads_[event.thread.index()];
        if (event.kind == LockEventKind::Request)
            request(event, open);
        else if (event.kind != LockEventKind::Release)
            end(event, open);
    }

    LockWaits finish();

private:
    struct Open {
        std::size_t wait = 0; ///< index into waits
        LockId lock;
        LockSource source = LockSource::Marker;
        std::int32_t cpu = 0;
        bool merged = false; ///< a part of the wait around it: no row of its own
    };

    void request(const LockEvent& event, std::vector<Open>& open);
    void end(const LockEvent& event, std::vector<Open>& open);
    /// The wait of the same thread that this request is the kernel's side of, or null.
    static Open* enclosing(const LockEvent& event, std::vector<Open>& open);
    void abandon(const Open& open, std::int32_t cpu, std::int64_t time);
    void nameOwner(LockWait& wait) const;
    std::optional<TimeRange> lossBetween(const Open& open, std::int32_t cpu,
                                         std::int64_t time) const;

    const TraceStore& store_;
    const Ownership& ownership_;
    LossMap losses_;
    std::vector<std::vector<Open>> threads_;
    std::vector<LockWait> waits_;
};

WaitFinder::Open* WaitFinder::enclosing(const LockEvent& event, std::vector<Open>& open) {
    if (event.source == LockSource::Marker)
        return nullptr;
    for (auto outer = open.rbegin(); outer != open.rend(); ++outer) {
        // A lock's own futex word, or the waiter's own: a futex call inside a marked wait is how
        // that wait sleeps. A contention inside may be about something else.
        const bool same = event.source == LockSource::Futex || outer->lock == event.lock;
        if (outer->source == LockSource::Marker && same)
            return &*outer;
    }
    return nullptr;
}

void WaitFinder::nameOwner(LockWait& wait) const {
    const LockHold* hold = ownership_.at(wait.lock, wait.range.begin);
    if (!hold || hold->thread == wait.thread)
        return;
    wait.owner = hold->thread;
    wait.evidence = hold->evidence;
    wait.confidence = hold->confidence;
    wait.contended = true;
}

void WaitFinder::request(const LockEvent& event, std::vector<Open>& open) {
    const std::int64_t time = store_.time(event.event);
    const std::int32_t cpu = store_.cpu(event.event);
    // The thread asks again, so its earlier request is over, whatever became of it. A new marked
    // wait also ends every system call below an older one of the same lock.
    std::erase_if(open, [&](const Open& old) {
        const bool again = old.source == event.source &&
                           (old.lock == event.lock || event.source == LockSource::Futex);
        if (again)
            abandon(old, cpu, time);
        return again;
    });
    if (open.size() == kMaxOpenWaits) {
        abandon(open.front(), cpu, time);
        open.erase(open.begin());
    }
    if (const Open* outer = enclosing(event, open)) {
        waits_[outer->wait].contended = true;
        open.push_back({outer->wait, event.lock, event.source, cpu, true});
        return;
    }
    LockWait wait;
    wait.lock = event.lock;
    wait.thread = event.thread;
    wait.range = {time, time};
    wait.source = event.source;
    wait.contended = event.source != LockSource::Marker;
    nameOwner(wait);
    open.push_back({waits_.size(), event.lock, event.source, cpu, false});
    waits_.push_back(wait);
}

std::optional<TimeRange> WaitFinder::lossBetween(const Open& open, std::int32_t cpu,
                                                 std::int64_t time) const {
    const std::int64_t begin = waits_[open.wait].range.begin;
    std::optional<TimeRange> gap = losses_.firstAfter(open.cpu, begin);
    if (const auto other = losses_.firstAfter(cpu, begin); other && (!gap || other->end < gap->end))
        gap = other;
    return gap && gap->end <= time ? gap : std::nullopt;
}

void WaitFinder::abandon(const Open& open, std::int32_t cpu, std::int64_t time) {
    if (open.merged)
        return;
    if (const auto gap = lossBetween(open, cpu, time))
        time = gap->begin;
    LockWait& wait = waits_[open.wait];
    wait.range.end = std::max(wait.range.begin, time);
    wait.acquired = false;
    wait.endSeen = false;
}

void WaitFinder::end(const LockEvent& event, std::vector<Open>& open) {
    const auto found = std::find_if(open.rbegin(), open.rend(), [&](const Open& o) {
        return o.lock == event.lock && o.source == event.source;
    });
    if (found == open.rend())
        return; // its request precedes the trace, or it got the lock without asking (trylock)
    const Open ended = *found;
    open.erase(std::next(found).base());
    const std::int64_t time = store_.time(event.event);
    const std::int32_t cpu = store_.cpu(event.event);
    if (ended.merged)
        return;
    if (lossBetween(ended, cpu, time))
        return abandon(ended, cpu, time); // this may be the end of a later wait
    LockWait& wait = waits_[ended.wait];
    wait.range.end = std::max(wait.range.begin, time);
    wait.acquired = event.kind == LockEventKind::Acquired;
}

LockWaits WaitFinder::finish() {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const std::optional<std::int64_t> exit = store_.threads().all()[i].exitTime;
        for (const Open& open : threads_[i])
            abandon(open, open.cpu, exit.value_or(store_.range().end));
    }
    LockWaits out;
    out.waits = std::move(waits_);
    std::ranges::stable_sort(out.waits, {}, [](const LockWait& wait) { return wait.range.begin; });
    out.byThread.resize(threads_.size());
    for (std::uint32_t i = 0; i < out.waits.size(); ++i)
        out.byThread[out.waits[i].thread.index()].push_back(i);
    return out;
}

} // namespace

Result<LockWaits> findLockWaits(const TraceStore& store, const LockEvents& events,
                                const Ownership& ownership, const JobContext& job) {
    WaitFinder finder(store, ownership);
    std::size_t count = 0;
    for (const LockEvent& event : events.events) {
        if ((count++ & 0xffff) == 0)
            TRY(job.check("finding waits"));
        finder.add(event);
    }
    return finder.finish();
}

} // namespace inversight
