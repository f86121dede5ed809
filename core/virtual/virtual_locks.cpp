// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The machine's locks: requests, waits, hand-overs, and the kernel events around them in the
// order in which a real kernel emits them.
#include "core/virtual/virtual_machine.h"

#include <algorithm>
#include <cassert>

namespace inversight {

namespace {

// futex operations with FUTEX_PRIVATE_FLAG (include/uapi/linux/futex.h)
constexpr std::uint32_t kFutexWait = 0x80;
constexpr std::uint32_t kFutexWake = 0x81;
constexpr std::uint32_t kFutexLockPi = 0x86;
constexpr std::uint32_t kFutexUnlockPi = 0x87;

std::uint32_t contentionFlags(const LockState& lock) {
    if (lock.spinsAlways())
        return kContentionSpin;
    return lock.model->rules().kernelMutex ? kContentionMutex : kContentionRt;
}

} // namespace

void VirtualMachine::lock(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase != kRequest) {
        attempt(id, op.lock, self.phase == kAgain);
        return;
    }
    self.requestNs = scheduler_.now();
    self.waited = self.slept = false;
    reporter_.mark(WaitBegin{locks_[op.lock].name});
    self.phase = kFirstTry;
    charge(id, spec_.virtualTime.costs.lock);
}

void VirtualMachine::attempt(TaskId id, std::uint32_t index, bool again) {
    Activity& self = activity(id);
    const ModelOutcome outcome = locks_[index].model->attempt(id, scheduler_, again);
    if (outcome == ModelOutcome::Taken) {
        acquired(id, index);
        next(self);
        return;
    }
    const bool first = !std::exchange(self.waited, true);
    scheduler_.task(id).blockedOn = index;
    if (inheritance_.closesCycle(id, index)) {
        deadlock_ = inheritance_.cycleOf(id, index);
        return;
    }
    self.phase = kAgain;
    emitWaitBegin(self, locks_[index], outcome == ModelOutcome::Sleep);
    const std::chrono::nanoseconds slowPath = spec_.virtualTime.costs.syscall;
    if (first && outcome == ModelOutcome::Sleep && slowPath.count() > 0) {
        inheritance_.update(locks_[index].model->owner());
        charge(id, slowPath); // and tries once more before it sleeps
        return;
    }
    waitFor(id, index, outcome);
}

/// Sleeps or spins on a lock that it is queued for.
void VirtualMachine::waitFor(TaskId id, std::uint32_t index, ModelOutcome outcome) {
    Activity& self = activity(id);
    inheritance_.update(locks_[index].model->owner());
    if (outcome == ModelOutcome::Spin) {
        if (!scheduler_.task(id).spinning)
            self.spinSinceNs = scheduler_.now();
        scheduler_.setSpinning(id, true);
        return;
    }
    self.slept = true;
    scheduler_.stop(id, RunState::Blocked);
}

void VirtualMachine::acquired(TaskId id, std::uint32_t index) {
    Activity& self = activity(id);
    LockState& lock = locks_[index];
    Task& task = scheduler_.task(id);
    task.blockedOn = Task::kNoLock;
    task.held.push_back(index);
    const std::int64_t waited = scheduler_.now() - self.requestNs;
    self.waitNs += waited;
    self.maxWaitNs = std::max(self.maxWaitNs, waited);
    lock.maxWaitNs = std::max(lock.maxWaitNs, waited);
    ++lock.acquiredCount;
    lock.contendedCount += self.waited ? 1 : 0;
    const bool late = lock.model->rules().inheritance == ModelRules::Inheritance::WhenSleeping;
    lock.boostsAvoidedCount += late && self.waited && !self.slept ? 1 : 0;
    emitWaitEnd(self, lock);
    reporter_.mark(SliceEnd{});
    lock.cookie =
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(task.tid)) << 32) | ++self.holds;
    reporter_.mark(HoldBegin{lock.name, lock.cookie});
    if (lock.hasCeiling())
        inheritance_.updateCeilings(id);
    // The waiters behind it are no more urgent than it is, but perhaps by nice: as in the kernel
    // (try_to_take_rt_mutex) that shows at the next change only.
}

