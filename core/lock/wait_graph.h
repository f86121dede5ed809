// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <atomic>
#include <string>
#include <vector>

/// Who waits for whom: the locks of a run watched from outside, so that a deadlock is reported and
/// never hung, whatever the policy knows. Waiting costs two stores and a glance at the owner,
/// taking and letting go one store each; nothing here allocates (unless a cycle is found), locks or
/// waits, because that would be seen in what is measured.
///
///     WaitingThread low({.tid = gettid(), .name = "low"});               // one per thread
///     WatchedLock a("A", row.makeReal({}), row.traits);                  // one per lock
///     AcquireOutcome outcome = a.acquire(low, stop);
///
/// All threads and locks of a graph must outlive the last acquire of any of them. Made with new
/// before a fork, they are one graph for all processes.
namespace inversight {

class WatchedLock;

/// A thread of the graph. Only the thread itself may pass it to a lock.
struct WaitingThread : ForkShared {
    WaitingThread() = default;
    explicit WaitingThread(Waiter who) : waiter(std::move(who)) {}

    Waiter waiter; ///< not to be changed once it is in use
    std::atomic<const WatchedLock*> waitsFor{nullptr};
};

/// A lock of the graph: a policy, its name and its owner. Thread-safe as the policy is.
class WatchedLock : public ForkShared {
public:
    WatchedLock(std::string name, std::unique_ptr<LockPolicy> policy, const LockTraits& traits)
        : name_(std::move(name)), policy_(std::move(policy)),
          kernelSeesCycles_(traits.kernelSeesCycles) {}

    /// As the policy's, but a wait that would close a cycle of the graph is a Deadlock with all
    /// threads and locks of the cycle. Where all its locks are the kernel's business, the kernel
    /// says so (EDEADLK) and the graph only gives the names.
    [[nodiscard]] AcquireOutcome acquire(WaitingThread& thread, const std::stop_token& stop);
    [[nodiscard]] AcquireOutcome tryAcquire(WaitingThread& thread);
    void release(WaitingThread& thread);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] LockPolicy& policy() const { return *policy_; }

private:
    /// A lock of a cycle, and the thread that waits for it.
    struct Hop {
        const WaitingThread* thread;
        const WatchedLock* lock;
    };
    using Cycle = std::vector<Hop>;

    [[nodiscard]] bool leadsTo(const WaitingThread& thread) const;
    [[nodiscard]] Cycle cycleThrough(const WaitingThread& thread) const;
    [[nodiscard]] static bool isReal(const Cycle& cycle);
    [[nodiscard]] AcquireOutcome acquireOrFindCycle(WaitingThread& thread,
                                                    const std::stop_token& stop);

    std::string name_;
    std::unique_ptr<LockPolicy> policy_;
    bool kernelSeesCycles_;
    std::atomic<const WaitingThread*> owner_{nullptr};
};

/// "L waits for B, held by H, which waits for A, held by L": the cycle in words.
[[nodiscard]] std::string deadlockText(const Deadlock& deadlock);

} // namespace inversight
