// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/workload_engine.h"

#include "core/bus/bus_backends.h"
#include "core/bus/thread_clock.h"
#include "core/engine/run_guards.h"
#include "core/engine/runnable.h"
#include "core/engine/watchdog.h"
#include "core/engine/worker_group.h"
#include "core/workload/wire_time.h"

#include <algorithm>
#include <functional>
#include <stop_token>

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr std::int64_t kProgressNs = 200'000'000;
constexpr std::int64_t kWatchdogNs = 10'000'000'000;

// IRQ threads run at FIFO 50 (kernel/irq/manage.c).
constexpr std::int32_t kIrqThreadPriority = 50;

Result<RunBus> openBus(const BusSpec& spec, const LockPolicyRow& policy) {
    const BusBackendRow* backend = TRY(findBusBackend(spec.backend));
    if (backend->ownLock)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("bus {} brings its own lock: policy {} cannot be put in front of it",
                              spec.name, policy.name)});
    return RunBus{spec.name, spec.lockName(), policy.makeReal({}), TRY(backend->open(spec))};
}

Result<std::vector<RunBus>> openBuses(const WorkloadSpec& spec, const LockPolicyRow& policy) {
    if (!policy.makeReal)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("policy {} exists in virtual time only", policy.name)});
    std::vector<RunBus> buses;
    for (const BusSpec& bus : spec.buses)
        buses.push_back(TRY(openBus(bus, policy)));
    return buses;
}

std::vector<std::string> layoutWarnings(const WorkloadSpec& spec) {
    std::vector<std::string> warnings;
    for (const ThreadSpec& thread : spec.threads) {
        if (thread.scheduling.priority > kIrqThreadPriority)
            warnings.push_back(fmt::format("worker {} runs at {}, above the kernel's interrupt "
                                           "threads ({}): it can delay real devices",
                                           thread.name, thread.scheduling.text(),
                                           kIrqThreadPriority));
    }
    return warnings;
}

void addWarning(RunResult& result, const std::string& warning) {
    if (!warning.empty())
        result.warnings.push_back(warning);
}

/// The longest one step may take if nothing is in its way.
std::int64_t stepNs(const Step& step, const WorkloadSpec& spec) {
    if (const auto* run = std::get_if<RunStep>(&step))
        return run->duration.upperBound().count();
    if (const auto* sleep = std::get_if<SleepStep>(&step))
        return sleep->duration.upperBound().count();
    const auto& transfer = std::get<TransferStep>(step);
    const BusSpec* bus = spec.findBus(transfer.bus);
    return (bus->cpuBefore.upperBound() + i2cWireTime(transfer.operation, bus->clockHz) +
            bus->cpuAfter.upperBound())
        .count();
}

/// How long nothing may move: a scenario's own longest step is no hang.
std::int64_t watchdogLimitNs(const WorkloadSpec& spec) {
    std::int64_t longest = 0;
    for (const ThreadSpec& thread : spec.threads) {
        for (const Step& step : thread.body)
            longest = std::max(longest, stepNs(step, spec));
    }
    return kWatchdogNs + longest;
}

void announceLocks(const std::vector<RunBus>& buses, std::int32_t tgid, MarkerSink& markers) {
    for (const RunBus& bus : buses) {
        if (const std::uint64_t address = bus.lock->futexAddress(); address != 0)
            markers.write({tgid, LockAnnouncement{bus.lockName, address, LockAddressKind::Futex}});
    }
}

std::vector<ManifestThread> manifestThreads(const WorkerGroup& group) {
    std::vector<ManifestThread> threads;
    for (const auto& worker : group.workers())
        threads.push_back(worker->asItIs());
    return threads;
}

RunProgress progressOf(const WorkerGroup& group, std::uint64_t total) {
    RunProgress progress{.operationsDone = 0, .operationsTotal = total, .maxLatencyNs = 0};
    for (const auto& worker : group.workers()) {
        progress.operationsDone += worker->operationsDone();
        progress.maxLatencyNs = std::max(progress.maxLatencyNs, worker->maxLatencyNs());
    }
    return progress;
}

/// Waits for the end of the run, tells about its progress and keeps watch.
Result<void> supervise(WorkerGroup& group, const WorkloadSpec& spec, const RunObserver& observer) {
    const std::uint64_t total = spec.totalOperations();
    const std::int64_t limit = watchdogLimitNs(spec);
    Watchdog watchdog(limit, monotonicNs());
    for (;;) {
        const bool ended = group.waitForEnd(kProgressNs);
        if (observer.progress)
            observer.progress(progressOf(group, total));
        if (ended)
            return {};
        if (watchdog.expired(group.stepsDone(), monotonicNs())) {
            group.demote();
            return std::unexpected(
                Error{ErrorCode::Busy,
                      fmt::format("no worker got on for {} s: all were demoted to SCHED_OTHER and "
                                  "the run was ended",
                                  limit / 1'000'000'000),
                      spec.name});
        }
    }
}

ThreadRunResult resultOf(Worker& worker, std::int64_t startNs) {
    const std::int64_t last = worker.lastOperationEndNs();
    const std::int64_t end = last != 0 ? last : worker.endNs();
    return {
        .name = worker.spec().name,
        .scheduling = worker.spec().scheduling,
        .tid = worker.asItIs().tid,
        .runTimeNs = std::max<std::int64_t>(end - startNs, 0),
        .operationCount = worker.operationsDone(),
        .errorCount = worker.errorCount(),
        .latency = worker.takeLatency(),
    };
}

void collect(const WorkerGroup& group, std::int64_t startNs, RunResult& result) {
    for (const auto& worker : group.workers()) {
        result.totalNs = std::max(result.totalNs, worker->endNs() - startNs);
        result.interrupted = result.interrupted || !worker->finishedAllLoops();
        result.threads.push_back(resultOf(*worker, startNs));
    }
}

} // namespace

WorkloadEngine::WorkloadEngine(const WorkloadSpec& spec, const LockPolicyRow& policy, CpuPlan cpus,
                               MarkerSink& markers)
    : spec_(spec), policy_(policy), cpus_(std::move(cpus)), markers_(markers) {}

Result<RunResult> WorkloadEngine::run(const JobContext& job, const RunObserver& observer) {
    TRY(checkRealThreadsCanRun(spec_));
    std::vector<RunBus> buses = TRY(openBuses(spec_, policy_));
    RunResult result;
    result.policy = policy_.name;
    result.warnings = layoutWarnings(spec_);

    const CallerPlacement placement(cpus_.otherCpus);
    addWarning(result, placement.warning());
    const CpuLatencyRequest noDeepIdle;
    addWarning(result, noDeepIdle.warning());
    WorkerGroup group(spec_, buses, cpus_.workerCpu, markers_);
    TRY(group.assemble());
    const LockedMemory lockedMemory;
    addWarning(result, lockedMemory.warning());

    announceLocks(buses, group.tgid(), markers_);
    if (observer.started)
        observer.started(manifestThreads(group));
    const std::stop_callback stopWorkers(job.stopToken(), [&group] { group.requestStop(); });
    const std::int64_t startNs = group.open();
    TRY(supervise(group, spec_, observer));
    group.join();
    TRY(group.failure());
    collect(group, startNs, result);
    return result;
}

} // namespace inversight