void VirtualMachine::tryLock(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase == kRequest) {
        self.requestNs = scheduler_.now();
        self.waited = self.slept = false;
        reporter_.mark(WaitBegin{locks_[op.lock].name});
        self.phase = kFirstTry;
        charge(id, spec_.virtualTime.costs.lock);
        return;
    }
    if (locks_[op.lock].model->tryTake(id, scheduler_)) {
        acquired(id, op.lock);
        next(self);
        return;
    }
    ++self.tryFailedCount;
    reporter_.mark(SliceEnd{});
    self.pc = op.jump;
    self.phase = 0;
}

void VirtualMachine::unlock(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase == 0) {
        self.phase = 1;
        charge(id, spec_.virtualTime.costs.lock);
        return;
    }
    release(id, op.lock);
    next(self);
}

void VirtualMachine::release(TaskId id, std::uint32_t index) {
    LockState& lock = locks_[index];
    Task& task = scheduler_.task(id);
    reporter_.mark(HoldEnd{lock.name, lock.cookie});
    const bool contended = lock.model->hasWaiters();
    if (contended)
        emitReleaseBegin(lock);
    assert(!task.held.empty() && task.held.back() == index && "locks nest");
    task.held.pop_back();
    const TaskId sleeper = lock.model->release(scheduler_);
    inheritance_.update(id); // deboosted first, then the waiter is woken
    if (sleeper.valid() && scheduler_.task(sleeper).state == RunState::Blocked)
        scheduler_.makeRunnable(sleeper, WakeKind::Waking);
    if (contended && lock.emitsFutex())
        reporter_.emit(FutexExitEvent{0});
    if (lock.model->hasSpinners())
        retrySpinners(index);
    if (lock.hasCeiling())
        inheritance_.updateCeilings(id);
}

/// Spinners on a CPU see at once that the lock or its owner's state has changed.
void VirtualMachine::retrySpinners(std::uint32_t index) {
    LockState& lock = locks_[index];
    spinners_.clear();
    lock.model->appendSpinners(spinners_);
    for (const TaskId id : spinners_) {
        if (!scheduler_.onCpu(id) || !scheduler_.task(id).spinning)
            continue;
        const EventReporter::Context context = reporter_.context();
        scheduler_.enterContext(id);
        const ModelOutcome outcome = lock.model->attempt(id, scheduler_, true);
        if (outcome != ModelOutcome::Spin)
            endSpinning(id, lock);
        if (outcome == ModelOutcome::Taken) {
            acquired(id, index);
            next(activity(id));
        } else if (outcome == ModelOutcome::Sleep) {
            emitWaitBegin(activity(id), lock, true);
            waitFor(id, index, outcome);
        }
        reporter_.restore(context);
    }
}

void VirtualMachine::endSpinning(TaskId id, LockState& lock) {
    lock.spinNs += scheduler_.now() - activity(id).spinSinceNs;
    scheduler_.setSpinning(id, false);
    scheduler_.work(id, 0);
}

bool VirtualMachine::sleepsWhenPreempted(TaskId id) {
    LockState& lock = locks_[scheduler_.task(id).blockedOn];
    endSpinning(id, lock);
    if (lock.spinsAlways())
        return false; // it looks again when it is back on a CPU
    Activity& self = activity(id);
    scheduler_.enterContext(id);
    lock.model->stopSpinning(id, scheduler_);
    self.slept = true;
    emitWaitBegin(self, lock, true);
    inheritance_.update(lock.model->owner());
    return true;
}

void VirtualMachine::emitWaitBegin(Activity& self, const LockState& lock, bool sleeps) {
    // A PI futex spins inside the kernel, others before they call it.
    if (lock.emitsFutex() && (sleeps || lock.inherits()) && !std::exchange(self.futexEntered, true))
        reporter_.emit(
            FutexEnterEvent{lock.futexAddress, lock.inherits() ? kFutexLockPi : kFutexWait, 0});
    if (lock.emitsContention() && !std::exchange(self.contentionBegun, true))
        reporter_.emit(ContentionBeginEvent{lock.kernelAddress, contentionFlags(lock)});
}

void VirtualMachine::emitWaitEnd(Activity& self, const LockState& lock) {
    if (std::exchange(self.contentionBegun, false))
        reporter_.emit(ContentionEndEvent{lock.kernelAddress, 0});
    if (std::exchange(self.futexEntered, false))
        reporter_.emit(FutexExitEvent{0});
}

void VirtualMachine::emitReleaseBegin(const LockState& lock) {
    if (lock.emitsFutex())
        reporter_.emit(
            FutexEnterEvent{lock.futexAddress, lock.inherits() ? kFutexUnlockPi : kFutexWake, 1});
}

} // namespace inversight
