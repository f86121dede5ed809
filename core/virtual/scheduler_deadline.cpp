// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// SCHED_DEADLINE: earliest deadline first with a constant bandwidth server
// (Documentation/scheduler/sched-deadline.rst).
#include "core/virtual/scheduler.h"

namespace inversight {

namespace {

__extension__ typedef __int128 Product;

} // namespace

bool Scheduler::usesOwnBudget(const Task& task) {
    return task.scheduling.schedulingClass == SchedulingClass::Deadline &&
           task.urgency == task.base;
}

void Scheduler::setDeadline(Task& task, std::int64_t deadlineNs) {
    const bool own = task.urgency == task.base;
    task.deadlineNs = deadlineNs;
    task.base = {-1, deadlineNs};
    if (own)
        task.urgency = task.base;
}

/// At a wake-up: the old deadline is kept if the budget that is left fits into the bandwidth.
void Scheduler::renewDeadline(Task& task) {
    const Scheduling& own = task.scheduling;
    const std::int64_t left = task.deadlineNs - nowNs_;
    const bool fits = left > 0 && Product{task.budgetNs} * own.deadline.count() <=
                                      Product{left} * own.runtime.count();
    if (fits && task.budgetNs > 0)
        return;
    task.budgetNs = own.runtime.count();
    setDeadline(task, nowNs_ + own.deadline.count());
}

void Scheduler::throttle(TaskId id) {
    Task& spent = task(id);
    const Scheduling& own = spent.scheduling;
    const std::int64_t next = spent.deadlineNs - own.deadline.count() + own.period.count();
    spent.state = RunState::Throttled;
    requestSwitch(spent.cpu);
    setTimer(id, std::max(next, nowNs_));
}

void Scheduler::replenish(TaskId id) {
    Task& rested = task(id);
    const Scheduling& own = rested.scheduling;
    rested.budgetNs = own.runtime.count();
    setDeadline(rested, nowNs_ + own.deadline.count());
    if (cpus_[rested.cpu].current == id) { // throttled and replenished at one instant
        rested.state = RunState::Running;
        touch(rested.cpu);
        return;
    }
    enqueue(id, QueueEnd::Tail);
}

} // namespace inversight
