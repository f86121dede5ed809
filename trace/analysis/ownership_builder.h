// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/loss_map.h"
#include "trace/analysis/ownership.h"

#include <unordered_map>

namespace inversight {

/// Collects the evidence of who owns which lock, in trace order.
///
/// Invariant: a lock has at most one open hold, and its closed ones lie before it: better evidence
/// replaces worse, so that holds of one lock never overlap. It errs towards "nobody known":
///
/// * Markers are certain: from HoldBegin to HoldEnd.
/// * The first thread that a waiter boosts after its request owns the lock it waits for; the next
///   ones are the owners further up the chain (DOMAIN 3: nearest first).
/// * While a PI futex has a waiter, its owner cannot release it without the kernel: so whoever
///   releases it owned it since the queue began, and whoever got it while others queue on owns it
///   until its release. Takes without a queue are invisible, and nothing is concluded from them.
/// * Whoever ends a contention owns the lock, but its release is invisible: this is dropped as soon
///   as the thread waits again or is seen in user mode.
///
/// Complexity: O(1) per event, amortized. Thread-bound.
class OwnershipBuilder {
public:
    OwnershipBuilder(const TraceStore& store, const LockEvents& events);

    void add(const LockEvent& event);
    void inherit(EventIndex event, const PiSetprioRow& row);
    /// A marker, of whatever kind, is written by user space.
    void seenInUserMode(EventIndex event);
    [[nodiscard]] Ownership finish() &&;

private:
    static constexpr std::uint32_t kNone = 0xffffffff;

    /// A request that has not ended.
    struct Request {
        LockId lock;
        LockSource source = LockSource::Marker;
        std::uint32_t flags = 0;
        std::int64_t time = 0;
        std::uint32_t hops = 0; ///< threads boosted for it so far
        ThreadId lastTarget;
    };
    struct ThreadState {
        std::vector<Request> requests; ///< innermost last
        std::vector<LockId> inferred;  ///< locks it owned by inference, lately
        LockId guessed;                ///< the lock it owns by contention_end only
        std::uint32_t epoch = 0;
    };
    struct LockState {
        std::uint32_t hold = kNone; ///< index of the open hold
        std::uint64_t cookie = 0;
        std::int64_t closedUntil = 0; ///< the end of its last closed hold
        bool anyClosed = false;
        bool listed = false;          ///< in inferred_
        std::uint32_t waiters = 0;    ///< PI futex waiters in the kernel
        std::int64_t queuedSince = 0; ///< since when there is always one
        std::uint32_t epoch = 0;
    };

    void marker(const LockEvent& event, std::int64_t time);
    void futex(const LockEvent& event, std::int64_t time);
    void contention(const LockEvent& event, std::int64_t time);
    void futexRelease(const LockEvent& event, std::int64_t time);

    void pushRequest(const LockEvent& event, std::int64_t time);
    /// The open request that `event` ends, taken away.
    std::optional<Request> popRequest(const LockEvent& event);
    void selfDeboost(ThreadId thread, std::int64_t time);
    void concludeOwner(LockId lock, ThreadId owner, std::int64_t begin, std::int64_t now);

    void open(LockId lock, ThreadId thread, std::int64_t begin, OwnerEvidence evidence,
              Confidence confidence);
    void close(LockId lock, std::int64_t end, bool seen);
    void dropGuess(ThreadId thread, std::int64_t time);
    void applyLosses(std::int64_t time);
    LockHold* openHold(LockId lock);
    ThreadState& threadState(ThreadId thread);
    LockState& lockState(LockId lock);
    Confidence historyConfidence(LockId lock) const;
    void closeAtEnd();

    const TraceStore& store_;
    const LockEvents& events_;
    LossMap losses_;
    std::size_t nextLoss_ = 0;
    std::uint32_t epoch_ = 1; ///< counts losses: state of an older epoch is void
    std::vector<LockState> locks_;
    std::vector<ThreadState> threads_;
    std::vector<LockId> inferred_; ///< locks that may have an open hold without markers
    std::vector<LockHold> holds_;
};

} // namespace inversight
