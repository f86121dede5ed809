// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/fork_shared.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The locks under study. Each policy is one file pair and one row of lock_policies.cpp.
namespace inversight {

/// One thread as a lock sees it. The caller owns it and keeps it for the thread's life; a policy
/// may use it only between acquire and release. Queues keep their own futex words, because a
/// releasing thread may still be about to wake a waiter that has left and ended in the meantime.
struct Waiter {
    std::int32_t tid = 0;              ///< gettid() of the thread
    std::string name = {};             ///< for a Deadlock's cycle
    std::int32_t kernelPriority = 120; ///< its base: -1 DEADLINE, 0..98 RT 99..1, 100..139 fair
    std::int32_t cpu = -1;             ///< the one CPU it is pinned to, or -1

    [[nodiscard]] bool isFair() const { return kernelPriority >= 100; }
};

/// The lock is the caller's. `ownerDied`: its last owner ended without a release, as EOWNERDEAD
/// (only where LockTraits::survivesOwner).
struct Acquired {
    bool ownerDied = false;
};
struct WouldBlock {};
struct Interrupted {};
/// The wait would close a cycle, the caller first: each thread waits for its lock, which the next
/// link's thread owns, and the first one's owns the last. Locks are nameless, and other threads
/// missing, where only the lock itself knew (wait_graph.h knows them all).
struct Deadlock {
    struct Link {
        std::string thread;
        std::string lock = {};
        bool operator==(const Link&) const = default;
    };
    std::vector<Link> cycle;
};
struct NotPermitted {
    Error error;
};
using AcquireOutcome = std::variant<Acquired, WouldBlock, Interrupted, Deadlock, NotPermitted>;

/// What the owner does with the lock.
enum class OwnerState { Running, Sleeping };

/// What a lock counted; all 0 where the policy does no such thing.
struct LockStatistics {
    std::uint64_t spinCount = 0;             ///< waits that began with a bounded spin
    std::uint64_t spunNs = 0;                ///< time spent in them
    std::uint64_t acquiredSpinningCount = 0; ///< ... and ended in it
    std::uint64_t boostsAvoidedCount = 0; ///< of these, the ones that would have boosted the owner
};

/// One lock. Thread-safe by nature.
///
/// Blocking waits are timed (at most kWaitSlice each), so that a stop request always wins. Every
/// wait that ends with Acquired must be followed by exactly one release by the same thread.
class LockPolicy : public ForkShared {
public:
    static constexpr std::int64_t kWaitSliceNs = 100'000'000;

    LockPolicy() = default;
    LockPolicy(const LockPolicy&) = delete;
    LockPolicy& operator=(const LockPolicy&) = delete;
    virtual ~LockPolicy() = default;

    /// Waits until the lock is owned, `stop` is requested (Interrupted) or it cannot ever be owned.
    [[nodiscard]] virtual AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) = 0;
    /// Acquired or WouldBlock, without waiting.
    [[nodiscard]] virtual AcquireOutcome tryAcquire(Waiter& waiter) = 0;
    virtual void release(Waiter& waiter) = 0;

    /// The owner is about to sleep on something else than this lock (the wire), or runs again. User
    /// space cannot see whether another thread is on a CPU: those who spin go by this.
    virtual void announceOwner([[maybe_unused]] OwnerState state) {}

    /// May be read at any time; the counts of one moment only once nobody waits.
    [[nodiscard]] virtual LockStatistics statistics() const { return {}; }

    /// The address that futex events of this lock show: the word for a shared-word lock; 0 where
    /// the policy has no single word.
    [[nodiscard]] virtual std::uint64_t futexAddress() const = 0;
};

class ModelLock; // the policy in virtual time (model_lock.h)

/// What a policy promises; tests and refusals read it.
struct LockTraits {
    bool priorityInheritance = false;
    bool fifoOrder = false;
    bool priorityOrder = false;    ///< RT waiters by priority, ahead of fair ones
    bool realTimeOnly = false;     ///< fair threads may not use it
    bool busyWaits = false;        ///< a real-time waiter on its owner's CPU would wait for ever
    bool survivesOwner = false;    ///< real threads: the next one gets it if the owner ends with it
    bool kernelSeesCycles = false; ///< real threads: among such locks, the kernel refuses a cycle
};

/// Where the threads live that share a lock.
enum class LockScope { Process, SharedMemory };

/// What a lock has to know when it is made.
struct LockSetup {
    LockScope scope = LockScope::Process;
    std::int32_t ceiling = 99; ///< RT priority 1..99 of the highest user (`ceiling` only)
};

/// A row of the policy table.
struct LockPolicyRow {
    std::string_view name;
    std::string_view text; ///< one line for `list policies`
    std::unique_ptr<LockPolicy> (*makeReal)(const LockSetup&) = nullptr; ///< null: virtual only
    std::unique_ptr<ModelLock> (*makeModel)() = nullptr;                 ///< null: real only
    LockTraits traits;
};

} // namespace inversight
