// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/scheduler.h"

#include "core/virtual/fair_share.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace inversight {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// What comes first at one instant; see the class comment.
enum Phase : std::int64_t { kWorkEnds = 0, kTimers = 1, kBegun = 2 };

std::int64_t whenOf(std::int64_t timeNs, Phase phase) {
    return timeNs * 4 + phase;
}

std::uint64_t maskOf(const std::vector<int>& cpus, int cpuCount) {
    const std::uint64_t all =
        cpuCount >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << cpuCount) - 1;
    std::uint64_t mask = 0;
    for (const int cpu : cpus)
        mask |= std::uint64_t{1} << cpu;
    return cpus.empty() ? all : mask;
}

Task makeTask(const ThreadSpec& thread, std::int32_t tid, const WorkloadSpec& spec) {
    Task task;
    task.tid = tid;
    task.comm = thread.name;
    task.scheduling = thread.scheduling;
    task.allowed = maskOf(thread.cpus, spec.cpuCount);
    task.cpu = static_cast<std::uint32_t>(std::countr_zero(task.allowed));
    task.base = {thread.scheduling.kernelPriority(), 0};
    task.urgency = task.base;
    task.weight = fairWeight(thread.scheduling.nice);
    task.rrLeftNs = spec.virtualTime.rrSlice.count();
    task.held.reserve(spec.locks.size() + spec.buses.size());
    return task;
}

} // namespace

Scheduler::Scheduler(const WorkloadSpec& spec, EventReporter& reporter, SpinnerOwner& spinners)
    : parameters_(spec.virtualTime), reporter_(reporter), spinners_(spinners),
      events_(static_cast<std::size_t>(spec.cpuCount) + spec.threads.size()) {
    const std::size_t count = spec.threads.size();
    for (std::size_t i = 0; i < count; ++i)
        tasks_.push_back(
            makeTask(spec.threads[i], reporter.tgid() + 1 + static_cast<std::int32_t>(i), spec));
    for (int i = 0; i < spec.cpuCount; ++i)
        cpus_.emplace_back(count);
    touched_.reserve(cpus_.size());
    leftCpu_.reserve(count);
}

void Scheduler::setBoot(std::int32_t tid, std::string comm) {
    bootTid_ = tid;
    bootComm_ = std::move(comm);
}

void Scheduler::advanceTime() {
    assert(!events_.empty());
    batch_ = events_.firstKey().when;
    nowNs_ = batch_ / 4;
    reporter_.setTime(nowNs_);
}

bool Scheduler::happeningNow() const {
    return !events_.empty() && events_.firstKey().when == batch_;
}

Scheduler::Happening Scheduler::happen() {
    const std::size_t slot = events_.first();
    events_.remove(slot);
    if (slot < cpus_.size())
        return cpuEvent(static_cast<std::uint32_t>(slot));
    const TaskId id{static_cast<std::uint32_t>(slot - cpus_.size())};
    const Task& timed = task(id);
    // The timer's interrupt comes where the thread was last, whoever runs there.
    reporter_.setInterruptContext(timed.cpu, tidOn(timed.cpu));
    if (timed.state == RunState::Throttled) {
        replenish(id);
        return {};
    }
    return {Happening::Kind::Timer, id};
}

std::int32_t Scheduler::tidOn(std::uint32_t cpu) const {
    if (const TaskId current = cpus_[cpu].current; current.valid())
        return task(current).tid;
    return cpu == 0 ? bootTid_ : 0;
}

Scheduler::Happening Scheduler::cpuEvent(std::uint32_t index) {
    Cpu& cpu = cpus_[index];
    account(cpu);
    touch(index);
    const TaskId id = cpu.current;
    if (!id.valid() || task(id).state != RunState::Running)
        return {};
    Task& current = task(id);
    if (!current.spinning && current.remainingNs == 0) {
        enterContext(id);
        return {Happening::Kind::WorkDone, id};
    }
    if (usesOwnBudget(current) && current.budgetNs <= 0) {
        throttle(id);
        return {};
    }
    cpu.sliceOver = true;
    requestSwitch(index);
    return {};
}

