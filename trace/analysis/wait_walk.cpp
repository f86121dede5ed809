// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/wait_walk.h"

#include "trace/analysis/priority_ranks.h"
#include "trace/analysis/timeline_search.h"

#include <algorithm>

namespace inversight {

namespace {

/// Waits of one thread that may be open at once; more are leftovers of a hostile trace.
constexpr std::size_t kMaxNestedWaits = 16;

bool isAsleep(ThreadState state) {
    return state != ThreadState::Running && state != ThreadState::RunnableWoken &&
           state != ThreadState::RunnablePreempted;
}

TimeRange common(const TimeRange& a, const TimeRange& b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

} // namespace

WaitWalk::WaitWalk(const WaitWalkInputs& inputs)
    : in_(inputs), marked_(inputs.events.locks.size(), false), queueCpu_(inputs.store, inputs.runs),
      stateHints_(inputs.store.threads().size()), stepHints_(stateHints_.size()),
      waitHints_(stateHints_.size()), helperHints_(stateHints_.size()),
      transferHints_(stateHints_.size()), holdHints_(inputs.events.locks.size()) {
    for (const LockHold& hold : in_.ownership.holds)
        if (hold.evidence == OwnerEvidence::Marker)
            marked_[hold.lock.index()] = true;
    for (const auto& [cpu, runs] : in_.runs.byCpu) {
        if (cpu < 0)
            continue; // a text that does not say on which CPUs things ran
        const auto index = static_cast<std::size_t>(cpu);
        byCpu_.resize(std::max(byCpu_.size(), index + 1));
        byCpu_[index] = &runs;
    }
    cpuHints_.resize(byCpu_.size());
}

void WaitWalk::begin(ThreadId waiter, std::vector<WaitSegment>& out) {
    out_ = &out;
    firstSegment_ = out.size();
    hold_ = {};
    before_ = nullptr;
    chain_[0] = waiter;
    chainLength_ = 1;
}

void WaitWalk::add(const TimeRange& range, WaitPart part, ThreadId by) {
    if (range.length() <= 0)
        return;
    const WaitSegment segment{range.begin, by, hold_.owner, part, hold_.kind, chainLength_ > 2};
    if (out_->size() > firstSegment_) {
        const WaitSegment& last = out_->back();
        if (last.part == segment.part && last.by == segment.by && last.owner == segment.owner &&
            last.hold == segment.hold && last.chained == segment.chained)
            return;
    }
    out_->push_back(segment);
}

std::size_t WaitWalk::firstHold(const LockWait& wait) {
    const std::vector<std::uint32_t>& ids = in_.ownership.byLock[wait.lock.index()];
    const std::size_t first =
        lastBegunAt(ids.size(), wait.range.begin, holdHints_[wait.lock.index()],
                    [&](std::size_t i) { return in_.ownership.holds[ids[i]].range.begin; });
    return first == ids.size() ? 0 : first;
}

bool WaitWalk::heldByOthers(const LockWait& wait) {
    const std::vector<std::uint32_t>& ids = in_.ownership.byLock[wait.lock.index()];
    for (std::size_t i = firstHold(wait); i < ids.size(); ++i) {
        const LockHold& hold = in_.ownership.holds[ids[i]];
        if (hold.range.begin >= wait.range.end)
            return false;
        if (hold.thread != wait.thread && common(hold.range, wait.range).length() > 0)
            return true;
    }
    return false;
}

bool WaitWalk::walk(const LockWait& wait, std::vector<WaitSegment>& out) {
    if (wait.range.length() <= 0 || (!wait.contended && !heldByOthers(wait)))
        return false;
    begin(wait.thread, out);
    const std::vector<std::uint32_t>& ids = in_.ownership.byLock[wait.lock.index()];
    const LockHold* before = nullptr;
    std::int64_t position = wait.range.begin;
    for (std::size_t i = firstHold(wait); i < ids.size(); ++i) {
        const LockHold& hold = in_.ownership.holds[ids[i]];
        if (hold.range.begin >= wait.range.end)
            break;
        const TimeRange inside = common(hold.range, {position, wait.range.end});
        if (hold.thread == wait.thread)
            continue;
        if (inside.length() > 0) {
            unowned(wait, before, &hold, {position, inside.begin});
            held(wait, hold, inside);
            position = inside.end;
        }
        before = &hold;
    }
    unowned(wait, before, nullptr, {position, wait.range.end});
    return true;
}

void WaitWalk::walk(const HelperWait& wait, std::vector<WaitSegment>& out) {
    begin(wait.thread, out);
    hold_ = {wait.helper, HoldKind::AtRequest};
    const std::int64_t woken = std::clamp(wait.woken, wait.range.begin, wait.range.end);
    follow(wait.helper, {wait.range.begin, woken});
    hold_ = {};
    add({woken, wait.range.end}, WaitPart::Handoff, wait.thread);
}

HoldKind WaitWalk::kindOf(const LockWait& wait, const LockHold& hold) {
    if (hold.range.begin <= wait.range.begin)
        return HoldKind::AtRequest;
    const PriorityStep* owner = stepAt(hold.thread, hold.range.begin);
    const PriorityStep* waiter = stepAt(wait.thread, wait.range.begin);
    const bool lower = owner && waiter && isHigher(waiter->base, owner->base);
    return lower ? HoldKind::FifoOrder : HoldKind::Queueing;
}

void WaitWalk::held(const LockWait& wait, const LockHold& hold, const TimeRange& range) {
    // Several pieces of evidence may make one hold of several rows: a futex call after the marker
    // that it ends, above all. Two marked holds are two.
    const bool goesOn = before_ && before_->thread == hold.thread &&
                        hold.evidence != OwnerEvidence::Marker &&
                        (before_->evidence == OwnerEvidence::Marker ||
                         before_->range.end == hold.range.begin);
    if (before_ != &hold && !goesOn)
        kind_ = kindOf(wait, hold);
    before_ = &hold;
    hold_ = {hold.thread, kind_};
    follow(hold.thread, range);
}

/// Nobody owns the lock. With markers that is sure: the last owner has written its HoldEnd and is
/// letting go, until the next one wakes; then that one is on its way.
void WaitWalk::unowned(const LockWait& wait, const LockHold* before, const LockHold* next,
                       const TimeRange& range) {
    if (range.length() <= 0)
        return;
    if (!marked_[wait.lock.index()] && wait.source != LockSource::Marker)
        return unownedUnmarked(wait, next, range);
    const ThreadId following = next ? next->thread : wait.thread;
    const std::int64_t awake = awakeFrom(following, range);
    if (before)
        held(wait, *before, {range.begin, awake});
    else
        add({range.begin, awake}, WaitPart::Unknown, ThreadId::none());
    if (next)
        return held(wait, *next, {awake, range.end});
    hold_ = {};
    add({awake, range.end}, WaitPart::Handoff, wait.thread);
}

/// Without markers, an owner may only be unknown; but who was woken and then got the lock was on
/// its way to it from there.
void WaitWalk::unownedUnmarked(const LockWait& wait, const LockHold* next, const TimeRange& range) {
    hold_ = {};
    const bool gets = !next && wait.acquired && wait.endSeen;
    const std::int64_t awake = gets ? awakeSince(wait.thread, range) : range.end;
    add({range.begin, awake}, WaitPart::Unknown, ThreadId::none());
    add({awake, range.end}, WaitPart::Handoff, wait.thread);
}

bool WaitWalk::inChain(ThreadId thread) const {
    const auto end = chain_.begin() + static_cast<std::ptrdiff_t>(chainLength_);
    return std::find(chain_.begin(), end, thread) != end;
}

std::size_t WaitWalk::firstWait(ThreadId thread, std::int64_t time) {
    const std::vector<std::uint32_t>& ids = in_.lockWaits.byThread[thread.index()];
    const auto waitOf = [&](std::size_t i) -> const LockWait& {
        return in_.lockWaits.waits[ids[i]];
    };
    std::size_t first = lastBegunAt(ids.size(), time, waitHints_[thread.index()],
                                    [&](std::size_t i) { return waitOf(i).range.begin; });
    if (first == ids.size())
        return 0;
    // The outermost of those that are open then.
    const std::size_t stop = first > kMaxNestedWaits ? first - kMaxNestedWaits : 0;
    for (std::size_t i = first; i-- > stop;)
        if (waitOf(i).range.end > time)
            first = i;
    return first;
}

/// From a thread to whom it waits for, as long as it does; else what it did itself.
void WaitWalk::follow(ThreadId thread, const TimeRange& range) {
    if (range.length() <= 0)
        return;
    // In a circle nobody will ever let go.
    if (chainLength_ == kMaxChain || inChain(thread))
        return add(range, WaitPart::OwnerBlocked, thread);
    chain_[chainLength_++] = thread;
    std::int64_t position = range.begin;
    const std::vector<std::uint32_t>& ids = in_.lockWaits.byThread[thread.index()];
    for (std::size_t i = firstWait(thread, range.begin); i < ids.size(); ++i) {
        const LockWait& wait = in_.lockWaits.waits[ids[i]];
        if (wait.range.begin >= range.end)
            break;
        const TimeRange inside = common(wait.range, {position, range.end});
        if (inside.length() <= 0)
            continue;
        story(thread, {position, inside.begin});
        followLock(thread, wait, inside);
        position = inside.end;
    }
    story(thread, {position, range.end});
    --chainLength_;
}

void WaitWalk::followLock(ThreadId thread, const LockWait& wait, const TimeRange& range) {
    const std::vector<std::uint32_t>& ids = in_.ownership.byLock[wait.lock.index()];
    std::int64_t position = range.begin;
    std::size_t first =
        lastBegunAt(ids.size(), range.begin, holdHints_[wait.lock.index()],
                    [&](std::size_t i) { return in_.ownership.holds[ids[i]].range.begin; });
    for (first = first == ids.size() ? 0 : first; first < ids.size(); ++first) {
        const LockHold& hold = in_.ownership.holds[ids[first]];
        if (hold.range.begin >= range.end)
            break;
        const TimeRange inside = common(hold.range, {position, range.end});
        if (hold.thread == thread || inside.length() <= 0)
            continue;
        story(thread, {position, inside.begin});
        follow(hold.thread, inside);
        position = inside.end;
    }
    story(thread, {position, range.end});
}

void WaitWalk::followHelpers(ThreadId thread, const TimeRange& range, WaitPart otherwise) {
    const std::vector<std::uint32_t>& ids = in_.helperWaits.byThread[thread.index()];
    const auto waitOf = [&](std::size_t i) -> const HelperWait& {
        return in_.helperWaits.waits[ids[i]];
    };
    std::size_t i = lastBegunAt(ids.size(), range.begin, helperHints_[thread.index()],
                                [&](std::size_t k) { return waitOf(k).range.begin; });
    std::int64_t position = range.begin;
    for (i = i == ids.size() ? 0 : i; i < ids.size() && waitOf(i).range.begin < range.end; ++i) {
        const TimeRange inside =
            common({waitOf(i).range.begin, waitOf(i).woken}, {position, range.end});
        if (inside.length() <= 0 || inChain(waitOf(i).helper))
            continue;
        add({position, inside.begin}, otherwise, thread);
        follow(waitOf(i).helper, inside);
        position = inside.end;
    }
    add({position, range.end}, otherwise, thread);
}

std::size_t WaitWalk::stateAt(ThreadId thread, std::int64_t time) {
    const auto& intervals = in_.states.byThread[thread.index()];
    return lastBegunAt(intervals.size(), time, stateHints_[thread.index()],
                       [&](std::size_t i) { return intervals[i].range.begin; });
}

const PriorityStep* WaitWalk::stepAt(ThreadId thread, std::int64_t time) {
    const auto& steps = in_.priorities.byThread[thread.index()];
    const std::size_t step = lastBegunAt(steps.size(), time, stepHints_[thread.index()],
                                         [&](std::size_t i) { return steps[i].range.begin; });
    return step == steps.size() ? nullptr : &steps[step];
}

std::int64_t WaitWalk::awakeFrom(ThreadId thread, const TimeRange& range) {
    const auto& intervals = in_.states.byThread[thread.index()];
    for (std::size_t i = stateAt(thread, range.begin); i < intervals.size(); ++i) {
        if (intervals[i].range.begin >= range.end)
            break;
        if (!isAsleep(intervals[i].state))
            return std::max(range.begin, intervals[i].range.begin);
    }
    return range.end;
}

std::int64_t WaitWalk::awakeSince(ThreadId thread, const TimeRange& range) {
    const auto& intervals = in_.states.byThread[thread.index()];
    std::size_t i = stateAt(thread, range.end - 1);
    if (i >= intervals.size())
        return range.end;
    std::int64_t since = range.end;
    for (; !isAsleep(intervals[i].state); --i) {
        since = intervals[i].range.begin;
        if (i == 0 || since <= range.begin)
            return range.end; // it has not slept in it: it spins, or never had to
    }
    return since;
}

void WaitWalk::story(ThreadId thread, const TimeRange& range) {
    if (range.length() <= 0)
        return;
    const auto& intervals = in_.states.byThread[thread.index()];
    std::int64_t position = range.begin;
    for (std::size_t i = stateAt(thread, range.begin); i < intervals.size(); ++i) {
        const TimeRange inside = common(intervals[i].range, {position, range.end});
        if (inside.length() <= 0)
            break;
        tell(thread, intervals[i], inside);
        position = inside.end;
    }
    add({position, range.end}, WaitPart::Unknown, ThreadId::none());
}

void WaitWalk::tell(ThreadId thread, const ThreadStateInterval& interval, const TimeRange& range) {
    switch (interval.state) {
    case ThreadState::Running:
        return add(range, WaitPart::CriticalSection, thread);
    case ThreadState::RunnableWoken:
    case ThreadState::RunnablePreempted:
        return runnable(thread, range);
    case ThreadState::Wire:
        return followHelpers(thread, range, WaitPart::Wire);
    case ThreadState::Sleeping:
    case ThreadState::Uninterruptible:
        return followHelpers(
            thread, range, chainInTransfer(range.begin) ? WaitPart::Wire : WaitPart::OwnerBlocked);
    case ThreadState::Idle:
    case ThreadState::Stopped:
        return add(range, WaitPart::OwnerBlocked, thread);
    case ThreadState::BlockedLock: // on a lock whose owner nobody knows
    case ThreadState::Dead:
    case ThreadState::Unknown:
        return add(range, WaitPart::Unknown, ThreadId::none());
    }
}

/// A helper that sleeps while its caller's transfer is under way waits for the wire, too.
bool WaitWalk::chainInTransfer(std::int64_t time) {
    for (std::size_t link = 1; link < chainLength_; ++link) {
        const std::size_t thread = chain_[link].index();
        const std::vector<std::uint32_t>& ids = in_.bus.byThread[thread];
        const std::size_t i =
            lastBegunAt(ids.size(), time, transferHints_[thread],
                        [&](std::size_t k) { return in_.bus.transfers[ids[k]].range.begin; });
        if (i < ids.size() && in_.bus.transfers[ids[i]].range.end > time)
            return true;
    }
    return false;
}

void WaitWalk::runnable(ThreadId thread, const TimeRange& range) {
    for (std::int64_t position = range.begin; position < range.end;) {
        const QueueCpu::Answer queue = queueCpu_.at(thread, position, range.end);
        const std::int64_t until = std::max(queue.until, position + 1);
        runnableOn(thread, queue.cpu, {position, std::min(until, range.end)});
        position = until;
    }
}

void WaitWalk::runnableOn(ThreadId thread, std::int32_t cpu, const TimeRange& range) {
    const auto index = static_cast<std::size_t>(cpu);
    if (cpu < 0 || index >= byCpu_.size() || !byCpu_[index])
        return add(range, WaitPart::Unknown, ThreadId::none());
    const std::vector<std::uint32_t>& ids = *byCpu_[index];
    const auto runOf = [&](std::size_t i) -> const SchedRun& { return in_.runs.runs[ids[i]]; };
    std::size_t i = lastBegunAt(ids.size(), range.begin, cpuHints_[index],
                                [&](std::size_t k) { return runOf(k).range.begin; });
    std::int64_t position = range.begin;
    for (i = i == ids.size() ? 0 : i; i < ids.size() && runOf(i).range.begin < range.end; ++i) {
        const TimeRange inside = common(runOf(i).range, {position, range.end});
        if (inside.length() <= 0)
            continue;
        add({position, inside.begin}, WaitPart::Unknown, ThreadId::none());
        displaced(thread, runOf(i), inside);
        position = inside.end;
    }
    add({position, range.end}, WaitPart::Unknown, ThreadId::none());
}

/// `run` has the CPU that `thread` could use.
void WaitWalk::displaced(ThreadId thread, const SchedRun& run, const TimeRange& range) {
    const bool idle = in_.store.threads()[run.thread].isIdle();
    if (idle || run.thread == chain_[0] || run.thread == thread)
        return add(range, WaitPart::Dispatch, idle ? ThreadId::none() : run.thread);
    for (std::int64_t position = range.begin; position < range.end;) {
        std::int64_t until = range.end;
        const auto prioOf = [&](ThreadId who) -> std::optional<std::int32_t> {
            const PriorityStep* step = stepAt(who, position);
            if (!step)
                return std::nullopt;
            if (step->range.end > position)
                until = std::min(until, step->range.end);
            return step->effective;
        };
        const auto owner = prioOf(thread);
        const auto waiter = prioOf(chain_[0]);
        const std::int32_t runner = prioOf(run.thread).value_or(run.prio);
        if (owner && waiter)
            add({position, until}, compare(*owner, runner, *waiter, run.thread), run.thread);
        else
            add({position, until}, WaitPart::Unknown, ThreadId::none());
        position = until;
    }
}

WaitPart WaitWalk::compare(std::int32_t owner, std::int32_t runner, std::int32_t waiter,
                           ThreadId by) const {
    if (inChain(by))
        return isHigher(waiter, runner) ? WaitPart::Dispatch : WaitPart::Interference;
    if (isFair(owner) && isFair(runner))
        return WaitPart::Peer;
    if (!isHigher(waiter, runner))
        return WaitPart::Interference;
    if (isHigher(runner, owner))
        return WaitPart::Mid;
    return isHigher(owner, runner) ? WaitPart::Dispatch : WaitPart::Peer;
}

} // namespace inversight
