// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/virtual/lock_state.h"
#include "core/virtual/scheduler.h"

#include <string>
#include <vector>

namespace inversight {

/// How urgency travels from waiters to owners, for every policy: an owner is as urgent as itself
/// (or a ceiling it holds) and the donors of all its locks. When that changes it takes its new
/// place at once, in its run queue or in the queue of the lock it waits for, and so on along the
/// chain (Linux Documentation/locking/rt-mutex-design.rst; positional inheritance: Haskins, 2008).
/// Each step along locks is a sched_pi_setprio, nearest first; ceilings change the thread's own
/// priority and are not traced. Thread-bound.
class Inheritance {
public:
    /// As the kernel's limit of chain walks (max_lock_depth).
    static constexpr int kMaxChain = 1024;

    Inheritance(Scheduler& scheduler, std::vector<LockState>& locks, EventReporter& reporter)
        : scheduler_(scheduler), locks_(locks), reporter_(reporter) {}

    /// A lock of `owner` has another donor, or `owner` has another set of locks.
    void update(TaskId owner) { propagate(owner, Traced::Yes); }
    /// `owner` has got or given back a lock with a ceiling.
    void updateCeilings(TaskId owner);

    /// Whether `waiter`, waiting for `lock`, would wait for itself.
    [[nodiscard]] bool closesCycle(TaskId waiter, std::uint32_t lock) const;
    /// The threads and locks of such a cycle in turn, beginning and ending with the waiter.
    [[nodiscard]] std::vector<std::string> cycleOf(TaskId waiter, std::uint32_t lock) const;

    [[nodiscard]] std::uint64_t boostCount() const { return boostCount_; }
    [[nodiscard]] std::uint64_t changeCount() const { return changeCount_; }

private:
    enum class Traced { Yes, No };
    struct Link {
        TaskId owner;
        std::uint32_t waitsFor = Task::kNoLock;
    };
    [[nodiscard]] Link linkOf(std::uint32_t lock) const;
    void propagate(TaskId first, Traced traced);
    [[nodiscard]] Urgency effective(TaskId id) const;
    void report(const Task& task, const Urgency& next);

    Scheduler& scheduler_;
    std::vector<LockState>& locks_;
    EventReporter& reporter_;
    std::uint64_t boostCount_ = 0;
    std::uint64_t changeCount_ = 0;
};

} // namespace inversight
