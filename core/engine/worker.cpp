// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/worker.h"

#include "core/engine/thread_runner.h"
#include "core/engine/thread_scheduling.h"

#include <utility>

#include <unistd.h>

namespace inversight {

void WorkerEnvironment::requestStop() {
    shared->stopWord.store(1);
    futexWakeAll(shared->stopWord, LockScope::SharedMemory);
    stop.request_stop();
}

Worker::Worker(const ThreadSpec& spec, std::size_t index, WorkerEnvironment& environment)
    : spec_(spec), index_(index), environment_(environment) {
    // Before a fork: other processes read the name.
    slot_->thread.waiter.name = spec.name;
    slot_->thread.waiter.kernelPriority = spec.scheduling.kernelPriority();
}

ThreadFigures Worker::work() {
    WorkersShared& shared = *environment_.shared;
    ThreadRunner runner(
        spec_, resolveBody(spec_, environment_.resources), slot_->thread,
        RandomSource(environment_.seed, index_),
        {environment_.markers, environment_.tgid, environment_.stop.get_token(), slot_->gauges});
    if (Result<void> ready = setUp(); !ready) {
        runner.figures().failure = std::move(ready).error();
        slot_->setUpFailed = true;
    }
    onReady();
    shared.ready.countIn();
    if (const auto startNs = shared.gate.wait())
        runner.run(*startNs);
    if (runner.figures().failure || !runner.figures().deadlock.empty())
        environment_.requestStop();
    if (!spec_.background) // the run does not wait for those
        shared.ended.countIn();
    return std::move(runner.figures());
}

Result<void> Worker::setUp() {
    const std::vector<int> cpus = machineCpus();
    Waiter& self = slot_->thread.waiter;
    self.tid = gettid();
    const bool pinned =
        cpus.size() == 1 && spec_.scheduling.schedulingClass != SchedulingClass::Deadline;
    self.cpu = pinned ? cpus.front() : -1;
    slot_->tid = self.tid;
    return becomeThread(spec_, cpus);
}

std::vector<int> Worker::machineCpus() const {
    if (spec_.cpus.empty())
        return environment_.cpus.workerCpus;
    std::vector<int> cpus;
    for (const int cpu : spec_.cpus)
        cpus.push_back(environment_.cpus.workerCpus.at(static_cast<std::size_t>(cpu)));
    return cpus;
}

} // namespace inversight
