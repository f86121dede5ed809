// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The scheduler's choices: who runs next, and where.
#include "core/virtual/scheduler.h"

#include "core/virtual/fair_share.h"

#include <bit>

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr std::int32_t kIdlePrio = 120; // as the kernel prints it

std::uint64_t switchStateOf(RunState state) {
    switch (state) {
    case RunState::Sleeping:
    case RunState::Blocked:
        return kTaskInterruptible;
    case RunState::Dead:
        return kTaskDead;
    default:
        return kTaskRunning;
    }
}

} // namespace

bool Scheduler::preempts(const Task& candidate, const Cpu& cpu) const {
    if (!cpu.current.valid() || task(cpu.current).state != RunState::Running)
        return true;
    const Task& current = task(cpu.current);
    const std::int32_t rank = rankOf(candidate.urgency);
    const std::int32_t currentRank = rankOf(current.urgency);
    if (rank != currentRank)
        return rank < currentRank;
    if (rank == kFairRank) {
        // The lag at which a wake-up preempts is smaller for heavier threads (wakeup_gran()).
        const std::int64_t lag = current.vruntimeNs - candidate.vruntimeNs;
        return lag > weighted(parameters_.fair.wakeUpGranularity.count(), candidate.weight);
    }
    return rank < 0 && candidate.urgency.deadlineNs < current.urgency.deadlineNs;
}

std::uint32_t Scheduler::placeFor(const Task& placed) const {
    if (cpus_.size() == 1)
        return 0;
    const auto goodThere = [&](std::uint32_t i) {
        return allowed(placed, i) && !cpus_[i].current.valid() && cpus_[i].queue.empty();
    };
    if (goodThere(placed.cpu))
        return placed.cpu;
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
        if (goodThere(i))
            return i;
    }
    if (rankOf(placed.urgency) != kFairRank && preempts(placed, cpus_[placed.cpu]))
        return placed.cpu;
    std::uint32_t best = placed.cpu;
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
        if (!allowed(placed, i))
            continue;
        if (rankOf(placed.urgency) != kFairRank) {
            if (preempts(placed, cpus_[i]) && !preempts(placed, cpus_[best]))
                best = i;
        } else if (cpus_[i].queue.size() < cpus_[best].queue.size()) {
            best = i;
        }
    }
    return best;
}

void Scheduler::moveTo(Task& moved, std::uint32_t cpu) {
    if (moved.cpu == cpu)
        return;
    moved.vruntimeNs += cpus_[cpu].minVruntime - cpus_[moved.cpu].minVruntime;
    if (reporter_.wanted())
        reporter_.emit(SchedMigrateEvent{moved.comm, moved.tid, moved.urgency.prio,
                                         static_cast<std::int32_t>(moved.cpu),
                                         static_cast<std::int32_t>(cpu)});
    moved.cpu = cpu;
}

void Scheduler::enqueue(TaskId id, QueueEnd end) {
    Task& ready = task(id);
    ready.state = RunState::Ready;
    Cpu& cpu = cpus_[ready.cpu];
    account(cpu);
    cpu.queue.add(id, ready, end);
    touch(ready.cpu);
    if (preempts(ready, cpu))
        requestSwitch(ready.cpu);
    else
        pushElsewhere(id);
}

/// A thread that cannot run where it is goes where it can, at once.
void Scheduler::pushElsewhere(TaskId id) {
    Task& ready = task(id);
    if (cpus_.size() == 1 || std::has_single_bit(ready.allowed))
        return;
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
        const Cpu& there = cpus_[i];
        const bool idle = !there.current.valid() && there.queue.empty();
        const bool wins = rankOf(ready.urgency) != kFairRank && preempts(ready, there) &&
                          (there.queue.empty() ||
                           rankOf(ready.urgency) < rankOf(task(there.queue.first()).urgency));
        if (i == ready.cpu || !allowed(ready, i) || (!idle && !wins))
            continue;
        cpus_[ready.cpu].queue.remove(id, ready);
        moveTo(ready, i);
        cpus_[i].queue.add(id, ready, QueueEnd::Tail);
        requestSwitch(i);
        return;
    }
}

Scheduler::Candidate Scheduler::candidateFor(std::uint32_t index) const {
    const Cpu& cpu = cpus_[index];
    Candidate best{cpu.queue.empty() ? TaskId{} : cpu.queue.first(), index};
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
        // A CPU that is about to choose takes the first of its own threads itself.
        if (i == index || cpus_[i].queue.empty() || cpus_[i].reschedule)
            continue;
        const TaskId other = cpus_[i].queue.firstAllowed(tasks_, std::uint64_t{1} << index);
        if (!other.valid())
            continue;
        const bool better = !best.task.valid() || (rankOf(task(other).urgency) != kFairRank &&
                                                   task(other).urgency < task(best.task).urgency);
        if (better)
            best = {other, i};
    }
    return best;
}

