// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/decomposition.h"
#include "trace/analysis/queue_cpu.h"

#include <array>

namespace inversight {

/// What the walk reads; all must outlive it.
struct WaitWalkInputs {
    const TraceStore& store;
    const SchedRuns& runs;
    const Priorities& priorities;
    const LockEvents& events;
    const Ownership& ownership;
    const LockWaits& lockWaits;
    const HelperWaits& helperWaits;
    const ThreadStates& states;
    const Bus& bus;
};

/// Cuts one wait after the other into segments: goes along the holds of the awaited lock, from each
/// owner to whom that one waits for, up to the tail of the chain, and along what the tail did;
/// where it was runnable, along what ran on its CPU instead.
///
/// Waits in order of their begins make all searches local. Complexity: O(changes of state within
/// the wait, of every thread of the chain and of the tail's CPU). Thread-bound.
class WaitWalk {
public:
    explicit WaitWalk(const WaitWalkInputs& inputs);

    /// Appends the segments of a lock wait to `out`; appends nothing, and is false, if nobody else
    /// held the lock meanwhile.
    bool walk(const LockWait& wait, std::vector<WaitSegment>& out);
    void walk(const HelperWait& wait, std::vector<WaitSegment>& out);

private:
    static constexpr std::size_t kMaxChain = 16;

    /// Whose hold the walk is in.
    struct Hold {
        ThreadId owner;
        HoldKind kind = HoldKind::None;
    };

    void begin(ThreadId waiter, std::vector<WaitSegment>& out);
    void add(const TimeRange& range, WaitPart part, ThreadId by);

    // The awaited lock.
    std::size_t firstHold(const LockWait& wait);
    bool heldByOthers(const LockWait& wait);
    void held(const LockWait& wait, const LockHold& hold, const TimeRange& range);
    void unowned(const LockWait& wait, const LockHold* before, const LockHold* next,
                 const TimeRange& range);
    void unownedUnmarked(const LockWait& wait, const LockHold* next, const TimeRange& range);
    HoldKind kindOf(const LockWait& wait, const LockHold& hold);

    // The chain.
    void follow(ThreadId thread, const TimeRange& range);
    void followLock(ThreadId thread, const LockWait& wait, const TimeRange& range);
    void followHelpers(ThreadId thread, const TimeRange& range, WaitPart otherwise);
    std::size_t firstWait(ThreadId thread, std::int64_t time);
    bool inChain(ThreadId thread) const;

    // Its tail.
    void story(ThreadId thread, const TimeRange& range);
    void tell(ThreadId thread, const ThreadStateInterval& interval, const TimeRange& range);
    void runnable(ThreadId thread, const TimeRange& range);
    void runnableOn(ThreadId thread, std::int32_t cpu, const TimeRange& range);
    void displaced(ThreadId thread, const SchedRun& run, const TimeRange& range);
    WaitPart compare(std::int32_t owner, std::int32_t runner, std::int32_t waiter,
                     ThreadId by) const;
    bool chainInTransfer(std::int64_t time);

    /// When `thread` stopped sleeping inside `range`; its end if it did not.
    std::int64_t awakeFrom(ThreadId thread, const TimeRange& range);
    /// Since when it has been awake at the end of `range`, after a sleep in it; else its end.
    std::int64_t awakeSince(ThreadId thread, const TimeRange& range);
    std::size_t stateAt(ThreadId thread, std::int64_t time);
    const PriorityStep* stepAt(ThreadId thread, std::int64_t time);

    WaitWalkInputs in_;
    std::vector<bool> marked_; ///< by LockId: its holds have markers
    QueueCpu queueCpu_;
    std::vector<const std::vector<std::uint32_t>*> byCpu_; ///< runs of CPU n

    // Hints for searches.
    std::vector<std::size_t> stateHints_;
    std::vector<std::size_t> stepHints_;
    std::vector<std::size_t> waitHints_;
    std::vector<std::size_t> helperHints_;
    std::vector<std::size_t> transferHints_;
    std::vector<std::size_t> holdHints_;
    std::vector<std::size_t> cpuHints_;

    // The wait under way.
    std::vector<WaitSegment>* out_ = nullptr;
    std::size_t firstSegment_ = 0;
    Hold hold_;
    const LockHold* before_ = nullptr; ///< the hold that was told last, of kind_
    HoldKind kind_ = HoldKind::None;
    std::array<ThreadId, kMaxChain> chain_;
    std::size_t chainLength_ = 0;
};

} // namespace inversight
