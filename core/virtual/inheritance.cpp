// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/inheritance.h"

#include <algorithm>

namespace inversight {

Urgency Inheritance::effective(TaskId id) const {
    const Task& task = scheduler_.task(id);
    Urgency urgency = task.base;
    for (const std::uint32_t lock : task.held) {
        if (const TaskId donor = locks_[lock].model->donor(); donor.valid())
            urgency = std::min(urgency, scheduler_.urgency(donor));
    }
    return urgency;
}

void Inheritance::report(const Task& task, const Urgency& next) {
    ++changeCount_;
    boostCount_ += next < task.urgency ? 1 : 0;
    if (reporter_.wanted())
        reporter_.emit(SchedPiSetprioEvent{task.comm, task.tid, task.urgency.prio, next.prio});
}

void Inheritance::propagate(TaskId first, Traced traced) {
    TaskId id = first;
    for (int step = 0; id.valid() && step < kMaxChain; ++step) {
        const Task& task = scheduler_.task(id);
        const Urgency next = effective(id);
        if (next == task.urgency)
            return;
        if (traced == Traced::Yes || id != first)
            report(task, next);
        scheduler_.setUrgency(id, next);
        if (task.blockedOn == Task::kNoLock)
            return;
        ModelLock& lock = *locks_[task.blockedOn].model;
        lock.requeue(id, scheduler_);
        id = lock.owner();
    }
}

void Inheritance::updateCeilings(TaskId owner) {
    Task& task = scheduler_.task(owner);
    task.base = {task.scheduling.kernelPriority(), task.deadlineNs};
    for (const std::uint32_t lock : task.held) {
        if (locks_[lock].hasCeiling())
            task.base = std::min(task.base, locks_[lock].ceiling);
    }
    propagate(owner, Traced::No);
}

/// The owner of the lock, and the lock that it waits for itself.
Inheritance::Link Inheritance::linkOf(std::uint32_t lock) const {
    const TaskId owner = locks_[lock].model->owner();
    return {owner, owner.valid() ? scheduler_.task(owner).blockedOn : Task::kNoLock};
}

bool Inheritance::closesCycle(TaskId waiter, std::uint32_t lock) const {
    // Each owner waits for one lock at most, so a chain longer than all threads has a cycle
    // further on, which was found when it was closed.
    for (std::size_t step = 0; step <= scheduler_.taskCount() && lock != Task::kNoLock; ++step) {
        const Link link = linkOf(lock);
        if (link.owner == waiter)
            return true;
        lock = link.waitsFor;
    }
    return false;
}

std::vector<std::string> Inheritance::cycleOf(TaskId waiter, std::uint32_t lock) const {
    std::vector<std::string> names{scheduler_.task(waiter).comm};
    for (Link link;; lock = link.waitsFor) {
        link = linkOf(lock);
        names.push_back(locks_[lock].name);
        names.push_back(scheduler_.task(link.owner).comm);
        if (link.owner == waiter)
            return names;
    }
}

} // namespace inversight
