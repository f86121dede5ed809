// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"
#include "core/engine/start_gate.h"
#include "core/event/marker.h"
#include "core/event/run_manifest.h"
#include "core/lock/lock_policy.h"
#include "core/stats/latency_histogram.h"
#include "core/workload/workload_spec.h"

#include <atomic>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pthread.h>

namespace inversight {

/// A bus of the run with the lock in front of it.
struct RunBus {
    std::string name;
    std::string lockName;
    std::unique_ptr<LockPolicy> lock;
    std::unique_ptr<BusBackend> backend;
};

/// Counts workers out of their loops. Thread-safe.
class EndBoard {
public:
    void countOut();
    /// Waits until `count` are out, at most `timeoutNs`; whether they are.
    [[nodiscard]] bool waitFor(std::size_t count, std::int64_t timeoutNs);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t out_ = 0;
};

/// What all workers of a run share; outlives them.
struct WorkerEnvironment {
    WorkerEnvironment(MarkerSink& sink, int cpu, std::ptrdiff_t workerCount);

    MarkerSink& markers;
    int workerCpu;
    std::int32_t tgid;
    StartGate gate;
    std::stop_source stop;
    std::latch ready; ///< counted down by each worker once it stands at the gate
    EndBoard ended;
};

/// One thread of the workload: made, pinned, named and given its class, then it waits at the gate
/// and works through its body. Between gate and end it allocates nothing and takes no lock but the
/// one under study.
///
/// start() and join() belong to the owning thread. tid(), progress and maximum may be read while
/// the worker runs; failure and results only after `ready` (setup failures) or after join().
class Worker {
public:
    /// `buses` must hold every bus the body names, and outlive the worker.
    Worker(const ThreadSpec& spec, std::vector<RunBus>& buses, WorkerEnvironment& environment);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    [[nodiscard]] Result<void> start();
    void join();
    /// SCHED_OTHER, whatever it was: the watchdog's last resort.
    void demote() const;

    [[nodiscard]] const ThreadSpec& spec() const { return spec_; }
    [[nodiscard]] const ManifestThread& asItIs() const { return asItIs_; }
    [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
    [[nodiscard]] bool finishedAllLoops() const { return finishedAllLoops_; }

    [[nodiscard]] std::uint64_t stepsDone() const { return steps_.load(); }
    [[nodiscard]] std::uint64_t operationsDone() const { return operations_.load(); }
    [[nodiscard]] std::int64_t maxLatencyNs() const { return maxLatency_.load(); }

    [[nodiscard]] std::int64_t endNs() const { return endNs_; }
    [[nodiscard]] std::int64_t lastOperationEndNs() const { return lastOperationEndNs_; }
    [[nodiscard]] std::uint64_t errorCount() const { return errors_; }
    [[nodiscard]] LatencyHistogram takeLatency() { return std::move(latency_); }

private:
    struct Transfer {
        RunBus* bus = nullptr;
        I2cOperation operation = I2cOperation::ReadByteData;
        const char* operationName = "";
    };
    using ResolvedStep = std::variant<RunStep, SleepStep, Transfer>;

    static void* entry(void* worker);
    void main();
    [[nodiscard]] Result<void> setUp();
    [[nodiscard]] Result<void> applyScheduling() const;
    void readBack();
    [[nodiscard]] bool runLoops();
    [[nodiscard]] bool runBody(bool last);
    [[nodiscard]] bool perform(const RunStep& step);
    [[nodiscard]] bool perform(const SleepStep& step);
    [[nodiscard]] bool perform(const Transfer& transfer);
    [[nodiscard]] bool acquire(const Transfer& transfer);
    [[nodiscard]] bool transferUnderLock(const Transfer& transfer);
    void recordLatency(std::int64_t latencyNs);
    void fail(Error error);
    void mark(MarkerBody body) const { environment_.markers.write({environment_.tgid, body}); }

    const ThreadSpec& spec_;
    WorkerEnvironment& environment_;
    std::vector<ResolvedStep> body_;
    std::stop_token stop_;
    Waiter waiter_;
    pthread_t thread_{};
    bool started_ = false;

    ManifestThread asItIs_;
    std::optional<Error> failure_;
    bool finishedAllLoops_ = false;
    std::uint32_t holds_ = 0;
    std::uint64_t errors_ = 0;
    std::int64_t endNs_ = 0;
    std::int64_t lastOperationEndNs_ = 0;
    LatencyHistogram latency_;

    // Read by the owning thread while we run, a few times per second.
    std::atomic<std::uint64_t> steps_{0};
    std::atomic<std::uint64_t> operations_{0};
    std::atomic<std::int64_t> maxLatency_{0};
};

} // namespace inversight