void Scheduler::setTimer(TaskId id, std::int64_t timeNs) {
    assert(timeNs >= nowNs_);
    const auto slot = cpus_.size() + id.index();
    events_.set(slot, {whenOf(timeNs, kTimers), static_cast<std::uint32_t>(slot)});
}

void Scheduler::account(Cpu& cpu) {
    if (!cpu.current.valid() || nowNs_ <= cpu.sinceNs)
        return;
    Task& current = task(cpu.current);
    const std::int64_t elapsed = nowNs_ - cpu.sinceNs;
    cpu.sinceNs = nowNs_;
    if (!current.spinning) {
        current.remainingNs -= elapsed;
        assert(current.remainingNs >= 0);
    }
    current.pickedForNs += elapsed;
    accountClass(cpu, current, elapsed);
}

void Scheduler::accountClass(Cpu& cpu, Task& current, std::int64_t elapsedNs) {
    const std::int32_t rank = rankOf(current.urgency);
    if (rank == kFairRank) {
        current.vruntimeNs += weighted(elapsedNs, current.weight);
        updateMinVruntime(cpu);
    } else if (usesOwnBudget(current)) {
        current.budgetNs -= elapsedNs;
    } else if (current.scheduling.schedulingClass == SchedulingClass::RoundRobin) {
        current.rrLeftNs -= elapsedNs;
    }
}

void Scheduler::updateMinVruntime(Cpu& cpu) {
    std::int64_t least = task(cpu.current).vruntimeNs;
    if (cpu.queue.hasFair())
        least = std::min(least, cpu.queue.firstVruntime());
    cpu.minVruntime = std::max(cpu.minVruntime, least);
}

void Scheduler::touch(std::uint32_t cpu) {
    if (!cpus_[cpu].touched) {
        cpus_[cpu].touched = true;
        touched_.push_back(cpu);
    }
}

void Scheduler::requestSwitch(std::uint32_t cpu) {
    cpus_[cpu].reschedule = true;
    anyReschedule_ = true;
    touch(cpu);
}

/// When the current thread's work, slice or budget ends.
std::int64_t Scheduler::nextStop(const Cpu& cpu, Task& current) const {
    std::int64_t left = current.spinning ? kNever : current.remainingNs;
    const std::int32_t rank = rankOf(current.urgency);
    if (rank == kFairRank && cpu.queue.hasFair()) {
        const std::int64_t slice = fairSlice(parameters_.fair, current.weight,
                                             cpu.queue.fairCount(), cpu.queue.fairWeight());
        left = std::min(left, std::max<std::int64_t>(slice - current.pickedForNs, 0));
    } else if (usesOwnBudget(current)) {
        left = std::min(left, std::max<std::int64_t>(current.budgetNs, 0));
    } else if (current.scheduling.schedulingClass == SchedulingClass::RoundRobin &&
               cpu.queue.hasRank(rank)) {
        while (current.rrLeftNs <= 0) // it was alone when its slice ended
            current.rrLeftNs += parameters_.rrSlice.count();
        left = std::min(left, current.rrLeftNs);
    }
    return left == kNever ? kNever : cpu.sinceNs + left;
}

void Scheduler::arm(std::uint32_t index) {
    Cpu& cpu = cpus_[index];
    cpu.touched = false;
    const std::int64_t time = cpu.current.valid() ? nextStop(cpu, task(cpu.current)) : kNever;
    if (time == kNever) {
        events_.remove(index);
        return;
    }
    // What begins at this instant comes behind everything that was to happen at it.
    const Phase phase = time == nowNs_ ? kBegun : kWorkEnds;
    events_.set(index, {whenOf(time, phase), index});
}

