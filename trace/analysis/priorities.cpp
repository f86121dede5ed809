// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/priorities.h"

#include "trace/analysis/table_walk.h"

#include <algorithm>

namespace inversight {

namespace {

constexpr std::int32_t kDeadlinePrio = -1;
/// No real boost has more levels; keeps hostile traces linear.
constexpr std::size_t kMaxRelearned = 256;

/// Follows one thread. Invariant: steps are in time order and touch; the last one is open until
/// end() closes it.
class ThreadPriority {
public:
    /// The priority was seen outside of pi_setprio.
    void sample(std::int64_t time, std::int32_t prio) {
        if (steps_.empty())
            return step(time, prio, prio);
        const PriorityStep& last = steps_.back();
        if (last.effective == prio)
            return;
        // Not by inheritance, or its end was lost: somebody set the priority, or the boost is over.
        // What is still above the base while a boost is open is another level of it.
        if (boosted_ && prio < last.base)
            return step(time, prio, last.base);
        const std::int32_t base = boosted_ && prio == last.base ? last.base : prio;
        boosted_ = false;
        step(time, prio, base);
    }

    void inherit(std::int64_t time, std::int32_t oldPrio, std::int32_t newPrio) {
        if (oldPrio == newPrio)
            return inheritEqual(time, newPrio);
        if (steps_.empty())
            step(time, oldPrio, oldPrio);
        if (newPrio < oldPrio)
            raise(time, oldPrio, newPrio);
        else
            lower(time, newPrio);
    }

    void extendBack(std::int64_t time) {
        if (!steps_.empty())
            steps_.front().range.begin = std::min(steps_.front().range.begin, time);
    }

    [[nodiscard]] bool known() const { return !steps_.empty(); }

    std::vector<PriorityStep> end(std::int64_t time) {
        if (!steps_.empty())
            steps_.back().range.end = std::max(steps_.back().range.begin, time);
        return std::move(steps_);
    }

private:
    void raise(std::int64_t time, std::int32_t oldPrio, std::int32_t newPrio) {
        // Without an open boost the old priority is the base: a setscheduler call since the last
        // sample shows here first.
        const std::int32_t base = boosted_ ? steps_.back().base : oldPrio;
        boosted_ = true;
        step(time, newPrio, std::max(base, oldPrio));
    }

    void lower(std::int64_t time, std::int32_t newPrio) {
        if (boosted_ && newPrio < steps_.back().base)
            return step(time, newPrio, steps_.back().base); // partial
        learnBase(newPrio);
        boosted_ = false;
        step(time, newPrio, newPrio);
    }

    /// A boost ends at a lower priority than was taken for the base: the trace began inside of it,
    /// and everything above the new priority just before was boosted.
    void learnBase(std::int32_t base) {
        std::size_t left = kMaxRelearned;
        for (auto step = steps_.rbegin(); step != steps_.rend() && left > 0; ++step, --left) {
            if (step->effective >= base || step->base >= base)
                return;
            step->base = base;
        }
    }

    /// -1 -> -1 is a deadline task that inherits another deadline: nothing changes. Any other pair
    /// of equals is how some 4.12 to 4.17 kernels print the end of a boost (DOMAIN 3).
    void inheritEqual(std::int64_t time, std::int32_t prio) {
        if (steps_.empty())
            return step(time, prio, prio);
        if (prio == kDeadlinePrio || !boosted_)
            return;
        boosted_ = false;
        step(time, steps_.back().base, steps_.back().base);
    }

    void step(std::int64_t time, std::int32_t effective, std::int32_t base) {
        if (!steps_.empty()) {
            PriorityStep& last = steps_.back();
            time = std::max(time, last.range.begin); // times may step back; steps may not
            last.range.end = time;
            if (last.range.length() == 0 && steps_.size() > 1)
                steps_.pop_back();
            else if (last.range.length() == 0) {
                last = {{time, time}, effective, base};
                return;
            }
        }
        if (!steps_.empty() && steps_.back().effective == effective && steps_.back().base == base)
            return;
        steps_.push_back({{time, time}, effective, base});
    }

    std::vector<PriorityStep> steps_;
    bool boosted_ = false;
};

class PriorityFinder {
public:
    explicit PriorityFinder(const TraceStore& store)
        : store_(store), threads_(store.threads().size()) {}

    void on(EventIndex event, const SchedSwitchRow& row) {
        sample(event, row.prevTid, row.prevPrio);
        sample(event, row.nextTid, row.nextPrio);
    }
    void on(EventIndex event, const SchedWakeRow& row) { sample(event, row.tid, row.prio); }
    void on(EventIndex event, const SchedMigrateRow& row) { sample(event, row.tid, row.prio); }
    void on(EventIndex event, const SchedExitRow& row) { sample(event, row.tid, row.prio); }
    void on(EventIndex event, const PiSetprioRow& row) {
        if (ThreadPriority* thread = find(event, row.tid))
            thread->inherit(store_.time(event), row.oldPrio, row.newPrio);
    }

    Priorities finish(const SchedRuns& runs) {
        Priorities out;
        out.byThread.resize(threads_.size());
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            // Who ran since before the trace had its first priority all that time.
            if (!runs.byThread[i].empty())
                threads_[i].extendBack(runs.runs[runs.byThread[i].front()].range.begin);
            const ThreadInfo& info = store_.threads().all()[i];
            // The switch away from a dead task follows its exit.
            const std::int64_t end =
                info.exitTime ? std::max(*info.exitTime, info.lastTime) : store_.range().end;
            out.byThread[i] = threads_[i].end(end);
        }
        return out;
    }

private:
    void sample(EventIndex event, std::int32_t tid, std::int32_t prio) {
        if (ThreadPriority* thread = find(event, tid))
            thread->sample(store_.time(event), prio);
    }
    ThreadPriority* find(EventIndex event, std::int32_t tid) {
        const ThreadId id = store_.threads().find(tid, store_.cpu(event), store_.time(event));
        return id.valid() ? &threads_[id.index()] : nullptr;
    }

    const TraceStore& store_;
    std::vector<ThreadPriority> threads_;
};

} // namespace

const PriorityStep* Priorities::at(ThreadId thread, std::int64_t time) const {
    if (thread.index() >= byThread.size())
        return nullptr;
    const std::vector<PriorityStep>& steps = byThread[thread.index()];
    auto after = std::upper_bound(
        steps.begin(), steps.end(), time,
        [](std::int64_t value, const PriorityStep& step) { return value < step.range.begin; });
    if (after == steps.begin())
        return nullptr;
    --after;
    // The last step also covers its end: the trace's last instant has a priority too.
    const bool inside = after->range.contains(time) || time == steps.back().range.end;
    return inside ? &*after : nullptr;
}

std::optional<std::int32_t> Priorities::baseAt(ThreadId thread, std::int64_t time) const {
    const PriorityStep* step = at(thread, time);
    return step ? std::optional(step->base) : std::nullopt;
}

Result<Priorities> findPriorities(const TraceStore& store, const SchedRuns& runs,
                                  const JobContext& job) {
    PriorityFinder finder(store);
    TableWalk<SchedSwitchRow, SchedWakeRow, PiSetprioRow, SchedMigrateRow, SchedExitRow> walk(
        store);
    TRY(walk.run(job, "finding priorities", finder));
    return finder.finish(runs);
}

} // namespace inversight
