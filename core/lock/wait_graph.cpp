// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/wait_graph.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

// As many as the kernel follows (kernel/locking/rtmutex.c, max_lock_depth): who waits for a cycle
// of others would walk for ever.
constexpr int kMaxHops = 1024;

} // namespace

/// Each thread of a cycle shows what it waits for before it looks, and owns its locks since before
/// that: the last one to look sees them all.
AcquireOutcome WatchedLock::acquire(WaitingThread& thread, const std::stop_token& stop) {
    thread.waitsFor.store(this);
    AcquireOutcome outcome = acquireOrFindCycle(thread, stop);
    if (std::holds_alternative<Acquired>(outcome))
        owner_.store(&thread, std::memory_order_release);
    thread.waitsFor.store(nullptr, std::memory_order_release);
    return outcome;
}

AcquireOutcome WatchedLock::acquireOrFindCycle(WaitingThread& thread, const std::stop_token& stop) {
    const auto deadlock = [](const Cycle& cycle) {
        Deadlock result;
        for (const Hop& hop : cycle)
            result.cycle.push_back({hop.thread->waiter.name, hop.lock->name_});
        return result;
    };
    if (leadsTo(thread)) {
        const Cycle cycle = cycleThrough(thread);
        const bool kernelSees =
            std::ranges::all_of(cycle, [](const Hop& hop) { return hop.lock->kernelSeesCycles_; });
        if (!cycle.empty() && !kernelSees)
            return deadlock(cycle);
    }
    AcquireOutcome outcome = policy_->acquire(thread.waiter, stop);
    if (std::holds_alternative<Deadlock>(outcome)) {
        if (const Cycle cycle = cycleThrough(thread); !cycle.empty())
            return deadlock(cycle);
    }
    return outcome;
}

AcquireOutcome WatchedLock::tryAcquire(WaitingThread& thread) {
    AcquireOutcome outcome = policy_->tryAcquire(thread.waiter);
    if (std::holds_alternative<Acquired>(outcome))
        owner_.store(&thread, std::memory_order_release);
    return outcome;
}

void WatchedLock::release(WaitingThread& thread) {
    owner_.store(nullptr, std::memory_order_release);
    policy_->release(thread.waiter);
}

/// Whether following owners and their waits from this lock arrives at `thread`.
bool WatchedLock::leadsTo(const WaitingThread& thread) const {
    const WatchedLock* lock = this;
    for (int i = 0; lock && i < kMaxHops; ++i) {
        const WaitingThread* owner = lock->owner_.load();
        if (owner == &thread)
            return true;
        lock = owner ? owner->waitsFor.load() : nullptr;
    }
    return false;
}

/// The cycle that `thread` closes by waiting for this lock; empty if there is none.
WatchedLock::Cycle WatchedLock::cycleThrough(const WaitingThread& thread) const {
    Cycle cycle;
    Hop hop{&thread, this};
    while (hop.lock && cycle.size() < kMaxHops) {
        cycle.push_back(hop);
        const WaitingThread* owner = hop.lock->owner_.load();
        if (owner == &thread)
            return isReal(cycle) ? cycle : Cycle();
        hop = {owner, owner ? owner->waitsFor.load() : nullptr};
    }
    return {};
}

/// What was read one after another need never have been true at once. The last lock is the caller's
/// own, so whoever waits for it stays, and so do that one's locks; and so on, backwards.
bool WatchedLock::isReal(const Cycle& cycle) {
    for (std::size_t i = cycle.size() - 1; i > 0; --i) {
        if (cycle[i].thread->waitsFor.load() != cycle[i].lock ||
            cycle[i - 1].lock->owner_.load() != cycle[i].thread)
            return false;
    }
    return true;
}

std::string deadlockText(const Deadlock& deadlock) {
    const std::vector<Deadlock::Link>& links = deadlock.cycle;
    if (links.size() == 1 && links.front().lock.empty())
        return fmt::format("{} would wait for itself", links.front().thread);
    std::string text;
    for (std::size_t i = 0; i < links.size(); ++i)
        text += fmt::format("{} waits for {}, held by {}", i == 0 ? links[i].thread : ", which",
                            links[i].lock, links[(i + 1) % links.size()].thread);
    return text;
}

} // namespace inversight
