// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/worker.h"

#include <functional>
#include <memory>
#include <vector>

namespace inversight {

/// The workers of one run. Whatever way it is left, its destructor calls the run off and joins
/// every thread. Thread-bound to the thread that runs the engine.
class WorkerGroup {
public:
    WorkerGroup(const WorkloadSpec& spec, std::vector<RunBus>& buses, int workerCpu,
                MarkerSink& markers);
    ~WorkerGroup();
    WorkerGroup(const WorkerGroup&) = delete;
    WorkerGroup& operator=(const WorkerGroup&) = delete;

    /// Makes all workers and waits until each stands at the gate; the first failure, if any.
    [[nodiscard]] Result<void> assemble();

    /// Opens the gate; the common start on CLOCK_MONOTONIC.
    std::int64_t open() { return environment_.gate.open(); }

    /// Waits until all workers have left their loops, at most `timeoutNs`; whether they have.
    [[nodiscard]] bool waitForEnd(std::int64_t timeoutNs);

    void requestStop() { environment_.stop.request_stop(); }
    void demote();
    void join();

    [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
    [[nodiscard]] std::int32_t tgid() const { return environment_.tgid; }
    [[nodiscard]] std::uint64_t stepsDone() const;
    /// The first worker's failure.
    [[nodiscard]] Result<void> failure() const;

private:
    WorkerEnvironment environment_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace inversight