/// What still waits somewhere may run on a CPU that has nothing to do.
void Scheduler::wakeIdleCpus() {
    for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
        if (!cpus_[i].current.valid() && candidateFor(i).task.valid())
            requestSwitch(i);
    }
}

void Scheduler::settle() {
    while (anyReschedule_) {
        anyReschedule_ = false;
        for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
            if (cpus_[i].reschedule)
                reschedule(i);
        }
        if (cpus_.size() > 1 && !anyReschedule_)
            wakeIdleCpus();
    }
    for (const std::uint32_t cpu : touched_)
        arm(cpu);
    touched_.clear();
}

void Scheduler::stop(TaskId id, RunState state) {
    Task& stopped = task(id);
    assert(stopped.state == RunState::Running);
    account(cpus_[stopped.cpu]);
    stopped.state = state;
    requestSwitch(stopped.cpu);
}

void Scheduler::work(TaskId id, std::int64_t durationNs) {
    task(id).remainingNs = durationNs;
    touch(task(id).cpu);
}

void Scheduler::setSpinning(TaskId id, bool spinning) {
    Task& spinner = task(id);
    if (spinner.state == RunState::Running)
        account(cpus_[spinner.cpu]);
    spinner.spinning = spinning;
    touch(spinner.cpu);
}

void Scheduler::makeRunnable(TaskId id, WakeKind kind) {
    Task& woken = task(id);
    ++wakeUpCount_;
    woken.remainingNs = kind == WakeKind::Waking ? parameters_.costs.wakeUp.count() : 0;
    if (cpus_[woken.cpu].current == id) { // it has not even left its CPU yet
        woken.state = RunState::Running;
        touch(woken.cpu);
    } else {
        moveTo(woken, placeFor(woken));
        Cpu& cpu = cpus_[woken.cpu];
        account(cpu);
        const std::int64_t credit =
            kind == WakeKind::Waking ? parameters_.fair.sleeperCredit.count() : 0;
        woken.vruntimeNs = std::max(woken.vruntimeNs, cpu.minVruntime - credit);
        if (woken.scheduling.schedulingClass == SchedulingClass::Deadline)
            renewDeadline(woken);
    }
    if (reporter_.wanted()) {
        const auto cpu = static_cast<std::int32_t>(woken.cpu);
        if (kind == WakeKind::Waking)
            reporter_.emit(SchedWakeEvent{kind, woken.comm, woken.tid, woken.urgency.prio, cpu});
        const WakeKind done = kind == WakeKind::Waking ? WakeKind::Wakeup : kind;
        reporter_.emit(SchedWakeEvent{done, woken.comm, woken.tid, woken.urgency.prio, cpu});
    }
    if (woken.state != RunState::Running)
        enqueue(id, QueueEnd::Tail);
}

void Scheduler::setUrgency(TaskId id, const Urgency& urgency) {
    Task& changed = task(id);
    if (changed.urgency == urgency)
        return;
    Cpu& cpu = cpus_[changed.cpu];
    const bool raised = urgency < changed.urgency;
    if (changed.state == RunState::Ready)
        cpu.queue.remove(id, changed);
    if (cpu.current == id)
        account(cpu);
    const bool becomesFair = rankOf(urgency) == kFairRank && rankOf(changed.urgency) != kFairRank;
    changed.urgency = urgency;
    if (becomesFair)
        changed.vruntimeNs =
            std::max(changed.vruntimeNs, cpu.minVruntime - parameters_.fair.sleeperCredit.count());
    if (changed.state == RunState::Throttled && raised && !usesOwnBudget(changed)) {
        events_.remove(cpus_.size() + id.index()); // lent urgency has no budget
        enqueue(id, QueueEnd::Tail);
    } else if (changed.state == RunState::Ready) {
        enqueue(id, raised ? QueueEnd::Tail : QueueEnd::Head);
    } else if (changed.state == RunState::Running) {
        touch(changed.cpu);
        if (!raised)
            requestSwitch(changed.cpu);
    }
}

} // namespace inversight
