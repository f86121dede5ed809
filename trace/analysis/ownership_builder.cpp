// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/ownership_builder.h"

#include "trace/analysis/contention_flags.h"
#include "trace/analysis/futex_operations.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace inversight {

namespace {

constexpr std::size_t kMaxOpenRequests = 16;
/// Locks that a thread is remembered to own by inference: more than one is ambiguous already.
constexpr std::size_t kMaxInferred = 16;

} // namespace

OwnershipBuilder::OwnershipBuilder(const TraceStore& store, const LockEvents& events)
    : store_(store), events_(events),
      losses_(
          LossMap::of<MarkerRow, FutexEnter, ContentionBegin, ContentionEnd, PiSetprioRow>(store)),
      locks_(events.locks.size()), threads_(store.threads().size()) {}

OwnershipBuilder::LockState& OwnershipBuilder::lockState(LockId lock) {
    LockState& state = locks_[lock.index()];
    if (state.epoch != epoch_) {
        state.waiters = 0;
        state.epoch = epoch_;
    }
    return state;
}

OwnershipBuilder::ThreadState& OwnershipBuilder::threadState(ThreadId thread) {
    ThreadState& state = threads_[thread.index()];
    if (state.epoch != epoch_) {
        state = {};
        state.epoch = epoch_;
    }
    return state;
}

LockHold* OwnershipBuilder::openHold(LockId lock) {
    const std::uint32_t hold = locks_[lock.index()].hold;
    return hold == kNone ? nullptr : &holds_[hold];
}

void OwnershipBuilder::open(LockId lock, ThreadId thread, std::int64_t begin,
                            OwnerEvidence evidence, Confidence confidence) {
    LockState& state = lockState(lock);
    if (state.anyClosed)
        begin = std::max(begin, state.closedUntil);
    state.hold = static_cast<std::uint32_t>(holds_.size());
    holds_.push_back({lock, thread, {begin, begin}, evidence, confidence, false});
    if (evidence == OwnerEvidence::Marker)
        return;
    if (!std::exchange(state.listed, true))
        inferred_.push_back(lock);
    std::vector<LockId>& owned = threadState(thread).inferred;
    std::erase(owned, lock);
    if (owned.size() == kMaxInferred)
        owned.erase(owned.begin());
    owned.push_back(lock);
}

void OwnershipBuilder::close(LockId lock, std::int64_t end, bool seen) {
    LockState& state = locks_[lock.index()];
    if (state.hold == kNone)
        return;
    LockHold& hold = holds_[state.hold];
    hold.range.end = std::max(hold.range.begin, end);
    hold.endSeen = seen;
    state.closedUntil = hold.range.end;
    state.anyClosed = true;
    state.hold = kNone;
}

/// Across a loss, only markers still prove anything: their cookies name the hold.
void OwnershipBuilder::applyLosses(std::int64_t time) {
    const std::span<const TimeRange> gaps = losses_.all();
    for (; nextLoss_ < gaps.size() && gaps[nextLoss_].end <= time; ++nextLoss_) {
        for (const LockId lock : inferred_) {
            const LockHold* hold = openHold(lock);
            if (hold && hold->evidence != OwnerEvidence::Marker)
                close(lock, gaps[nextLoss_].begin, false);
            locks_[lock.index()].listed = false;
        }
        inferred_.clear();
        ++epoch_;
    }
}

void OwnershipBuilder::pushRequest(const LockEvent& event, std::int64_t time) {
    std::vector<Request>& requests = threadState(event.thread).requests;
    // A request of the same kind that never ended is void: a thread waits once at a time.
    std::erase_if(requests, [&](const Request& request) {
        return request.source == event.source &&
               (event.source == LockSource::Futex || request.lock == event.lock);
    });
    if (requests.size() == kMaxOpenRequests)
        requests.erase(requests.begin());
    requests.push_back({event.lock, event.source, event.flags, time, 0, ThreadId::none()});
}

std::optional<OwnershipBuilder::Request> OwnershipBuilder::popRequest(const LockEvent& event) {
    std::vector<Request>& requests = threadState(event.thread).requests;
    const auto found = std::find_if(requests.rbegin(), requests.rend(), [&](const Request& r) {
        return r.lock == event.lock && r.source == event.source;
    });
    if (found == requests.rend())
        return std::nullopt;
    const Request request = *found;
    requests.erase(std::next(found).base());
    return request;
}

