// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/worker_group.h"

#include "core/engine/process_worker.h"
#include "core/engine/run_guards.h"
#include "core/engine/thread_scheduling.h"
#include "core/engine/thread_worker.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

namespace inversight {

namespace {

// Setting up takes milliseconds; a worker that has died on the way never comes.
constexpr std::int64_t kAssemblyNs = 30'000'000'000;

std::unique_ptr<Worker> makeWorker(WorkerKind kind, const ThreadSpec& spec, std::size_t index,
                                   WorkerEnvironment& environment) {
    if (kind == WorkerKind::Process)
        return std::make_unique<ProcessWorker>(spec, index, environment);
    return std::make_unique<ThreadWorker>(spec, index, environment);
}

} // namespace

WorkerGroup::WorkerGroup(const WorkloadSpec& spec, RunResources& resources, const CpuPlan& cpus,
                         MarkerSink& markers, WorkerKind kind)
    : environment_{.markers = markers,
                   .resources = resources,
                   .cpus = cpus,
                   .seed = spec.seed,
                   .tgid = getpid()} {
    for (std::size_t i = 0; i < spec.threads.size(); ++i)
        workers_.push_back(makeWorker(kind, spec.threads[i], i, environment_));
}

WorkerGroup::~WorkerGroup() {
    requestStop();
    environment_.shared->gate.callOff();
    join();
}

Result<void> WorkerGroup::assemble() {
    {
        const BlockedSignals inheritedByWorkers;
        for (const auto& worker : workers_)
            TRY(worker->start());
    }
    const bool complete = environment_.shared->ready.waitFor(workers_.size(), kAssemblyNs);
    if (complete && !anySetUpFailed())
        return {};
    environment_.shared->gate.callOff();
    join();
    TRY(failure());
    return std::unexpected(Error{ErrorCode::Busy, "the workers did not come to the start in time"});
}

bool WorkerGroup::anySetUpFailed() const {
    return std::ranges::any_of(
        workers_, [](const auto& worker) { return worker->slot().setUpFailed.load(); });
}

bool WorkerGroup::waitForEnd(std::int64_t timeoutNs) {
    const auto awaited = std::ranges::count_if(
        workers_, [](const auto& worker) { return !worker->spec().background; });
    return environment_.shared->ended.waitFor(static_cast<std::size_t>(awaited), timeoutNs);
}

void WorkerGroup::demote() {
    for (const auto& worker : workers_) {
        if (const std::int32_t tid = worker->slot().tid; tid != 0)
            demoteThread(tid);
    }
}

void WorkerGroup::join() {
    for (const auto& worker : workers_)
        worker->join();
}

std::uint64_t WorkerGroup::stepsDone() const {
    std::uint64_t steps = 0;
    for (const auto& worker : workers_)
        steps += worker->slot().gauges.steps;
    return steps;
}

Result<void> WorkerGroup::failure() const {
    for (const auto& worker : workers_) {
        if (worker->figures().failure)
            return std::unexpected(*worker->figures().failure);
    }
    return {};
}

} // namespace inversight
