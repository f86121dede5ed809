// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/virtual_machine.h"

#include <algorithm>
#include <utility>

namespace inversight {

VirtualMachine::VirtualMachine(const WorkloadSpec& spec, std::vector<LockState> locks,
                               EventReporter& reporter)
    : spec_(spec), reporter_(reporter), locks_(std::move(locks)), buses_(spec.buses.size()),
      scheduler_(spec, reporter, *this),
      inheritance_(scheduler_, locks_, reporter) {
    activities_.reserve(spec.threads.size());
    for (std::uint32_t i = 0; i < spec.threads.size(); ++i) {
        const ThreadSpec& thread = spec.threads[i];
        activities_.emplace_back(thread, compileBody(thread, spec), RandomSource(spec.seed, i));
        if (!activities_.back().helper)
            continue;
        const Op& first = activities_.back().program.front();
        BusState& bus = buses_[first.busIndex];
        (first.kind == OpKind::AwaitMessage ? bus.pump : bus.interrupt) = TaskId{i};
    }
    spinners_.reserve(activities_.size());
    left_.reserve(activities_.size());
}

void VirtualMachine::boot(std::int64_t startNs, std::int32_t bootTid, const std::string& bootComm) {
    startNs_ = startNs;
    alive_ = static_cast<std::size_t>(
        std::ranges::count_if(spec_.threads, [](const ThreadSpec& thread) { return !thread.background; }));
    scheduler_.setBoot(bootTid, bootComm);
    for (std::uint32_t i = 0; i < activities_.size(); ++i) {
        Activity& self = activities_[i];
        const Task& task = scheduler_.task(TaskId{i});
        self.firstReleaseNs = startNs + self.spec->startOffset.draw(self.random).count();
        reporter_.emit(SchedForkEvent{bootComm, bootTid, task.comm, task.tid});
        scheduler_.setTimer(TaskId{i}, self.firstReleaseNs);
    }
}

bool VirtualMachine::step() {
    if (!deadlock_.empty() || alive_ == 0 || scheduler_.idleForEver())
        return false;
    scheduler_.advanceTime();
    while (scheduler_.happeningNow() && deadlock_.empty()) {
        const Scheduler::Happening happening = scheduler_.happen();
        if (happening.kind == Scheduler::Happening::Kind::WorkDone)
            advance(happening.task);
        else if (happening.kind == Scheduler::Happening::Kind::Timer)
            onTimer(happening.task);
    }
    settle();
    return true;
}

/// Puts the right threads on the CPUs; spinners whose owner thereby left its CPU look again.
void VirtualMachine::settle() {
    scheduler_.settle();
    while (!scheduler_.leftCpu().empty()) {
        left_.swap(scheduler_.leftCpu());
        for (const TaskId id : left_) {
            for (const std::uint32_t lock : scheduler_.task(id).held) {
                if (locks_[lock].model->hasSpinners() && !locks_[lock].spinsAlways())
                    retrySpinners(lock);
            }
        }
        left_.clear();
        scheduler_.settle();
    }
}

void VirtualMachine::onTimer(TaskId id) {
    const bool isNew = scheduler_.task(id).state == RunState::New;
    const Op& first = activity(id).program.front();
    if (!isNew && first.kind == OpKind::AwaitInterrupt) { // no sleep of its own: the wire has ended
        buses_[first.busIndex].interruptPending = true;
        wakeIfAsleep(id);
        return;
    }
    const bool atOnce = isNew && scheduler_.now() == startNs_;
    scheduler_.makeRunnable(id, atOnce ? WakeKind::WakeupNew : WakeKind::Waking);
}

void VirtualMachine::advance(TaskId id) {
    // A body may take no time at all: step() must come back all the same.
    constexpr int kMaxOps = 10'000;
    const Task& task = scheduler_.task(id);
    for (int ops = 0; ops < kMaxOps && task.state == RunState::Running && task.remainingNs == 0 &&
                      !task.spinning && !scheduler_.mustYield(id) && deadlock_.empty();
         ++ops)
        perform(id);
}

void VirtualMachine::perform(TaskId id) {
    Activity& self = activity(id);
    if (!std::exchange(self.started, true) && !self.helper)
        beginJob(self, self.firstReleaseNs);
    if (self.pc == self.program.size())
        endLoop(id);
    else
        performOp(id, self.program[self.pc]);
}

void VirtualMachine::performOp(TaskId id, const Op& op) {
    Activity& self = activity(id);
    switch (op.kind) {
    case OpKind::Run:
    case OpKind::BusBefore:
    case OpKind::BusAfter:
        charge(id, op.time.draw(self.random));
        next(self);
        break;
    case OpKind::Mark:
        reporter_.mark(Note{op.text});
        next(self);
        break;
    case OpKind::Sleep:
        sleep(id, op);
        break;
    case OpKind::NextPeriod:
        nextPeriod(id);
        break;
    case OpKind::Lock:
        lock(id, op);
        break;
    case OpKind::TryLock:
        tryLock(id, op);
        break;
    case OpKind::Unlock:
        unlock(id, op);
        break;
    case OpKind::EnterSpi:
        enterSpi(id, op);
        break;
    case OpKind::RequestBus:
        requestBus(id, op);
        break;
    case OpKind::BeginTransfer:
        beginTransfer(id, op);
        break;
    case OpKind::AcquireDma:
        acquireDma(id, op);
        break;
    case OpKind::BusWire:
        busWire(id, op);
        break;
    case OpKind::SubmitMessage:
        submitMessage(id, op);
        break;
    case OpKind::ReleaseBus:
        releaseBus(id, op);
        break;
    case OpKind::AwaitMessage:
        awaitMessage(id, op);
        break;
    case OpKind::MessageDone:
        messageDone(id, op);
        break;
    case OpKind::AwaitInterrupt:
        awaitInterrupt(id, op);
        break;
    case OpKind::InterruptDone:
        interruptDone(id, op);
        break;
    }
}

void VirtualMachine::next(Activity& self) const {
    ++self.pc;
    self.phase = 0;
}

void VirtualMachine::sleepUntil(TaskId id, std::int64_t timeNs) {
    scheduler_.setTimer(id, timeNs);
    scheduler_.stop(id, RunState::Sleeping);
}

void VirtualMachine::beginJob(Activity& self, std::int64_t plannedNs) {
    self.plannedNs = plannedNs;
    self.jobOpen = true;
    // Loops without a period would only repeat what their markers say.
    if (self.job == 0 || self.spec->period.count() > 0)
        reporter_.mark(Release{self.job, plannedNs});
    ++self.job;
}

void VirtualMachine::endJob(Activity& self) {
    if (!std::exchange(self.jobOpen, false))
        return;
    const std::int64_t response = scheduler_.now() - self.plannedNs;
    self.response.record(response);
    ++self.jobCount;
    if (self.spec->deadline.count() > 0 && response > self.spec->deadline.count())
        ++self.deadlineMissCount;
}

bool VirtualMachine::lastLoop(const Activity& self) const {
    return self.spec->loops != 0 && self.loop + 1 == self.spec->loops;
}

/// Whether no loop may begin at `nextBeginNs`.
bool VirtualMachine::over(const Activity& self, std::int64_t nextBeginNs) const {
    return lastLoop(self) ||
           (self.spec->duration && nextBeginNs - startNs_ >= self.spec->duration->count());
}

void VirtualMachine::endLoop(TaskId id) {
    Activity& self = activity(id);
    const bool periodic = self.spec->period.count() > 0;
    const bool ends = over(self, scheduler_.now());
    if (!periodic || ends)
        endJob(self);
    if (ends) {
        exitThread(id);
        return;
    }
    ++self.loop;
    self.pc = 0;
    if (!periodic)
        beginJob(self, scheduler_.now());
}

void VirtualMachine::exitThread(TaskId id) {
    const Task& task = scheduler_.task(id);
    activity(id).endNs = scheduler_.now();
    if (reporter_.wanted())
        reporter_.emit(SchedExitEvent{task.comm, task.tid, task.urgency.prio});
    scheduler_.stop(id, RunState::Dead);
    alive_ -= activity(id).spec->background ? 0 : 1;
}

void VirtualMachine::sleep(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (op.skipLast && lastLoop(self)) {
        next(self);
        return;
    }
    if (self.phase == 0) {
        self.phase = 1;
        charge(id, spec_.virtualTime.costs.syscall);
        return;
    }
    const std::int64_t duration = op.time.draw(self.random).count();
    next(self);
    if (duration > 0)
        sleepUntil(id, scheduler_.now() + duration + spec_.virtualTime.costs.timerLate.count());
}

void VirtualMachine::nextPeriod(TaskId id) {
    Activity& self = activity(id);
    if (self.phase == 0) {
        endJob(self);
        const std::int64_t planned =
            self.firstReleaseNs + static_cast<std::int64_t>(self.job) * self.spec->period.count();
        if (self.pc + 1 == self.program.size() && over(self, planned)) {
            exitThread(id);
            return;
        }
        self.plannedNs = planned;
        self.phase = 1;
        charge(id, spec_.virtualTime.costs.syscall);
        return;
    }
    if (self.phase == 1 && self.plannedNs > scheduler_.now()) {
        self.phase = 2;
        sleepUntil(id, self.plannedNs);
        return;
    }
    beginJob(self, self.plannedNs);
    next(self);
}

} // namespace inversight
