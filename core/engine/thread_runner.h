// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/thread_body.h"
#include "core/engine/thread_figures.h"
#include "core/event/marker.h"

#include <stop_token>
#include <string_view>

namespace inversight {

/// How a worker reaches its run.
struct RunnerContext {
    MarkerSink& markers;
    std::int32_t tgid = 0;
    std::stop_token stop;
    WorkerGauges& gauges;
};

/// Works through one thread's body: jobs at their planned releases, locks that nest, transfers,
/// each reported as markers and measured. Between begin and end of run() it allocates nothing and
/// takes no lock but those under study. Thread-bound.
class ThreadRunner final : private TransferCaller {
public:
    /// `stream` is the thread's own of the spec's random numbers. `thread` is how locks know it.
    ThreadRunner(const ThreadSpec& spec, std::vector<BodyStep> body, WaitingThread& thread,
                 RandomSource random, RunnerContext context);

    /// From the common start at `startNs` until all loops are done, the stop request, or a wait
    /// that cannot end. No lock is held afterwards.
    void run(std::int64_t startNs);

    [[nodiscard]] ThreadFigures& figures() { return figures_; }

private:
    enum class Next { Step, Loop, End, Stopped };
    struct Held {
        WatchedLock* lock = nullptr;
        std::uint64_t cookie = 0;
    };
    /// CLOCK_MONOTONIC times of one transfer.
    struct TransferTimes {
        std::int64_t requestNs = 0;
        std::int64_t lockRequestNs = 0; ///< what the bus does in front of its lock lies between
        std::int64_t acquiredNs = 0;
        std::int64_t returnNs = 0;
    };

    [[nodiscard]] bool runLoops();
    [[nodiscard]] Next runBody();
    [[nodiscard]] Next endLoop();
    void beginJob(std::int64_t plannedNs);
    void endJob();
    [[nodiscard]] bool lastLoop() const { return spec_.loops != 0 && loop_ + 1 == spec_.loops; }
    [[nodiscard]] bool over(std::int64_t nextBeginNs) const;

    [[nodiscard]] Next perform(const RunStep& step);
    [[nodiscard]] Next perform(const SleepStep& step);
    [[nodiscard]] Next perform(const TakeStep& step);
    [[nodiscard]] Next perform(const TryStep& step);
    [[nodiscard]] Next perform(const ReleaseStep& step);
    [[nodiscard]] Next perform(const BusStep& step);
    [[nodiscard]] Next perform(const NextPeriodStep& step);
    [[nodiscard]] Next perform(const MarkStep& step);
    [[nodiscard]] Next perform(const HelpStep& step);

    [[nodiscard]] bool acquire(WatchedLock& lock);
    void hold(WatchedLock& lock);
    void releaseLast();
    [[nodiscard]] bool transferUnderLock(const BusStep& step, TransferTiming& timing);
    void recordTransfer(const TransferTimes& times, const TransferTiming& timing);
    void recordWait(std::int64_t waitNs);
    void refuse(AcquireOutcome& outcome);
    [[nodiscard]] bool sleepOrStop(std::int64_t endNs);
    void announceHolds(OwnerState state);

    [[nodiscard]] RandomSource& random() override { return random_; }
    void wireBegins() override { announceHolds(OwnerState::Sleeping); }
    void wireEnds() override { announceHolds(OwnerState::Running); }
    [[nodiscard]] bool stopRequested() const override { return context_.stop.stop_requested(); }

    void mark(const MarkerBody& body) const { context_.markers.write({context_.tgid, body}); }

    const ThreadSpec& spec_;
    std::vector<BodyStep> body_;
    WaitingThread& thread_;
    RandomSource random_;
    RunnerContext context_;
    ThreadFigures figures_;

    std::vector<Held> held_; ///< innermost last; its capacity is enough
    std::uint32_t holds_ = 0;
    std::size_t place_ = 0; ///< of the next step
    std::uint64_t loop_ = 0;
    std::uint64_t job_ = 0;
    bool jobOpen_ = false;
    bool firstOfJob_ = false;
    std::int64_t startNs_ = 0;
    std::int64_t firstReleaseNs_ = 0;
    std::int64_t plannedNs_ = 0;
};

} // namespace inversight
