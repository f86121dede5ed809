// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/workload_engine.h"

#include "core/base/time_format.h"
#include "core/bus/thread_clock.h"
#include "core/engine/run_guards.h"
#include "core/engine/run_warnings.h"
#include "core/engine/runnable.h"
#include "core/engine/thread_scheduling.h"
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

void addWarning(RunResult& result, const std::string& warning) {
    if (!warning.empty())
        result.warnings.push_back(warning);
}

/// The longest one step may take if nothing is in its way.
std::int64_t stepNs(const Step& step, const ThreadSpec& thread, const WorkloadSpec& spec) {
    if (const auto* run = std::get_if<RunStep>(&step))
        return run->duration.upperBound().count();
    if (const auto* sleep = std::get_if<SleepStep>(&step))
        return sleep->duration.upperBound().count();
    if (std::holds_alternative<NextPeriodStep>(step))
        return thread.period.count();
    const auto* transfer = std::get_if<TransferStep>(&step);
    if (!transfer)
        return 0;
    return longestTransfer(*spec.findBus(transfer->bus), transfer->operation).count();
}

/// How long nothing may move: a scenario's own longest step is no hang.
std::int64_t watchdogLimitNs(const WorkloadSpec& spec) {
    std::int64_t longest = 0;
    for (const ThreadSpec& thread : spec.threads) {
        longest = std::max(longest, thread.startOffset.upperBound().count());
        for (const Step& step : thread.body)
            longest = std::max(longest, stepNs(step, thread, spec));
    }
    return kWatchdogNs + longest;
}

std::vector<ManifestThread> manifestThreads(const WorkerGroup& group) {
    std::vector<ManifestThread> threads;
    for (const auto& worker : group.workers())
        threads.push_back(threadAsItIs(worker->slot().tid, worker->spec().name));
    return threads;
}

RunProgress progressOf(const WorkerGroup& group, std::uint64_t total) {
    RunProgress progress{.operationsDone = 0, .operationsTotal = total, .maxLatencyNs = 0};
    for (const auto& worker : group.workers()) {
        const WorkerGauges& gauges = worker->slot().gauges;
        progress.operationsDone += gauges.operations;
        progress.maxLatencyNs = std::max(progress.maxLatencyNs, gauges.maxLatencyNs.load());
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
        if (ended) {
            group.requestStop(); // background threads go on until then
            return {};
        }
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
    ThreadFigures& figures = worker.figures();
    const std::int64_t last = figures.lastOperationEndNs;
    const std::int64_t end = last != 0 ? last : figures.endNs;
    return {
        .name = worker.spec().name,
        .scheduling = worker.spec().scheduling,
        .tid = worker.slot().tid,
        .runTimeNs = std::max<std::int64_t>(end - startNs, 0),
        .operationCount = figures.operationCount,
        .errorCount = figures.errorCount,
        .tryFailedCount = figures.tryFailedCount,
        .waitNs = figures.waitNs,
        .latency = std::move(figures.latency),
        .jobs = JobFigures{.count = figures.jobCount,
                           .deadlineMissCount = figures.deadlineMissCount,
                           .hasDeadline = worker.spec().deadline.count() > 0,
                           .maxWaitNs = figures.maxWaitNs,
                           .response = std::move(figures.response)},
        .parts = std::move(figures.parts),
    };
}

std::string deadlockWarning(const RunResult& result) {
    Deadlock cycle;
    for (std::size_t i = 0; i + 1 < result.deadlock.size(); i += 2)
        cycle.cycle.push_back({result.deadlock[i], result.deadlock[i + 1]});
    return fmt::format("{}: deadlock after {}: {}", result.policy, formatDuration(result.totalNs),
                       deadlockText(cycle));
}

void collect(const WorkerGroup& group, std::int64_t startNs, RunResult& result) {
    for (const auto& worker : group.workers()) {
        const ThreadFigures& figures = worker->figures();
        if (worker->spec().background)
            continue;
        result.totalNs = std::max(result.totalNs, figures.endNs - startNs);
        result.interrupted = result.interrupted || !figures.finishedAllLoops;
        if (result.deadlock.empty())
            result.deadlock = figures.deadlock;
        result.threads.push_back(resultOf(*worker, startNs));
    }
    if (!result.deadlock.empty())
        result.warnings.push_back(deadlockWarning(result));
}

void collectLocks(const RunResources& resources, RunResult& result) {
    for (const RunLock& lock : resources.locks())
        result.locks.push_back({lock.lock->name(), lock.policy, lock.lock->policy().statistics()});
}

} // namespace

WorkloadEngine::WorkloadEngine(const WorkloadSpec& spec, const LockPolicyRow& policy, CpuPlan cpus,
                               MarkerSink& markers, EngineOptions options)
    : spec_(spec), policy_(policy), cpus_(std::move(cpus)), markers_(markers), options_(options) {}

Result<RunResult> WorkloadEngine::run(const JobContext& job, const RunObserver& observer) {
    TRY(checkRealThreadsCanRun(spec_, policy_, cpus_));
    const bool processes = options_.workers == WorkerKind::Process;
    RunResources resources = TRY(RunResources::open(
        spec_, policy_, processes ? LockScope::SharedMemory : LockScope::Process));
    RunResult result;
    result.policy = policy_.name;
    result.warnings = layoutWarnings(spec_, RtEnvironment::probe(), cpus_);

    const CallerPlacement placement(cpus_.otherCpus);
    addWarning(result, placement.warning());
    const CpuLatencyRequest noDeepIdle;
    addWarning(result, noDeepIdle.warning());
    WorkerGroup group(spec_, resources, cpus_, markers_, options_.workers);
    TRY(group.assemble());
    const LockedMemory lockedMemory;
    addWarning(result, lockedMemory.warning());

    if (!processes) // those announce them as their own
        resources.announce(group.tgid(), markers_);
    if (observer.started)
        observer.started(manifestThreads(group));
    const std::stop_callback stopWorkers(job.stopToken(), [&group] { group.requestStop(); });
    const std::int64_t startNs = group.open();
    TRY(supervise(group, spec_, observer));
    group.join();
    TRY(group.failure());
    collect(group, startNs, result);
    collectLocks(resources, result);
    return result;
}

} // namespace inversight