void OwnershipBuilder::dropGuess(ThreadId thread, std::int64_t time) {
    const LockId lock = std::exchange(threadState(thread).guessed, LockId::none());
    if (!lock.valid())
        return;
    const LockHold* hold = openHold(lock);
    if (hold && hold->thread == thread && hold->evidence == OwnerEvidence::ContentionEnd)
        close(lock, time, false);
}

void OwnershipBuilder::seenInUserMode(EventIndex event) {
    if (const ThreadId thread = store_.thread(event); thread.valid())
        dropGuess(thread, store_.time(event));
}

void OwnershipBuilder::add(const LockEvent& event) {
    const std::int64_t time = store_.time(event.event);
    applyLosses(time);
    // A marker or a system call is user mode, and a new wait a new chapter.
    if (event.source != LockSource::Contention || event.kind == LockEventKind::Request)
        dropGuess(event.thread, time);
    switch (event.source) {
    case LockSource::Marker:
        return marker(event, time);
    case LockSource::Futex:
        return futex(event, time);
    case LockSource::Contention:
        return contention(event, time);
    }
}

void OwnershipBuilder::marker(const LockEvent& event, std::int64_t time) {
    switch (event.kind) {
    case LockEventKind::Request:
        return pushRequest(event, time);
    case LockEventKind::GiveUp:
        popRequest(event);
        return;
    case LockEventKind::Acquired:
        popRequest(event);
        close(event.lock, time, false); // whatever was believed, it is over
        open(event.lock, event.thread, time, OwnerEvidence::Marker, Confidence::Certain);
        locks_[event.lock.index()].cookie = event.cookie;
        return;
    case LockEventKind::Release: {
        const LockHold* hold = openHold(event.lock);
        if (hold && hold->evidence == OwnerEvidence::Marker &&
            locks_[event.lock.index()].cookie == event.cookie)
            close(event.lock, time, true);
        return;
    }
    }
}

Confidence OwnershipBuilder::historyConfidence(LockId lock) const {
    // The same address in two processes is two locks: without the process this is a guess.
    return events_.locks[lock.index()].tgid >= 0 ? Confidence::High : Confidence::Low;
}

void OwnershipBuilder::futexRelease(const LockEvent& event, std::int64_t time) {
    const LockState& state = lockState(event.lock);
    const LockHold* hold = openHold(event.lock);
    if (hold && hold->evidence == OwnerEvidence::Marker)
        return;
    if (hold && hold->thread == event.thread)
        return close(event.lock, time, true);
    if (hold)
        close(event.lock, state.queuedSince, false);
    if (state.waiters == 0)
        return;
    open(event.lock, event.thread, std::min(state.queuedSince, time), OwnerEvidence::FutexHistory,
         historyConfidence(event.lock));
    close(event.lock, time, true);
}

void OwnershipBuilder::futex(const LockEvent& event, std::int64_t time) {
    if (event.kind == LockEventKind::Release)
        return futexRelease(event, time);
    LockState& state = lockState(event.lock);
    if (event.kind == LockEventKind::Request) {
        pushRequest(event, time);
        if (futexOperation(event.flags) == FutexOperation::LockPi && state.waiters++ == 0)
            state.queuedSince = time;
        return;
    }
    const std::optional<Request> request = popRequest(event);
    if (!request || futexOperation(request->flags) != FutexOperation::LockPi)
        return;
    state.waiters -= state.waiters > 0 ? 1 : 0;
    const LockHold* hold = openHold(event.lock);
    if (hold && hold->evidence == OwnerEvidence::Marker)
        return;
    if (event.kind == LockEventKind::GiveUp) {
        if (state.waiters == 0) // from here on the owner may release it unseen
            close(event.lock, time, false);
        return;
    }
    close(event.lock, time, false);
    if (state.waiters > 0)
        open(event.lock, event.thread, time, OwnerEvidence::FutexHistory,
             historyConfidence(event.lock));
}

