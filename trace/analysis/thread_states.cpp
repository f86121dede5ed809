// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/thread_states.h"

#include "trace/analysis/loss_map.h"
#include "trace/analysis/state_writer.h"
#include "trace/analysis/thread_wakes.h"

#include <algorithm>
#include <limits>

namespace inversight {

const char* threadStateName(ThreadState state) {
    switch (state) {
    case ThreadState::Running:
        return "running";
    case ThreadState::RunnableWoken:
        return "runnable_woken";
    case ThreadState::RunnablePreempted:
        return "runnable_preempted";
    case ThreadState::BlockedLock:
        return "blocked_lock";
    case ThreadState::Wire:
        return "wire";
    case ThreadState::Sleeping:
        return "sleeping";
    case ThreadState::Uninterruptible:
        return "uninterruptible";
    case ThreadState::Idle:
        return "idle";
    case ThreadState::Stopped:
        return "stopped";
    case ThreadState::Dead:
        return "dead";
    case ThreadState::Unknown:
        break;
    }
    return "unknown";
}

namespace {

ThreadState offCpuState(TaskState state) {
    switch (state) {
    case TaskState::Runnable:
        return ThreadState::RunnablePreempted;
    case TaskState::Interruptible:
    case TaskState::Parked:
    case TaskState::Unknown: // bits the file does not name: asleep, never runnable (BUGS B17)
        return ThreadState::Sleeping;
    case TaskState::Uninterruptible:
        return ThreadState::Uninterruptible;
    case TaskState::Idle:
        return ThreadState::Idle;
    case TaskState::Stopped:
    case TaskState::Traced:
        return ThreadState::Stopped;
    case TaskState::Dead:
    case TaskState::Zombie:
        return ThreadState::Dead;
    }
    return ThreadState::Unknown;
}

/// Tells the story of one thread: its runs, and what it did between them.
class ThreadStory {
public:
    ThreadStory(const TraceStore& store, const SchedRuns& runs, const LossMap& losses,
                const ThreadWakes& allWakes, ThreadId thread,
                std::vector<ThreadStateInterval> storage)
        : store_(store), info_(store.threads()[thread]), runs_(runs),
          runIds_(runs.byThread[thread.index()]), losses_(losses), wakes_(allWakes.of(thread)),
          writer_(store.range(), std::move(storage)) {}

    std::vector<ThreadStateInterval> tell() {
        beforeFirstRun();
        for (std::size_t i = 0; i < runIds_.size(); ++i) {
            const SchedRun& run = runs_.runs[runIds_[i]];
            writer_.until(run.range.end, ThreadState::Running, run.cpu);
            const SchedRun* next = i + 1 < runIds_.size() ? &runs_.runs[runIds_[i + 1]] : nullptr;
            afterRun(run, next);
        }
        writer_.until(store_.range().end, ThreadState::Unknown);
        return std::move(writer_).take();
    }

private:
    void beforeFirstRun() {
        const SchedRun* first = runIds_.empty() ? nullptr : &runs_.runs[runIds_.front()];
        const std::int64_t begin = first ? first->range.begin : store_.range().end;
        if (info_.isIdle())
            return writer_.until(begin, ThreadState::Unknown);
        if (const auto woken = wakes_.between(store_.range().begin, begin, first)) {
            writer_.until(*woken, ThreadState::Unknown);
            return untilLoss(*woken, begin, -1, first, ThreadState::RunnableWoken);
        }
        if (info_.exitTime && !first)
            writer_.until(*info_.exitTime, ThreadState::Unknown);
        const bool gone = info_.exitTime && !first;
        writer_.until(begin, gone ? ThreadState::Dead : ThreadState::Unknown);
    }

