// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/worker.h"

#include <memory>
#include <vector>

namespace inversight {

/// What a worker is: a thread of the engine's process, or a process of its own, as in the program
/// of 2009.
enum class WorkerKind { Thread, Process };

/// The workers of one run. Whatever way it is left, its destructor calls the run off and joins
/// every worker. Thread-bound to the thread that runs the engine; requestStop() is thread-safe.
class WorkerGroup {
public:
    WorkerGroup(const WorkloadSpec& spec, RunResources& resources, const CpuPlan& cpus,
                MarkerSink& markers, WorkerKind kind);
    ~WorkerGroup();
    WorkerGroup(const WorkerGroup&) = delete;
    WorkerGroup& operator=(const WorkerGroup&) = delete;

    /// Makes all workers and waits until each stands at the gate; the first failure, if any.
    [[nodiscard]] Result<void> assemble();

    /// Opens the gate; the common start on CLOCK_MONOTONIC.
    std::int64_t open() { return environment_.shared->gate.open(); }

    /// Waits until all workers have left their loops, at most `timeoutNs`; whether they have.
    [[nodiscard]] bool waitForEnd(std::int64_t timeoutNs);

    void requestStop() { environment_.requestStop(); }
    void demote();
    void join();

    [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
    [[nodiscard]] std::int32_t tgid() const { return environment_.tgid; }
    [[nodiscard]] std::uint64_t stepsDone() const;
    /// The first worker's failure; after join().
    [[nodiscard]] Result<void> failure() const;

private:
    [[nodiscard]] bool anySetUpFailed() const;

    WorkerEnvironment environment_;
    std::vector<std::unique_ptr<Worker>> workers_;
};

} // namespace inversight