void OwnershipBuilder::contention(const LockEvent& event, std::int64_t time) {
    if (event.kind == LockEventKind::Request)
        return pushRequest(event, time);
    popRequest(event);
    const LockHold* hold = openHold(event.lock);
    if (hold && hold->evidence == OwnerEvidence::Marker)
        return;
    if (event.kind == LockEventKind::GiveUp) {
        // The boost that named the owner was this waiter's: its release will not be seen.
        close(event.lock, time, false);
        return;
    }
    close(event.lock, time, false);
    if (!isExclusiveSleepingLock(event.flags))
        return;
    dropGuess(event.thread, time);
    open(event.lock, event.thread, time, OwnerEvidence::ContentionEnd, Confidence::Low);
    threadState(event.thread).guessed = event.lock;
}

void OwnershipBuilder::concludeOwner(LockId lock, ThreadId owner, std::int64_t begin,
                                     std::int64_t now) {
    LockHold* hold = openHold(lock);
    if (hold && hold->evidence == OwnerEvidence::Marker)
        return;
    if (hold && hold->thread == owner) {
        if (hold->evidence != OwnerEvidence::PiSetprio) {
            hold->evidence = OwnerEvidence::PiSetprio;
            hold->confidence = Confidence::High;
        }
        return;
    }
    if (hold) // the boost proves the belief wrong since at least the waiter's request
        close(lock, std::min(begin, now), false);
    open(lock, owner, begin, OwnerEvidence::PiSetprio, Confidence::High);
}

/// "Unlock: deboost first" (DOMAIN 2): a thread that lowers its own priority lets a lock go. Which
/// one is certain only if it is known to own a single one; after that nobody is known to own the
/// others. A futex says so by itself.
void OwnershipBuilder::selfDeboost(ThreadId thread, std::int64_t time) {
    std::vector<LockId>& owned = threadState(thread).inferred;
    std::erase_if(owned, [&](LockId lock) {
        const LockHold* hold = openHold(lock);
        return !hold || hold->thread != thread || hold->evidence == OwnerEvidence::Marker;
    });
    const bool single = owned.size() == 1;
    for (const LockId lock : owned)
        if (events_.locks[lock.index()].source == LockSource::Contention)
            close(lock, time, single);
}

void OwnershipBuilder::inherit(EventIndex event, const PiSetprioRow& row) {
    const std::int64_t time = store_.time(event);
    applyLosses(time);
    const ThreadId cause = store_.thread(event);
    const ThreadId target = store_.threads().find(row.tid, store_.cpu(event), time);
    if (!cause.valid() || !target.valid())
        return;
    if (row.newPrio >= row.oldPrio) {
        if (cause == target)
            selfDeboost(target, time);
        else if (!threadState(cause).requests.empty())
            threadState(cause).requests.back().hops = 0; // it gave up; what follows is a new chain
        return;
    }
    std::vector<Request>& requests = threadState(cause).requests;
    if (requests.empty() || cause == target)
        return;
    Request& request = requests.back();
    const bool futexWait = request.source == LockSource::Futex &&
                           futexOperation(request.flags) == FutexOperation::Wait;
    if (futexWait)
        return; // such a wait boosts nobody: this is about another lock, which the trace hides
    const ThreadId previous = std::exchange(request.lastTarget, target);
    if (request.hops++ == 0)
        return concludeOwner(request.lock, target, request.time, time);
    const std::vector<Request>& further = threadState(previous).requests;
    if (!further.empty())
        concludeOwner(further.back().lock, target, time, time);
}

void OwnershipBuilder::closeAtEnd() {
    for (std::uint32_t i = 0; i < locks_.size(); ++i) {
        const LockHold* hold = openHold(LockId{i});
        if (!hold)
            continue;
        const std::optional<std::int64_t> exit = store_.threads()[hold->thread].exitTime;
        close(LockId{i}, exit.value_or(store_.range().end), false);
    }
}

Ownership OwnershipBuilder::finish() && {
    applyLosses(store_.range().end);
    closeAtEnd();
    Ownership out;
    out.holds = std::move(holds_);
    std::ranges::stable_sort(out.holds, [](const LockHold& a, const LockHold& b) {
        return std::tie(a.range.begin, a.range.end) < std::tie(b.range.begin, b.range.end);
    });
    out.byLock.resize(locks_.size());
    out.byThread.resize(threads_.size());
    for (std::uint32_t i = 0; i < out.holds.size(); ++i) {
        out.byLock[out.holds[i].lock.index()].push_back(i);
        out.byThread[out.holds[i].thread.index()].push_back(i);
    }
    return out;
}

} // namespace inversight
