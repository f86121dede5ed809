// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/boosts.h"

#include "trace/analysis/futex_operations.h"
#include "trace/analysis/loss_map.h"
#include "trace/analysis/open_waits.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace inversight {

namespace {

constexpr std::int32_t kDeadlinePrio = -1;
constexpr std::int32_t kFirstFairPrio = 100; ///< MAX_RT_PRIO, include/linux/sched/prio.h
constexpr std::uint32_t kNone = 0xffffffff;

/// Who caused a raise, and over which lock.
struct Cause {
    ThreadId donor;
    LockId lock;
    Confidence confidence = Confidence::Unknown;
};

class BoostFinder {
public:
    BoostFinder(const TraceStore& store, const Priorities& priorities, const LockWaits& waits)
        : store_(store), priorities_(priorities), waits_(waits),
          losses_(LossMap::of<PiSetprioRow>(store)), threads_(store.threads().size()) {}

    void on(const LockEvent& event);
    void on(EventIndex event, const PiSetprioRow& row);
    Boosts finish();

private:
    struct ThreadState {
        std::uint32_t boost = kNone; ///< its open boost
        std::int64_t lastEnd = std::numeric_limits<std::int64_t>::min();
        bool inFutexWait = false; ///< a futex call that boosts nobody
        // As a donor: the wait it boosts for, and the last thread of the chain it has reached.
        std::int64_t chainWait = 0;
        std::uint32_t chainHops = 0;
        ThreadId chainEnd;
    };
    struct Change {
        EventIndex event;
        std::int64_t time;
        ThreadId target;
        ThreadId context; ///< the task that changed it (common_pid)
        std::int32_t oldPrio;
        std::int32_t newPrio;
    };

    void raise(const Change& change);
    void lower(const Change& change);
    void openUnseen(const Change& change);
    void open(ThreadId target, Boost boost);
    void close(ThreadId target, std::int64_t time, bool seen);
    void addLevel(Boost& boost, std::int64_t time, std::int32_t prio, const Cause& cause);
    Cause findCause(const Change& change);
    Cause unrecordedCause(const Change& change) const;
    void endChain(ThreadId context) { threads_[context.index()].chainHops = 0; }
    void applyLosses(std::int64_t time);

    Boost* openBoost(ThreadId target) {
        const std::uint32_t index = threads_[target.index()].boost;
        return index == kNone ? nullptr : &boosts_[index];
    }

