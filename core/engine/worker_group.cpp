// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/worker_group.h"

#include "core/engine/run_guards.h"

namespace inversight {

WorkerGroup::WorkerGroup(const WorkloadSpec& spec, std::vector<RunBus>& buses, int workerCpu,
                         MarkerSink& markers)
    : environment_(markers, workerCpu, static_cast<std::ptrdiff_t>(spec.threads.size())) {
    for (const ThreadSpec& thread : spec.threads)
        workers_.push_back(std::make_unique<Worker>(thread, buses, environment_));
}

WorkerGroup::~WorkerGroup() {
    requestStop();
    environment_.gate.callOff();
    join();
}

Result<void> WorkerGroup::assemble() {
    {
        const BlockedSignals inheritedByWorkers;
        for (const auto& worker : workers_)
            TRY(worker->start());
    }
    environment_.ready.wait();
    return failure();
}

bool WorkerGroup::waitForEnd(std::int64_t timeoutNs) {
    return environment_.ended.waitFor(workers_.size(), timeoutNs);
}

void WorkerGroup::demote() {
    for (const auto& worker : workers_)
        worker->demote();
}

void WorkerGroup::join() {
    for (const auto& worker : workers_)
        worker->join();
}

std::uint64_t WorkerGroup::stepsDone() const {
    std::uint64_t steps = 0;
    for (const auto& worker : workers_)
        steps += worker->stepsDone();
    return steps;
}

Result<void> WorkerGroup::failure() const {
    for (const auto& worker : workers_) {
        if (worker->failure())
            return std::unexpected(*worker->failure());
    }
    return {};
}

} // namespace inversight
