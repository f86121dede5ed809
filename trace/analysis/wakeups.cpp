// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/wakeups.h"

#include "trace/analysis/loss_map.h"
#include "trace/analysis/softirq_threads.h"
#include "trace/analysis/table_walk.h"

#include <algorithm>
#include <limits>

namespace inversight {

namespace {

/// TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ and TRACE_FLAG_NMI, include/linux/trace_events.h.
constexpr std::uint8_t kInterruptFlags = 0x08 | 0x10 | 0x40;

std::int16_t narrow(std::int32_t value) {
    using Limits = std::numeric_limits<std::int16_t>;
    return static_cast<std::int16_t>(std::clamp<std::int32_t>(value, Limits::min(), Limits::max()));
}

class WakeupFinder {
public:
    explicit WakeupFinder(const TraceStore& store)
        : store_(store), losses_(LossMap::of<SchedSwitchRow, SchedWakeRow>(store)),
          threads_(store.threads().size()) {
        out_.wakeups.reserve(store.table<SchedSwitchRow>().size() / 2);
        findTimerThreads();
    }

    void on(EventIndex event, const SchedWakeRow& row);
    void on(EventIndex event, const SchedSwitchRow& row);
    Wakeups finish() {
        out_.wakeups.shrink_to_fit();
        return std::move(out_);
    }

private:
    struct ThreadState {
        std::int64_t time = 0;
        ThreadId waker;
        std::int32_t cpu = -1;
        bool running = false;
        bool woken = false;
        bool byWaking = false;
        bool servesTimers = false;
    };

    void findTimerThreads() {
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            const ThreadId thread{static_cast<std::uint32_t>(i)};
            threads_[i].servesTimers = isSoftirqThread(nameOf(thread));
        }
    }
    std::string_view nameOf(ThreadId thread) const {
        const StringId name = store_.threads()[thread].name;
        return name.valid() ? store_.text(name) : std::string_view();
    }
    ThreadId wakerOf(EventIndex event) const {
        if (store_.tid(event) == 0 || (store_.flags(event) & kInterruptFlags) != 0)
            return ThreadId::none();
        const ThreadId waker = store_.thread(event);
        return waker.valid() && threads_[waker.index()].servesTimers ? ThreadId::none() : waker;
    }
    bool lostBetween(const ThreadState& state, std::int32_t cpu, std::int64_t now) const {
        const auto gapOn = [&](std::int32_t lossCpu) {
            const auto gap = losses_.firstAfter(lossCpu, state.time);
            return gap && gap->begin < now;
        };
        return !losses_.empty() && (gapOn(cpu) || gapOn(state.cpu));
    }

    const TraceStore& store_;
    LossMap losses_;
    std::vector<ThreadState> threads_;
    Wakeups out_;
};

void WakeupFinder::on(EventIndex event, const SchedWakeRow& row) {
    if (row.tid == 0)
        return;
    const ThreadId thread = store_.threads().find(row.tid, store_.cpu(event), store_.time(event));
    if (!thread.valid())
        return;
    ThreadState& state = threads_[thread.index()];
    // sched_wakeup may come from the target's CPU, where the waker is not: the waking knows better.
    if (state.running || (state.woken && (state.byWaking || row.kind != WakeEventKind::Waking)))
        return;
    state.woken = true;
    state.byWaking = row.kind == WakeEventKind::Waking;
    state.time = store_.time(event);
    state.cpu = store_.cpu(event);
    state.waker = wakerOf(event);
}

void WakeupFinder::on(EventIndex event, const SchedSwitchRow& row) {
    const std::int32_t cpu = store_.cpu(event);
    const std::int64_t time = store_.time(event);
    const ThreadId prev = store_.threads().find(row.prevTid, cpu, time);
    if (prev.valid()) {
        ThreadState& state = threads_[prev.index()];
        state.running = false;
        if (row.prevState == TaskState::Runnable)
            state.woken = false; // preempted: what ends this is no wake-up
    }
    const ThreadId next = store_.threads().find(row.nextTid, cpu, time);
    if (!next.valid() || row.nextTid == 0)
        return;
    ThreadState& state = threads_[next.index()];
    state.running = true;
    if (!std::exchange(state.woken, false) || state.time > time || lostBetween(state, cpu, time))
        return;
    out_.wakeups.push_back(
        {next, state.waker, state.time, time, narrow(cpu), narrow(row.nextPrio)});
}

} // namespace

Result<Wakeups> findWakeups(const TraceStore& store, const JobContext& job) {
    WakeupFinder finder(store);
    TableWalk<SchedSwitchRow, SchedWakeRow> walk(store);
    TRY(walk.run(job, "finding wake-ups", finder));
    return finder.finish();
}

} // namespace inversight
