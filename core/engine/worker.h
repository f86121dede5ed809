// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/rt_environment.h"
#include "core/engine/run_board.h"
#include "core/engine/run_resources.h"
#include "core/engine/start_gate.h"
#include "core/engine/thread_figures.h"
#include "core/event/run_manifest.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace inversight {

/// What workers of a run, threads or processes, have in common in memory.
struct WorkersShared : ForkShared {
    StartGate gate;
    CountBoard ready; ///< counted by each worker once it stands at the gate
    CountBoard ended;
    FutexWord stopWord{0}; ///< 1: stop; for processes, which share no stop token
};

/// One worker's share of it.
struct WorkerSlot : ForkShared {
    WaitingThread thread;
    WorkerGauges gauges;
    std::atomic<std::int32_t> tid{0};
    std::atomic<bool> setUpFailed{false};
};

/// What all workers of a run use; outlives them.
struct WorkerEnvironment {
    MarkerSink& markers;
    RunResources& resources;
    const CpuPlan& cpus;
    std::uint64_t seed = 0;
    std::int32_t tgid = 0; ///< of the calling process
    std::unique_ptr<WorkersShared> shared = std::make_unique<WorkersShared>();
    std::stop_source stop = {};

    /// Of all workers, in whatever process. Thread-safe.
    void requestStop();
};

/// One thread of the workload: made, pinned, named and given its class, then it waits at the gate
/// and works through its body (ThreadRunner). How it is made is a derived class's business.
///
/// start() and join() belong to the owning thread. The slot may be read while the worker runs;
/// figures only after join().
class Worker {
public:
    /// `index` is the thread's in the scenario.
    Worker(const ThreadSpec& spec, std::size_t index, WorkerEnvironment& environment);
    virtual ~Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    [[nodiscard]] virtual Result<void> start() = 0;
    /// Does nothing to one that was not started.
    virtual void join() = 0;

    [[nodiscard]] const ThreadSpec& spec() const { return spec_; }
    [[nodiscard]] const WorkerSlot& slot() const { return *slot_; }
    [[nodiscard]] ThreadFigures& figures() { return figures_; }
    [[nodiscard]] const ThreadFigures& figures() const { return figures_; }

protected:
    /// Called by the worker itself once all it needs is there, before it comes to the gate.
    virtual void onReady() {}
    /// The worker's whole life, in its own thread or process.
    [[nodiscard]] ThreadFigures work();
    [[nodiscard]] WorkerEnvironment& environment() const { return environment_; }
    void setFigures(ThreadFigures figures) { figures_ = std::move(figures); }

private:
    [[nodiscard]] Result<void> setUp();
    [[nodiscard]] std::vector<int> machineCpus() const;

    const ThreadSpec& spec_;
    std::size_t index_;
    WorkerEnvironment& environment_;
    std::unique_ptr<WorkerSlot> slot_ = std::make_unique<WorkerSlot>();
    ThreadFigures figures_;
};

} // namespace inversight
