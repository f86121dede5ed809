// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/event/kernel_event.h"
#include "core/event/marker.h"
#include "core/event/run_manifest.h"
#include "core/lock/lock_policy.h"
#include "core/stats/latency_histogram.h"
#include "core/workload/workload_spec.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace inversight {

/// One thread's figures. All times ns of virtual time.
struct VirtualThreadResult {
    std::string name;
    Scheduling scheduling;
    std::int32_t tid = 0;
    std::int64_t runTimeNs = 0; ///< from the common start to the end of its last operation
    std::uint64_t operationCount = 0;
    std::uint64_t errorCount = 0;     ///< transfers without an answer
    std::uint64_t tryFailedCount = 0; ///< trylocks that came to -EAGAIN
    std::uint64_t jobCount = 0;
    std::uint64_t deadlineMissCount = 0;
    std::int64_t waitNs = 0; ///< for locks, in all
    std::int64_t maxWaitNs = 0;
    LatencyHistogram latency;  ///< request to return of each transfer, lock wait included
    LatencyHistogram response; ///< planned release to end of each job
};

struct VirtualLockResult {
    std::string name;
    std::string policy;
    std::uint64_t acquiredCount = 0;
    std::uint64_t contendedCount = 0;     ///< acquisitions that had to wait
    std::uint64_t boostsAvoidedCount = 0; ///< late-boost: waits spun through without a boost
    std::int64_t spinNs = 0;
    std::int64_t maxWaitNs = 0;
};

struct VirtualRunResult {
    std::string policy;
    std::int64_t totalNs = 0; ///< from the common start until the last thread ended
    std::vector<VirtualThreadResult> threads;
    std::vector<VirtualLockResult> locks; ///< the scenario's, then the buses'
    std::uint64_t boostCount = 0;
    std::uint64_t schedulingEventCount = 0; ///< switches, wake-ups and priority changes
    bool interrupted = false; ///< stopped before all loops were done; figures are of what was done
    /// Threads and locks in turn, first and last the thread whose wait closed the cycle; empty =
    /// none. The figures are of what was done before it.
    std::vector<std::string> deadlock;
};

/// Where a virtual run is reported to; null = not wanted. Markers are kernel events, too.
struct VirtualSinks {
    KernelEventSink* events = nullptr;
    MarkerSink* markers = nullptr;
};

/// Callbacks come from the thread that called run().
struct VirtualObserver {
    /// Before anything runs. The sink writes at the start time, from the program's own thread.
    std::function<void(const std::vector<ManifestThread>& threads, MarkerSink& markers)> started;
    /// After everything has ended.
    std::function<void(MarkerSink& markers)> ended;
    /// Now and then, with the transfers done so far.
    std::function<void(std::uint64_t operationsDone)> progress;
};

/// The process and first thread number of virtual runs; workers follow.
inline constexpr std::int32_t kVirtualTgid = 1000;
/// Virtual time of the common start: not 0, which tools take for "unknown".
inline constexpr std::int64_t kVirtualStartNs = 1'000'000'000;

/// Runs a WorkloadSpec in virtual time: a discrete-event model of CPUs, schedulers, locks and
/// buses that needs no privilege and no real time, and whose every result is exact and repeatable.
/// The same spec gives the same events, on every machine.
///
///     VirtualEngine engine(spec, **findLockPolicy("rt_mutex"), {.events = writer.get()});
///     const VirtualRunResult result = TRY(engine.run({}, {}));
///
/// Model: core/virtual/README.md. Refused (Unsupported, or InvalidArgument for a layout): policies
/// without a model, fair threads under `ceiling`, real-time threads that could busy-wait on their
/// owner's CPU. A deadlock ends the run and is part of the result. Reentrant.
class VirtualEngine {
public:
    VirtualEngine(const WorkloadSpec& spec, const LockPolicyRow& policy, VirtualSinks sinks)
        : spec_(spec), policy_(policy), sinks_(sinks) {}

    [[nodiscard]] Result<VirtualRunResult> run(const JobContext& job,
                                               const VirtualObserver& observer);

private:
    const WorkloadSpec& spec_;
    const LockPolicyRow& policy_;
    VirtualSinks sinks_;
};

} // namespace inversight
