// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/virtual_engine.h"

#include "core/virtual/lock_setup.h"
#include "core/virtual/virtual_machine.h"

#include <algorithm>

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr const char* kProgramName = "inversight";

void announceVirtualLocks(const std::vector<LockState>& locks, EventReporter& reporter) {
    for (const LockState& lock : locks) {
        if (lock.emitsFutex())
            reporter.mark(LockAnnouncement{lock.name, lock.futexAddress, LockAddressKind::Futex});
        if (lock.emitsContention())
            reporter.mark(LockAnnouncement{lock.name, lock.kernelAddress, LockAddressKind::Kernel});
    }
}

std::vector<ManifestThread> virtualManifestThreads(const WorkloadSpec& spec, Scheduler& scheduler) {
    std::vector<ManifestThread> threads;
    for (std::uint32_t i = 0; i < spec.threads.size(); ++i) {
        const Task& task = scheduler.task(TaskId{i});
        ManifestThread thread;
        thread.tid = task.tid;
        thread.name = task.comm;
        thread.schedulingClass = schedulingClassName(task.scheduling.schedulingClass);
        thread.priority = task.scheduling.priority;
        thread.nice = task.scheduling.nice;
        for (int cpu = 0; cpu < spec.cpuCount; ++cpu) {
            if ((task.allowed >> cpu & 1) != 0)
                thread.cpus.push_back(cpu);
        }
        threads.push_back(std::move(thread));
    }
    return threads;
}

/// The program's own thread comes back once its workers have ended.
void reportReturn(EventReporter& reporter, const Scheduler& scheduler) {
    if (!reporter.wanted() || !scheduler.isIdle(0)) // a background thread goes on there
        return;
    reporter.setContext(0, 0);
    for (const WakeKind kind : {WakeKind::Waking, WakeKind::Wakeup})
        reporter.emit(SchedWakeEvent{kind, kProgramName, kVirtualTgid, 120, 0});
    reporter.emit(
        SchedSwitchEvent{"swapper/0", 0, 120, kTaskRunning, kProgramName, kVirtualTgid, 120});
    reporter.setContext(0, kVirtualTgid);
}

VirtualThreadResult resultOf(Activity& activity, const Task& task) {
    const std::int64_t end =
        activity.lastOperationEndNs != 0 ? activity.lastOperationEndNs : activity.endNs;
    VirtualThreadResult result;
    result.name = task.comm;
    result.scheduling = task.scheduling;
    result.tid = task.tid;
    result.runTimeNs = std::max<std::int64_t>(end - kVirtualStartNs, 0);
    result.operationCount = activity.operationCount;
    result.errorCount = activity.errorCount;
    result.tryFailedCount = activity.tryFailedCount;
    result.jobCount = activity.jobCount;
    result.deadlineMissCount = activity.deadlineMissCount;
    result.waitNs = activity.waitNs;
    result.maxWaitNs = activity.maxWaitNs;
    result.latency = std::move(activity.latency);
    result.response = std::move(activity.response);
    return result;
}

VirtualLockResult resultOf(const LockState& lock) {
    return {.name = lock.name,
            .policy = lock.policy,
            .acquiredCount = lock.acquiredCount,
            .contendedCount = lock.contendedCount,
            .boostsAvoidedCount = lock.boostsAvoidedCount,
            .spinNs = lock.spinNs,
            .maxWaitNs = lock.maxWaitNs};
}

VirtualRunResult collectVirtual(VirtualMachine& machine, const LockPolicyRow& policy) {
    VirtualRunResult result;
    result.policy = policy.name;
    const Scheduler& scheduler = machine.scheduler();
    for (std::uint32_t i = 0; i < machine.activities().size(); ++i) {
        if (Activity& activity = machine.activities()[i]; !activity.spec->background)
            result.threads.push_back(resultOf(activity, machine.scheduler().task(TaskId{i})));
    }
    for (const LockState& lock : machine.locks())
        result.locks.push_back(resultOf(lock));
    result.totalNs = scheduler.now() - kVirtualStartNs;
    result.boostCount = machine.inheritance().boostCount();
    result.schedulingEventCount =
        scheduler.switchCount() + scheduler.wakeUpCount() + machine.inheritance().changeCount();
    result.interrupted = machine.aliveCount() > 0;
    result.deadlock = machine.deadlock();
    return result;
}

/// Until nothing happens any more or the job is stopped.
void runMachine(VirtualMachine& machine, const JobContext& job, const VirtualObserver& observer) {
    constexpr std::uint32_t kLook = 1 << 16;
    for (std::uint32_t steps = 1; machine.step(); ++steps) {
        if (steps % kLook != 0)
            continue;
        if (job.cancelled())
            return;
        if (observer.progress)
            observer.progress(machine.operationsDone());
    }
}

} // namespace

Result<VirtualRunResult> VirtualEngine::run(const JobContext& job,
                                            const VirtualObserver& observer) {
    EventReporter reporter(sinks_.events, sinks_.markers, kVirtualTgid);
    VirtualMachine machine(spec_, TRY(makeLocks(spec_, policy_)), reporter);
    reporter.setTime(kVirtualStartNs);
    reporter.setContext(0, kVirtualTgid);
    announceVirtualLocks(machine.locks(), reporter);
    if (observer.started)
        observer.started(virtualManifestThreads(spec_, machine.scheduler()), reporter);
    machine.boot(kVirtualStartNs, kVirtualTgid, kProgramName);
    runMachine(machine, job, observer);
    VirtualRunResult result = collectVirtual(machine, policy_);
    if (result.interrupted && result.deadlock.empty() && !job.cancelled())
        return std::unexpected(
            Error{ErrorCode::InvalidArgument,
                  fmt::format("under policy {} no thread can go on, although none has ended",
                              policy_.name),
                  spec_.name});
    if (!result.interrupted)
        reportReturn(reporter, machine.scheduler());
    if (observer.ended)
        observer.ended(reporter);
    return result;
}

} // namespace inversight