    const TraceStore& store_;
    const Priorities& priorities_;
    OpenWaits waits_;
    LossMap losses_;
    std::size_t nextLoss_ = 0;
    std::int64_t knownFrom_ = std::numeric_limits<std::int64_t>::min(); ///< end of the last loss
    std::vector<ThreadState> threads_;
    std::vector<ThreadId> boosted_; ///< threads that may have an open boost
    std::vector<Boost> boosts_;
};

void BoostFinder::open(ThreadId target, Boost boost) {
    threads_[target.index()].boost = static_cast<std::uint32_t>(boosts_.size());
    boosts_.push_back(std::move(boost));
    boosted_.push_back(target);
}

void BoostFinder::close(ThreadId target, std::int64_t time, bool seen) {
    ThreadState& state = threads_[target.index()];
    if (state.boost == kNone)
        return;
    Boost& boost = boosts_[state.boost];
    const std::optional<std::int64_t> exit = store_.threads()[target].exitTime;
    const bool exited = exit && *exit <= time;
    boost.range.end = std::max(boost.range.begin, exited ? *exit : time);
    boost.endSeen = seen || exited;
    state.lastEnd = boost.range.end;
    state.boost = kNone;
}

void BoostFinder::applyLosses(std::int64_t time) {
    const std::span<const TimeRange> gaps = losses_.all();
    for (; nextLoss_ < gaps.size() && gaps[nextLoss_].end <= time; ++nextLoss_) {
        for (const ThreadId target : boosted_)
            close(target, gaps[nextLoss_].begin, false);
        boosted_.clear();
        knownFrom_ = std::max(knownFrom_, gaps[nextLoss_].end);
    }
}

void BoostFinder::on(const LockEvent& event) {
    if (event.source != LockSource::Futex)
        return;
    threads_[event.thread.index()].inFutexWait =
        event.kind == LockEventKind::Request && futexOperation(event.flags) == FutexOperation::Wait;
}

/// The wait behind the boost is not in the trace (lock events were not recorded). If the new
/// priority is its own, it is most likely the donor; a requeue or a setscheduler call by somebody
/// else would only have it by chance.
Cause BoostFinder::unrecordedCause(const Change& change) const {
    const PriorityStep* own = priorities_.at(change.context, change.time);
    if (own && own->effective == change.newPrio && change.context != change.target)
        return {change.context, LockId::none(), Confidence::Low};
    return {};
}

/// The causing thread is the donor if it is itself beginning a wait (DOMAIN 3). The first thread it
/// boosts owns the lock it waits for; each further one owns what the one before waits for.
Cause BoostFinder::findCause(const Change& change) {
    if (!change.context.valid() || change.context == change.target)
        return {};
    const LockWait* wait = waits_.innermost(change.context, change.time);
    ThreadState& donor = threads_[change.context.index()];
    // Inside a plain futex wait, only a lock of the kernel's own can inherit.
    if (!wait || (donor.inFutexWait && wait->source != LockSource::Contention))
        return unrecordedCause(change);
    const bool sameChain = donor.chainHops > 0 && donor.chainWait == wait->range.begin;
    donor.chainHops = sameChain ? donor.chainHops + 1 : 1;
    donor.chainWait = wait->range.begin;
    const ThreadId previous = std::exchange(donor.chainEnd, change.target);
    if (donor.chainHops == 1) {
        const bool proven = wait->owner == change.target && wait->confidence == Confidence::Certain;
        return {change.context, wait->lock, proven ? Confidence::Certain : Confidence::High};
    }
    const LockWait* further = waits_.innermost(previous, change.time);
    return {change.context, further ? further->lock : LockId::none(), Confidence::High};
}

void BoostFinder::addLevel(Boost& boost, std::int64_t time, std::int32_t prio, const Cause& cause) {
    const bool higher = boost.levels.empty() || prio < boost.toPrio;
    boost.levels.push_back({time, prio, cause.donor, cause.lock});
    if (!higher)
        return;
    // A boost is told by its highest level: that donor is the one it is all about.
    boost.toPrio = prio;
    boost.donor = cause.donor;
    boost.lock = cause.lock;
    boost.confidence = cause.confidence;
    boost.nominal = boost.fromPrio >= kFirstFairPrio && boost.toPrio >= kFirstFairPrio;
}

void BoostFinder::raise(const Change& change) {
    const Cause cause = findCause(change);
    if (Boost* boost = openBoost(change.target))
        return addLevel(*boost, change.time, change.newPrio, cause);
    Boost boost;
    boost.target = change.target;
    boost.fromPrio = std::max(
        change.oldPrio, priorities_.baseAt(change.target, change.time).value_or(change.oldPrio));
    boost.range = {change.time, change.time};
    // It was above its base before: this is a further level of a boost that began unseen.
    boost.beginSeen = change.oldPrio == boost.fromPrio;
    addLevel(boost, change.time, change.newPrio, cause);
    open(change.target, std::move(boost));
}

/// A boost ends, or goes down a step, whose begin is not in the trace.
void BoostFinder::openUnseen(const Change& change) {
    const ThreadInfo& thread = store_.threads()[change.target];
    std::int64_t begin =
        std::max({store_.range().begin, knownFrom_, thread.forkTime.value_or(store_.range().begin),
                  threads_[change.target.index()].lastEnd});
    // The latest sign of a lower priority: the boost began after it.
    const auto& steps = priorities_.byThread[change.target.index()];
    auto step = std::ranges::lower_bound(steps, change.time, {},
                                         [](const PriorityStep& s) { return s.range.begin; });
    const auto after = step;
    while (step != steps.begin() && std::prev(step)->effective < change.newPrio &&
           std::prev(step)->range.end > begin)
        --step;
    if (step != steps.begin())
        begin = std::max(begin, step != after ? step->range.begin : change.time);
    Boost boost;
    boost.target = change.target;
    boost.fromPrio = std::max(
        change.newPrio, priorities_.baseAt(change.target, change.time).value_or(change.newPrio));
    boost.range = {std::min(begin, change.time), change.time};
    boost.beginSeen = false;
    addLevel(boost, boost.range.begin, change.oldPrio, {});
    open(change.target, std::move(boost));
}

void BoostFinder::lower(const Change& change) {
    if (change.context.valid() && change.context != change.target)
        endChain(change.context); // it gave up its wait; what it boosts next is a new chain
    if (!openBoost(change.target))
        openUnseen(change);
    Boost& boost = *openBoost(change.target);
    const std::int32_t base =
        priorities_.baseAt(change.target, change.time).value_or(boost.fromPrio);
    // Some 4.12 to 4.17 kernels show the end as old == new (DOMAIN 3).
    if (change.newPrio >= base || change.newPrio == change.oldPrio)
        return close(change.target, change.time, true);
    boost.levels.push_back({change.time, change.newPrio, ThreadId::none(), LockId::none()});
}

void BoostFinder::on(EventIndex event, const PiSetprioRow& row) {
    Change change{event, store_.time(event), {}, store_.thread(event), row.oldPrio, row.newPrio};
    change.target = store_.threads().find(row.tid, store_.cpu(event), change.time);
    applyLosses(change.time);
    if (!change.target.valid())
        return;
    if (row.newPrio < row.oldPrio)
        return raise(change);
    const bool equal = row.newPrio == row.oldPrio;
    // -1 -> -1: a deadline task inherits another deadline; and an end without a begin that names no
    // base tells nothing.
    if (equal && (row.newPrio == kDeadlinePrio || !openBoost(change.target)))
        return;
    lower(change);
}

Boosts BoostFinder::finish() {
    applyLosses(store_.range().end);
    for (const ThreadId target : boosted_)
        close(target, store_.range().end, false);
    Boosts out;
    out.boosts = std::move(boosts_);
    std::ranges::stable_sort(out.boosts, {}, [](const Boost& boost) { return boost.range.begin; });
    out.byTarget.resize(threads_.size());
    for (std::uint32_t i = 0; i < out.boosts.size(); ++i)
        out.byTarget[out.boosts[i].target.index()].push_back(i);
    return out;
}

} // namespace

Result<Boosts> findBoosts(const TraceStore& store, const Priorities& priorities,
                          const LockEvents& events, const LockWaits& waits, const JobContext& job) {
    BoostFinder finder(store, priorities, waits);
    const auto& rows = store.table<PiSetprioRow>();
    auto lockEvent = events.events.begin();
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if ((row & 0xffff) == 0)
            TRY(job.check("finding boosts"));
        for (; lockEvent != events.events.end() && lockEvent->event < rows.event(row); ++lockEvent)
            finder.on(*lockEvent);
        finder.on(rows.event(row), rows[row]);
    }
    return finder.finish();
}

} // namespace inversight