bool Scheduler::replaces(const Candidate& candidate, const Cpu& cpu) const {
    if (!candidate.task.valid())
        return false;
    if (!cpu.current.valid() || task(cpu.current).state != RunState::Running)
        return true;
    const Task& current = task(cpu.current);
    const Task& next = task(candidate.task);
    const std::int32_t rank = rankOf(next.urgency);
    if (rank != rankOf(current.urgency))
        return rank < rankOf(current.urgency);
    if (rank == kFairRank) // whoever asked for the switch has looked at the granularity
        return &cpus_[candidate.from] == &cpu && next.vruntimeNs < current.vruntimeNs;
    if (rank < 0)
        return next.urgency.deadlineNs < current.urgency.deadlineNs;
    return cpu.sliceOver && current.scheduling.schedulingClass == SchedulingClass::RoundRobin;
}

void Scheduler::reschedule(std::uint32_t index) {
    Cpu& cpu = cpus_[index];
    cpu.reschedule = false;
    account(cpu);
    touch(index);
    Candidate candidate = candidateFor(index);
    const bool runs = cpu.current.valid() && task(cpu.current).state == RunState::Running;
    if (runs && !replaces(candidate, cpu)) {
        if (cpu.sliceOver)
            task(cpu.current).pickedForNs = 0; // another slice
        cpu.sliceOver = false;
        return;
    }
    if (runs && task(cpu.current).spinning && spinners_.sleepsWhenPreempted(cpu.current)) {
        task(cpu.current).state = RunState::Blocked;
        candidate = candidateFor(index); // going to sleep may have boosted somebody
        cpu.reschedule = false;
    }
    switchTo(index, candidate);
}

void Scheduler::switchTo(std::uint32_t index, const Candidate& candidate) {
    Cpu& cpu = cpus_[index];
    const TaskId previous = cpu.current;
    if (!previous.valid() && !candidate.task.valid())
        return;
    if (candidate.task.valid()) {
        Task& next = task(candidate.task);
        cpus_[candidate.from].queue.remove(candidate.task, next);
        touch(candidate.from);
        reporter_.setContext(index, tidOn(index));
        moveTo(next, index);
        next.state = RunState::Running;
        next.pickedForNs = 0;
    }
    emitSwitch(index, previous, candidate.task);
    cpu.current = candidate.task;
    cpu.sinceNs = nowNs_ + parameters_.costs.contextSwitch.count();
    ++switchCount_;
    if (previous.valid()) {
        if (!task(previous).held.empty())
            leftCpu_.push_back(previous);
        if (task(previous).state == RunState::Running)
            putBack(index, previous);
    }
    cpu.sliceOver = false;
}

void Scheduler::putBack(std::uint32_t index, TaskId id) {
    Task& preempted = task(id);
    Cpu& cpu = cpus_[index];
    const bool turned = cpu.sliceOver && rankOf(preempted.urgency) != kFairRank;
    if (turned)
        preempted.rrLeftNs = parameters_.rrSlice.count();
    preempted.state = RunState::Ready;
    cpu.queue.add(id, preempted, turned ? QueueEnd::Tail : QueueEnd::Head);
    pushElsewhere(id);
}

void Scheduler::emitSwitch(std::uint32_t index, TaskId from, TaskId to) {
    if (!reporter_.wanted())
        return;
    SchedSwitchEvent event;
    event.prevComm = event.nextComm = fmt::format("swapper/{}", index);
    event.prevPrio = event.nextPrio = kIdlePrio;
    if (from.valid()) {
        const Task& previous = task(from);
        event.prevComm = previous.comm;
        event.prevTid = previous.tid;
        event.prevPrio = previous.urgency.prio;
        event.prevState = switchStateOf(previous.state);
    } else if (index == 0 && bootTid_ != 0) {
        event.prevComm = bootComm_;
        event.prevTid = bootTid_;
        event.prevState = kTaskInterruptible;
        bootTid_ = 0;
    }
    if (to.valid()) {
        event.nextComm = task(to).comm;
        event.nextTid = task(to).tid;
        event.nextPrio = task(to).urgency.prio;
    }
    reporter_.setContext(index, event.prevTid);
    reporter_.emit(std::move(event));
}

} // namespace inversight
