// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/bus/bus_backend.h"
#include "core/stats/latency_histogram.h"
#include "core/virtual/inheritance.h"
#include "core/virtual/lock_state.h"
#include "core/virtual/program.h"
#include "core/virtual/scheduler.h"
#include "core/workload/time_distribution.h"

#include <stop_token>
#include <string>
#include <vector>

namespace inversight {

/// A bus while it runs. With a pump, one message is under way at a time: under the bus lock.
struct BusState {
    TaskId pump;             ///< invalid = messages go inline
    TaskId interrupt;        ///< its threaded handler; invalid = the interrupt wakes the waiter itself
    TaskId submitter;        ///< of the message; invalid = none
    TimeDistribution wire{}; ///< of the message
    TaskId wireWaiter;       ///< who sleeps until the handler has run
    bool interruptPending = false;
};

/// What one thread did. All times ns.
struct Activity {
    Activity(const ThreadSpec& threadSpec, std::vector<Op> ops, RandomSource source)
        : spec(&threadSpec), program(std::move(ops)), random(source) {}

    const ThreadSpec* spec;
    bool helper = spec->isHelper();
    std::vector<Op> program;
    RandomSource random;

    // Where it stands.
    std::size_t pc = 0;
    std::uint8_t phase = 0; ///< inside the op
    bool started = false;
    bool jobOpen = false;
    std::uint64_t loop = 0;
    std::uint64_t job = 0;
    std::int64_t firstReleaseNs = 0;
    std::int64_t plannedNs = 0;   ///< of the job under way
    std::int64_t requestNs = 0;   ///< of the lock it waits for
    std::int64_t operationNs = 0; ///< request of the transfer under way; 0 = none is
    std::int64_t wireEndNs = 0;
    std::int64_t transferNs = 0; ///< begin of the transfer itself
    std::uint32_t attempt = 0;   ///< of the transfer, from 0
    TransferFault fault = TransferFault::None;
    bool waited = false; ///< for the lock it has just got
    bool slept = false;
    bool futexEntered = false;
    bool contentionBegun = false;
    std::int64_t spinSinceNs = 0;
    std::uint32_t holds = 0;

    // What came of it.
    std::int64_t lastOperationEndNs = 0;
    std::int64_t endNs = 0;
    std::uint64_t operationCount = 0;
    std::uint64_t errorCount = 0;
    std::uint64_t tryFailedCount = 0;
    std::uint64_t jobCount = 0;
    std::uint64_t deadlineMissCount = 0;
    std::int64_t waitNs = 0;
    std::int64_t maxWaitNs = 0;
    LatencyHistogram latency;  ///< of transfers, request to return
    LatencyHistogram response; ///< of jobs, planned release to end
};

/// Executes the bodies of a workload's threads on the Scheduler's CPUs, with locks and buses as
/// models. One thread's steps run until one takes time, sleeps or lets a more urgent thread in.
/// Thread-bound; allocates nothing per event.
class VirtualMachine final : private SpinnerOwner {
public:
    /// `spec` and `reporter` must outlive it; `locks` are the spec's, then one per bus.
    VirtualMachine(const WorkloadSpec& spec, std::vector<LockState> locks, EventReporter& reporter);

    /// Makes the threads at `startNs`, in the context of the thread that is on CPU 0 now.
    void boot(std::int64_t startNs, std::int32_t bootTid, const std::string& bootComm);
    /// Runs everything that happens at the next instant. False once nothing ever will, and when
    /// only background threads are left.
    bool step();

    [[nodiscard]] Scheduler& scheduler() { return scheduler_; }
    [[nodiscard]] const Inheritance& inheritance() const { return inheritance_; }
    [[nodiscard]] std::vector<Activity>& activities() { return activities_; }
    [[nodiscard]] const std::vector<LockState>& locks() const { return locks_; }
    [[nodiscard]] std::size_t aliveCount() const { return alive_; }
    [[nodiscard]] std::uint64_t operationsDone() const { return operationsDone_; }
    /// Threads and locks in turn, once a wait has closed a cycle; step() is then false.
    [[nodiscard]] const std::vector<std::string>& deadlock() const { return deadlock_; }

private:
    enum LockPhase : std::uint8_t { kRequest, kFirstTry, kAgain };

    Activity& activity(TaskId id) { return activities_[id.index()]; }
    void settle();
    void onTimer(TaskId id);
    void advance(TaskId id);
    void perform(TaskId id);
    void performOp(TaskId id, const Op& op);
    void next(Activity& self) const;
    /// CPU time before the program goes on.
    void charge(TaskId id, std::chrono::nanoseconds cost) { scheduler_.work(id, cost.count()); }
    void sleepUntil(TaskId id, std::int64_t timeNs);

    void beginJob(Activity& self, std::int64_t plannedNs);
    void endJob(Activity& self);
    void endLoop(TaskId id);
    [[nodiscard]] bool lastLoop(const Activity& self) const;
    [[nodiscard]] bool over(const Activity& self, std::int64_t nextBeginNs) const;
    void exitThread(TaskId id);
    void sleep(TaskId id, const Op& op);
    void nextPeriod(TaskId id);

    void lock(TaskId id, const Op& op);
    void tryLock(TaskId id, const Op& op);
    void unlock(TaskId id, const Op& op);
    void attempt(TaskId id, std::uint32_t lock, bool again);
    void waitFor(TaskId id, std::uint32_t lock, ModelOutcome outcome);
    void acquired(TaskId id, std::uint32_t lock);
    void release(TaskId id, std::uint32_t lock);
    void retrySpinners(std::uint32_t lock);
    void endSpinning(TaskId id, LockState& lock);
    [[nodiscard]] bool sleepsWhenPreempted(TaskId id) override;
    void emitWaitBegin(Activity& self, const LockState& lock, bool sleeps);
    void emitWaitEnd(Activity& self, const LockState& lock);
    void emitReleaseBegin(const LockState& lock);

    void enterSpi(TaskId id, const Op& op);
    void requestBus(TaskId id, const Op& op);
    void beginTransfer(TaskId id, const Op& op);
    void acquireDma(TaskId id, const Op& op);
    void busWire(TaskId id, const Op& op);
    void sleepOnWire(TaskId id, const Op& op);
    void releaseBus(TaskId id, const Op& op);
    void submitMessage(TaskId id, const Op& op);
    void awaitMessage(TaskId id, const Op& op);
    void messageDone(TaskId id, const Op& op);
    void awaitInterrupt(TaskId id, const Op& op);
    void interruptDone(TaskId id, const Op& op);
    void wakeIfAsleep(TaskId id);

    const WorkloadSpec& spec_;
    EventReporter& reporter_;
    std::vector<LockState> locks_;
    std::vector<BusState> buses_;
    Scheduler scheduler_;
    Inheritance inheritance_;
    std::vector<Activity> activities_;
    std::vector<TaskId> spinners_; ///< scratch
    std::vector<TaskId> left_;     ///< scratch
    std::int64_t startNs_ = 0;
    std::size_t alive_ = 0;
    std::uint64_t operationsDone_ = 0;
    std::vector<std::string> deadlock_;
};

} // namespace inversight