    void afterRun(const SchedRun& run, const SchedRun* next) {
        const std::int64_t begin = run.range.end;
        const std::int64_t end = next ? next->range.begin : store_.range().end;
        if (info_.isIdle()) {
            const bool known = run.endSeen && (!next || next->beginSeen);
            return writer_.until(end, known ? ThreadState::Sleeping : ThreadState::Unknown);
        }
        if (info_.exitTime && *info_.exitTime <= begin && !next)
            return writer_.until(end, ThreadState::Dead);
        const ThreadState off = run.endSeen ? offCpuState(run.endState) : ThreadState::Unknown;
        if (off == ThreadState::RunnablePreempted || off == ThreadState::Dead) {
            wakes_.skipTo(end);
            return off == ThreadState::Dead ? writer_.until(end, off)
                                            : untilLoss(begin, end, run.cpu, next, off);
        }
        const std::optional<std::int64_t> woken =
            run.endSeen ? wakes_.afterSleep(run, end, next) : wakes_.between(begin, end, next);
        untilLoss(begin, woken.value_or(end), run.cpu, woken ? nullptr : next, off);
        if (woken)
            untilLoss(*woken, end, run.cpu, next, ThreadState::RunnableWoken);
    }

    /// `state` until `end`, or until events of the CPU it left, or of the one it came back on, are
    /// missing: what it did there since is unknown.
    void untilLoss(std::int64_t begin, std::int64_t end, std::int32_t cpu, const SchedRun* next,
                   ThreadState state) {
        std::int64_t known = end;
        const auto consider = [&](std::int32_t lossCpu) {
            if (const auto gap = losses_.firstAfter(lossCpu, begin); gap && gap->begin < end)
                known = std::min(known, std::max(begin, gap->begin));
        };
        if (!losses_.empty()) {
            if (cpu >= 0)
                consider(cpu);
            if (next)
                consider(next->cpu);
        }
        writer_.until(known, state);
        writer_.until(end, ThreadState::Unknown);
    }

    const TraceStore& store_;
    const ThreadInfo& info_;
    const SchedRuns& runs_;
    const std::vector<std::uint32_t>& runIds_;
    const LossMap& losses_;
    WakeCursor wakes_;
    StateWriter writer_;
};

/// The parts of time that any of the ranges covers, disjoint and in order.
template <class Rows>
std::vector<TimeRange> covered(const Rows& rows, const std::vector<std::uint32_t>& ids) {
    std::vector<TimeRange> ranges;
    for (const std::uint32_t id : ids) {
        const TimeRange& range = rows[id].range;
        if (!ranges.empty() && range.begin <= ranges.back().end)
            ranges.back().end = std::max(ranges.back().end, range.end);
        else
            ranges.push_back(range);
    }
    return ranges;
}

std::array<std::int64_t, kThreadStateCount>
sumStates(const std::vector<ThreadStateInterval>& intervals) {
    std::array<std::int64_t, kThreadStateCount> totals{};
    for (const ThreadStateInterval& interval : intervals)
        totals[static_cast<std::size_t>(interval.state)] += interval.range.length();
    return totals;
}

} // namespace

Result<ThreadStates> findThreadStates(const TraceStore& store, const SchedRuns& runs,
                                      const LockWaits& waits, const Bus& bus,
                                      const JobContext& job) {
    const LossMap losses = LossMap::of<SchedSwitchRow, SchedWakeRow>(store);
    const ThreadWakes wakes(store);
    ThreadStates out;
    out.byThread.resize(store.threads().size());
    out.totals.resize(store.threads().size());
    // Grown once for the longest story, not anew for each thread.
    std::vector<ThreadStateInterval> story;
    std::vector<ThreadStateInterval> scratch;
    for (std::uint32_t i = 0; i < store.threads().size(); ++i) {
        if ((i & 0xff) == 0)
            TRY(job.check("finding thread states"));
        story = ThreadStory(store, runs, losses, wakes, ThreadId{i}, std::move(story)).tell();
        // A wait inside a transfer (a driver's own lock) is what holds the thread up: locks last.
        layOver(story, covered(bus.transfers, bus.byThread[i]), ThreadState::Wire, scratch);
        layOver(story, covered(waits.waits, waits.byThread[i]), ThreadState::BlockedLock, scratch);
        out.totals[i] = sumStates(story);
        out.byThread[i].assign(story.begin(), story.end());
    }
    return out;
}

} // namespace inversight
