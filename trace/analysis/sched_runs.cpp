// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/sched_runs.h"

#include "trace/analysis/loss_map.h"
#include "trace/analysis/table_walk.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace inversight {

namespace {

/// How far back a contradiction between two switches is looked into; bounds the cost of hostile
/// traces, in which every switch contradicts the one before.
constexpr std::uint32_t kEvidenceWindow = 4096;

struct CpuState {
    bool seen = false;
    std::optional<SchedRun> open; ///< who runs now, if known
    std::int64_t clock = 0;       ///< never steps back, so that runs of a CPU never overlap
    std::int64_t knownFrom = 0;   ///< nobody is known to have run before this
    std::size_t nextLoss = 0;
    StreamId lastStream;
    std::int32_t lastPrev = -1;
    std::int32_t lastNext = -1;
};

class RunFinder {
public:
    explicit RunFinder(const TraceStore& store)
        : store_(store), losses_(LossMap::of<SchedSwitchRow>(store)) {
        out_.runs.reserve(store.table<SchedSwitchRow>().size() + store.cpus().size());
        startCpus();
    }

    void on(EventIndex event, const SchedSwitchRow& row);
    SchedRuns finish();

private:
    void startCpus();
    void applyLosses(CpuState& state, std::int32_t cpu, std::int64_t time);
    void cut(CpuState& state, std::int64_t end);
    void close(CpuState& state, ThreadId prev, const SchedSwitchRow& row, EventIndex event);
    void indexRuns();
    void resolveContradiction(CpuState& state, EventIndex event, const SchedSwitchRow& row);

    const TraceStore& store_;
    LossMap losses_;
    std::map<std::int32_t, CpuState> cpus_;
    SchedRuns out_;
};

/// A CPU's first switch tells who ran before it, since the CPU's first event: an earlier one may
/// have been overwritten, so nothing is claimed beyond that.
void RunFinder::startCpus() {
    std::size_t missing = store_.cpus().size();
    for (std::size_t i = 0; i < store_.eventCount() && missing > 0; ++i) {
        const EventIndex event{static_cast<std::uint32_t>(i)};
        CpuState& state = cpus_[store_.cpu(event)];
        if (state.seen)
            continue;
        state.seen = true;
        state.knownFrom = state.clock = store_.time(event);
        --missing;
    }
}

void RunFinder::cut(CpuState& state, std::int64_t end) {
    if (!state.open)
        return;
    SchedRun run = *state.open;
    run.range.end = std::max(run.range.begin, end);
    run.endPrio = run.prio;
    run.endSeen = false;
    out_.runs.push_back(run);
    state.open.reset();
}

void RunFinder::applyLosses(CpuState& state, std::int32_t cpu, std::int64_t time) {
    const std::span<const TimeRange> gaps = losses_.onCpu(cpu);
    for (; state.nextLoss < gaps.size() && gaps[state.nextLoss].end <= time; ++state.nextLoss) {
        const TimeRange& gap = gaps[state.nextLoss];
        cut(state, gap.begin);
        state.clock = std::max(state.clock, gap.begin);
        state.knownFrom = std::max(state.clock, gap.end);
    }
}

/// The switch says that somebody else left the CPU than the one who was last switched in: a switch
/// is missing, without the trace saying so. Each of the two ran where an event of its own shows it.
void RunFinder::resolveContradiction(CpuState& state, EventIndex event, const SchedSwitchRow& row) {
    const std::int32_t cpu = store_.cpu(event);
    const std::int32_t openTid = store_.threads()[state.open->thread].tid;
    std::int64_t openEnd = state.open->range.begin;
    std::int64_t prevBegin = std::max(state.clock, store_.time(event));
    const std::uint32_t stop = event.value > kEvidenceWindow ? event.value - kEvidenceWindow : 0;
    for (std::uint32_t i = event.value; i-- > stop;) {
        const EventIndex earlier{i};
        if (store_.cpu(earlier) != cpu)
            continue;
        const std::int64_t time = store_.time(earlier);
        if (time < state.open->range.begin || store_.tid(earlier) != row.prevTid) {
            if (store_.tid(earlier) == openTid)
                openEnd = std::max(openEnd, time);
            break;
        }
        prevBegin = std::min(prevBegin, time);
    }
    cut(state, std::min(openEnd, prevBegin));
    state.knownFrom = prevBegin;
}

void RunFinder::close(CpuState& state, ThreadId prev, const SchedSwitchRow& row, EventIndex event) {
    const std::int64_t time = state.clock;
    SchedRun run;
    if (state.open) {
        run = *state.open;
    } else {
        run = {prev, store_.cpu(event), {std::min(state.knownFrom, time), time}};
        run.prio = row.prevPrio;
        run.beginSeen = false;
    }
    run.range.end = time;
    run.endPrio = row.prevPrio;
    run.endState = row.prevState;
    run.endPreempted = row.preempted;
    out_.runs.push_back(run);
    state.open.reset();
}

void RunFinder::on(EventIndex event, const SchedSwitchRow& row) {
    const std::int32_t cpu = store_.cpu(event);
    const std::int64_t eventTime = store_.time(event);
    const StreamId stream = store_.record(event).stream;
    CpuState& state = cpus_[cpu];
    // Two buffers may both have recorded the switch; the second one tells nothing new.
    const bool copy = state.lastStream.valid() && stream != state.lastStream &&
                      row.prevTid == state.lastPrev && row.nextTid == state.lastNext;
    if (copy)
        return;
    state.lastStream = stream;
    state.lastPrev = row.prevTid;
    state.lastNext = row.nextTid;
    applyLosses(state, cpu, eventTime);

    const ThreadId prev = store_.threads().find(row.prevTid, cpu, eventTime);
    const ThreadId next = store_.threads().find(row.nextTid, cpu, eventTime);
    if (state.open && state.open->thread != prev)
        resolveContradiction(state, event, row);
    state.clock = std::max(state.clock, eventTime);
    if (prev.valid())
        close(state, prev, row, event);
    if (!next.valid())
        return;
    state.open = SchedRun{next, cpu, {state.clock, state.clock}};
    state.open->prio = row.nextPrio;
}

void RunFinder::indexRuns() {
    std::vector<std::uint32_t> counts(store_.threads().size(), 0);
    std::map<std::int32_t, std::vector<std::uint32_t>> byCpu;
    for (const SchedRun& run : out_.runs)
        ++counts[run.thread.index()];
    out_.byThread.resize(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        out_.byThread[i].reserve(counts[i]);
    for (std::uint32_t i = 0; i < out_.runs.size(); ++i) {
        out_.byThread[out_.runs[i].thread.index()].push_back(i);
        byCpu[out_.runs[i].cpu].push_back(i);
    }
    for (auto& [cpu, runs] : byCpu)
        out_.byCpu.emplace_back(cpu, std::move(runs));
}

SchedRuns RunFinder::finish() {
    for (auto& [cpu, state] : cpus_) {
        applyLosses(state, cpu, store_.range().end);
        cut(state, store_.range().end);
    }
    std::sort(out_.runs.begin(), out_.runs.end(), [](const SchedRun& a, const SchedRun& b) {
        return std::tie(a.range.begin, a.cpu, a.range.end, a.thread) <
               std::tie(b.range.begin, b.cpu, b.range.end, b.thread);
    });
    indexRuns();
    return std::move(out_);
}

} // namespace

Result<SchedRuns> findSchedRuns(const TraceStore& store, const JobContext& job) {
    RunFinder finder(store);
    TableWalk<SchedSwitchRow> walk(store);
    TRY(walk.run(job, "finding runs", finder));
    return finder.finish();
}

} // namespace inversight
