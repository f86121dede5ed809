// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/engine/rt_environment.h"
#include "core/engine/thread_figures.h"
#include "core/engine/worker_group.h"
#include "core/event/marker.h"
#include "core/event/run_manifest.h"
#include "core/lock/lock_policy.h"
#include "core/stats/latency_histogram.h"
#include "core/workload/scenario.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

/// How a worker's jobs went.
struct JobFigures {
    std::uint64_t count = 0;
    std::uint64_t deadlineMissCount = 0;
    bool hasDeadline = false;
    std::int64_t maxWaitNs = 0; ///< for one lock
    LatencyHistogram response;  ///< planned release to end of each job
};

/// One worker's figures.
struct ThreadRunResult {
    std::string name;
    Scheduling scheduling;
    std::int32_t tid = 0;       ///< of its thread, or its process
    std::int64_t runTimeNs = 0; ///< from the start barrier to the end of its last operation
    std::uint64_t operationCount = 0;
    std::uint64_t errorCount = 0;     ///< transfers that failed
    std::uint64_t tryFailedCount = 0; ///< trylocks that came to -EAGAIN
    std::int64_t waitNs = 0;          ///< for locks, in all
    LatencyHistogram latency;         ///< request to return of each transfer, lock wait included
    std::optional<JobFigures> jobs = {};
    std::optional<LatencyParts> parts = {}; ///< of the transfers; virtual time does not keep them
};

/// One lock's figures.
struct LockRunResult {
    std::string name;
    std::string policy;
    LockStatistics statistics;
};

struct RunResult {
    std::string policy;
    std::int64_t totalNs = 0; ///< from the start barrier until the last worker ended
    std::vector<ThreadRunResult> threads;
    std::vector<LockRunResult> locks; ///< the scenario's, then the buses'
    bool interrupted = false; ///< stopped before all loops were done; figures are of what was done
    /// Threads and locks in turn, first and last the thread whose wait closed the cycle; empty =
    /// none. It ends the run, and is a warning, too.
    std::vector<std::string> deadlock;
    std::vector<std::string> warnings;
};

struct RunProgress {
    std::uint64_t operationsDone = 0;
    std::uint64_t operationsTotal = 0;
    std::int64_t maxLatencyNs = 0;
};

/// How a run is reported while it goes on. Callbacks come from the thread that called run().
struct RunObserver {
    /// All workers exist, with their tids, but none has started: the time to write the manifest.
    std::function<void(const std::vector<ManifestThread>& threads)> started;
    /// A few times per second.
    std::function<void(const RunProgress& progress)> progress;
};

struct EngineOptions {
    WorkerKind workers = WorkerKind::Thread;
};

/// Runs a WorkloadSpec on real threads of this machine, or on processes.
///
/// The calling thread is kept on `cpus.otherCpus` and waits; workers are made, pinned, given
/// their class and priority, meet at a barrier and start together. Releases are absolute times.
/// Each wait, hold, transfer and release is marked through `markers`; the locks are announced by
/// name and futex address. /dev/cpu_dma_latency is held at 0 and memory is locked for the run where
/// permitted (else a warning). A watchdog demotes all workers when none has got on for 10 s beyond
/// the scenario's own longest step, and the run then ends as an error. A stop request lets every
/// worker end its operation and returns interrupted=true. All workers are joined before run()
/// returns, whatever happens. Refused: policies without real threads, layouts a policy cannot
/// serve (lock_users.h), more CPUs than there are. Thread-safe per object: one run at a time.
class WorkloadEngine {
public:
    WorkloadEngine(const WorkloadSpec& spec, const LockPolicyRow& policy, CpuPlan cpus,
                   MarkerSink& markers, EngineOptions options = {});

    [[nodiscard]] Result<RunResult> run(const JobContext& job, const RunObserver& observer);

private:
    const WorkloadSpec& spec_;
    const LockPolicyRow& policy_;
    CpuPlan cpus_;
    MarkerSink& markers_;
    EngineOptions options_;
};

} // namespace inversight
