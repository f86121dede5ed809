// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/virtual/event_reporter.h"
#include "core/virtual/flat_heap.h"
#include "core/virtual/run_queue.h"
#include "core/virtual/task.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace inversight {

/// Asked in the middle of a switch.
class SpinnerOwner {
public:
    virtual ~SpinnerOwner() = default;
    /// A spinning thread is about to lose its CPU. Whether it goes to sleep on its lock instead of
    /// staying runnable; then it has been queued as a sleeper.
    [[nodiscard]] virtual bool sleepsWhenPreempted(TaskId task) = 0;
};

/// The CPUs of the model and who runs on them, in virtual time: FIFO, RR, DEADLINE (constant
/// bandwidth server) and a fair class. No ticks: slices, budgets and work end to the nanosecond.
///
/// Real-time threads are placed as a single queue for all CPUs would place them (a thread that
/// cannot run where it is moves to a CPU where it can); fair threads start where the fewest are and
/// are pulled by idle CPUs.
///
/// At one instant, work that ends comes first, then timers, then whatever a switch at that instant
/// begins, each in the order of CPUs and threads: two runs never differ. Thread-bound.
class Scheduler final : public ModelView {
public:
    Scheduler(const WorkloadSpec& spec, EventReporter& reporter, SpinnerOwner& spinners);

    [[nodiscard]] std::int64_t now() const { return nowNs_; }
    [[nodiscard]] std::size_t taskCount() const { return tasks_.size(); }
    [[nodiscard]] Task& task(TaskId id) { return tasks_[id.index()]; }
    [[nodiscard]] const Task& task(TaskId id) const { return tasks_[id.index()]; }
    [[nodiscard]] Urgency urgency(TaskId id) const override { return task(id).urgency; }
    [[nodiscard]] bool onCpu(TaskId id) const override {
        return task(id).state == RunState::Running;
    }

    /// What happens next.
    struct Happening {
        enum class Kind { WorkDone, Timer, None } kind = Kind::None;
        TaskId task;
    };
    [[nodiscard]] bool idleForEver() const { return events_.empty(); }
    /// Moves on to the next instant at which something happens; call happen() until it is false.
    void advanceTime();
    [[nodiscard]] bool happeningNow() const;
    /// Takes the next thing of this instant; Kind::None is the scheduler's own business.
    [[nodiscard]] Happening happen();
    /// Puts the right threads on the CPUs. Call it when everything of an instant has happened.
    void settle();

    void setTimer(TaskId id, std::int64_t timeNs);
    void makeRunnable(TaskId id, WakeKind kind);
    /// The running thread leaves its CPU in `state`.
    void stop(TaskId id, RunState state);
    /// The running thread's program goes on after so much CPU time.
    void work(TaskId id, std::int64_t durationNs);
    void setSpinning(TaskId id, bool spinning);
    void setUrgency(TaskId id, const Urgency& urgency);
    /// Whether the thread must let go of its CPU before it goes on.
    [[nodiscard]] bool mustYield(TaskId id) const { return cpus_[task(id).cpu].reschedule; }

    /// Whether no thread stands on the CPU.
    [[nodiscard]] bool isIdle(std::uint32_t cpu) const { return !cpus_[cpu].current.valid(); }
    /// Threads with locks that lost their CPU since the last call.
    [[nodiscard]] std::vector<TaskId>& leftCpu() { return leftCpu_; }
    [[nodiscard]] std::uint64_t switchCount() const { return switchCount_; }
    [[nodiscard]] std::uint64_t wakeUpCount() const { return wakeUpCount_; }
    /// Events and markers from now on happen where `id` runs.
    void enterContext(TaskId id) { reporter_.setContext(task(id).cpu, task(id).tid); }
    /// The thread that stands on the CPU before any worker does, for the first switch.
    void setBoot(std::int32_t tid, std::string comm);

private:
    struct Cpu {
        explicit Cpu(std::size_t tasks) : queue(tasks) {}
        RunQueue queue;
        TaskId current;
        std::int64_t sinceNs = 0; ///< the current thread's work counts from here
        std::int64_t minVruntime = 0;
        bool reschedule = false;
        bool sliceOver = false;
        bool touched = false; ///< its timer is to be set anew
    };
    struct EventKey {
        std::int64_t when; ///< four times the time, plus what comes first
        std::uint32_t slot;
        auto operator<=>(const EventKey&) const = default;
    };
    struct Candidate {
        TaskId task;
        std::uint32_t from = 0; ///< the CPU in whose queue it is
    };

    /// Who stands on the CPU; 0 = idle.
    [[nodiscard]] std::int32_t tidOn(std::uint32_t cpu) const;
    void account(Cpu& cpu);
    void accountClass(Cpu& cpu, Task& task, std::int64_t elapsedNs);
    void updateMinVruntime(Cpu& cpu);
    void arm(std::uint32_t index);
    [[nodiscard]] std::int64_t nextStop(const Cpu& cpu, Task& task) const;
    void touch(std::uint32_t cpu);
    void requestSwitch(std::uint32_t cpu);
    void wakeIdleCpus();
    Happening cpuEvent(std::uint32_t index);

    void reschedule(std::uint32_t index);
    [[nodiscard]] Candidate candidateFor(std::uint32_t index) const;
    [[nodiscard]] bool replaces(const Candidate& candidate, const Cpu& cpu) const;
    void switchTo(std::uint32_t index, const Candidate& candidate);
    void putBack(std::uint32_t index, TaskId id);
    void emitSwitch(std::uint32_t index, TaskId from, TaskId to);
    [[nodiscard]] bool preempts(const Task& task, const Cpu& cpu) const;
    void enqueue(TaskId id, QueueEnd end);
    [[nodiscard]] std::uint32_t placeFor(const Task& task) const;
    void moveTo(Task& task, std::uint32_t cpu);
    void pushElsewhere(TaskId id);
    [[nodiscard]] bool allowed(const Task& task, std::uint32_t cpu) const {
        return (task.allowed >> cpu & 1) != 0;
    }

    [[nodiscard]] static bool usesOwnBudget(const Task& task);
    void renewDeadline(Task& task);
    void setDeadline(Task& task, std::int64_t deadlineNs);
    void throttle(TaskId id);
    void replenish(TaskId id);

    const VirtualParameters& parameters_;
    EventReporter& reporter_;
    SpinnerOwner& spinners_;
    std::vector<Task> tasks_;
    std::vector<Cpu> cpus_;
    FlatHeap<EventKey> events_; ///< slots: a timer per CPU, then one per thread
    std::int64_t nowNs_ = 0;
    std::int64_t batch_ = 0;
    bool anyReschedule_ = false;
    std::vector<std::uint32_t> touched_;
    std::vector<TaskId> leftCpu_;
    std::uint64_t switchCount_ = 0;
    std::uint64_t wakeUpCount_ = 0;
    std::int32_t bootTid_ = 0; ///< stands on CPU 0 until the first switch; 0 = gone
    std::string bootComm_;
};

} // namespace inversight
