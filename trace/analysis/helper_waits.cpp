// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/helper_waits.h"

#include "trace/analysis/open_waits.h"
#include "trace/analysis/priority_ranks.h"
#include "trace/analysis/softirq_threads.h"
#include "trace/analysis/timeline_search.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

/// Threads that one has set to work since it last slept: more is no request for help any more.
constexpr std::size_t kMaxAsked = 4;
/// How far a request may have been passed on.
constexpr int kMaxRelays = 4;

class HelperWaitFinder {
public:
    HelperWaitFinder(const TraceStore& store, const SchedRuns& runs, const Priorities& priorities,
                     const Ownership& ownership, const LockWaits& lockWaits)
        : store_(store), runs_(runs), lockWaits_(lockWaits), threads_(store.threads().size()) {
        for (std::uint32_t i = 0; i < threads_.size(); ++i) {
            const ThreadId thread{i};
            threads_[i].told = !isSoftirqThread(store.threadName(thread)) &&
                               (!ownership.byThread[i].empty() || isRealTime(priorities, thread));
            threads_[i].handlesInterrupts = store.threadName(thread).starts_with("irq/");
        }
    }

    void add(const Wakeup& wakeup);
    HelperWaits finish();

private:
    struct ThreadState {
        std::array<ThreadId, kMaxAsked> asked;
        std::size_t askedCount = 0;
        ThreadId server;           ///< of whom: who set it to work
        std::int64_t lastWake = 0; ///< when it was woken for what it does now
        std::size_t run = 0;       ///< hint into its runs
        std::uint32_t byInterrupt = 0;
        std::uint32_t byThread = 0; ///< not counting answers
        bool told = false;
        bool handlesInterrupts = false;

        [[nodiscard]] bool hasAsked(ThreadId thread) const {
            const auto end = asked.begin() + static_cast<std::ptrdiff_t>(askedCount);
            return std::find(asked.begin(), end, thread) != end;
        }
    };

    static bool isRealTime(const Priorities& priorities, ThreadId thread) {
        const auto& steps = priorities.byThread[thread.index()];
        return std::ranges::any_of(steps,
                                   [](const PriorityStep& step) { return !isFair(step.base); });
    }

    bool answers(const ThreadState& state, ThreadId waker, ThreadId thread) const;
    std::optional<std::int64_t> sleepBefore(ThreadState& state, const Wakeup& wakeup) const;
    void note(const Wakeup& wakeup, ThreadState& state, std::int64_t begin, Confidence confidence);

    const TraceStore& store_;
    const SchedRuns& runs_;
    OpenWaits lockWaits_;
    std::vector<ThreadState> threads_;
    std::vector<HelperWait> waits_;
};

/// Whether the waker works, at some removes, on what `thread` asked for.
bool HelperWaitFinder::answers(const ThreadState& state, ThreadId waker, ThreadId thread) const {
    for (int left = kMaxRelays; left > 0 && waker.valid() && waker != thread; --left) {
        if (state.hasAsked(waker))
            return true;
        waker = threads_[waker.index()].server;
    }
    return false;
}

/// When the sleep began that the wake-up ended; nothing if it is not known to have slept.
std::optional<std::int64_t> HelperWaitFinder::sleepBefore(ThreadState& state,
                                                          const Wakeup& wakeup) const {
    const std::vector<std::uint32_t>& ids = runs_.byThread[wakeup.thread.index()];
    const auto beginOf = [&](std::size_t i) { return runs_.runs[ids[i]].range.begin; };
    const std::size_t last = lastBegunAt(ids.size(), wakeup.time, state.run, beginOf);
    if (last == ids.size())
        return std::nullopt;
    const SchedRun& run = runs_.runs[ids[last]];
    const bool slept = run.endSeen && (run.endState == TaskState::Interruptible ||
                                       run.endState == TaskState::Uninterruptible);
    return slept && run.range.end <= wakeup.time ? std::optional(run.range.end) : std::nullopt;
}

void HelperWaitFinder::note(const Wakeup& wakeup, ThreadState& state, std::int64_t begin,
                            Confidence confidence) {
    if (state.told)
        waits_.push_back(
            {wakeup.thread, wakeup.waker, {begin, wakeup.run}, wakeup.time, confidence});
}

void HelperWaitFinder::add(const Wakeup& wakeup) {
    ThreadState& state = threads_[wakeup.thread.index()];
    state.lastWake = wakeup.time;
    if (lockWaits_.innermost(wakeup.thread, wakeup.time))
        return;
    const std::optional<std::int64_t> slept = sleepBefore(state, wakeup);
    if (!wakeup.waker.valid()) {
        ++state.byInterrupt;
        state.server = ThreadId::none();
        state.askedCount = 0;
        return;
    }
    ThreadState& waker = threads_[wakeup.waker.index()];
    if (state.server != wakeup.waker && answers(state, wakeup.waker, wakeup.thread)) {
        if (slept)
            note(wakeup, state, *slept, Confidence::High);
        state.askedCount = 0;
        return;
    }
    if (waker.handlesInterrupts) {
        if (slept)
            note(wakeup, state, std::max(*slept, std::min(waker.lastWake, wakeup.time)),
                 Confidence::High);
        return; // an interrupt at one remove: whom the thread serves does not change
    }
    if (slept && state.byInterrupt > state.byThread)
        note(wakeup, state, *slept, Confidence::Low);
    ++state.byThread;
    state.server = wakeup.waker;
    state.askedCount = 0;
    if (waker.askedCount < kMaxAsked)
        waker.asked[waker.askedCount++] = wakeup.thread;
}

HelperWaits HelperWaitFinder::finish() {
    HelperWaits out;
    out.waits = std::move(waits_);
    std::ranges::stable_sort(out.waits, {},
                             [](const HelperWait& wait) { return wait.range.begin; });
    out.byThread.resize(threads_.size());
    for (std::uint32_t i = 0; i < out.waits.size(); ++i)
        out.byThread[out.waits[i].thread.index()].push_back(i);
    return out;
}

} // namespace

Result<HelperWaits> findHelperWaits(const TraceStore& store, const SchedRuns& runs,
                                    const Priorities& priorities, const Wakeups& wakeups,
                                    const Ownership& ownership, const LockWaits& lockWaits,
                                    const JobContext& job) {
    HelperWaitFinder finder(store, runs, priorities, ownership, lockWaits);
    std::size_t count = 0;
    for (const Wakeup& wakeup : wakeups.wakeups) {
        if ((count++ & 0xffff) == 0)
            TRY(job.check("finding helpers"));
        finder.add(wakeup);
    }
    return finder.finish();
}

} // namespace inversight
