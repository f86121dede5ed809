// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/push_through.h"

#include "trace/analysis/priority_ranks.h"
#include "trace/analysis/queue_cpu.h"
#include "trace/analysis/timeline_search.h"

#include <algorithm>
#include <map>

namespace inversight {

namespace {

/// A thread ran at a lent priority.
struct LentRun {
    TimeRange range;
    std::uint32_t boost = 0;
};

using LentRuns = std::map<std::int32_t, std::vector<LentRun>>; ///< by CPU, by begin

LentRuns findLentRuns(const SchedRuns& runs, const Boosts& boosts) {
    LentRuns lent;
    std::vector<std::size_t> hints(runs.byThread.size());
    for (std::uint32_t i = 0; i < boosts.boosts.size(); ++i) {
        const Boost& boost = boosts.boosts[i];
        if (boost.nominal)
            continue;
        const std::vector<std::uint32_t>& ids = runs.byThread[boost.target.index()];
        const auto runOf = [&](std::size_t k) -> const SchedRun& { return runs.runs[ids[k]]; };
        std::size_t k = lastBegunAt(ids.size(), boost.range.begin, hints[boost.target.index()],
                                    [&](std::size_t n) { return runOf(n).range.begin; });
        for (k = k == ids.size() ? 0 : k; k < ids.size() && runOf(k).range.begin < boost.range.end;
             ++k) {
            const TimeRange inside{std::max(runOf(k).range.begin, boost.range.begin),
                                   std::min(runOf(k).range.end, boost.range.end)};
            if (inside.length() > 0)
                lent[runOf(k).cpu].push_back({inside, i});
        }
    }
    for (auto& [cpu, list] : lent)
        std::ranges::stable_sort(list, {}, [](const LentRun& run) { return run.range.begin; });
    return lent;
}

class PushThroughFinder {
public:
    PushThroughFinder(const TraceStore& store, const SchedRuns& runs, const Priorities& priorities,
                      const Boosts& boosts)
        : priorities_(priorities), boosts_(boosts), lent_(findLentRuns(runs, boosts)),
          queueCpu_(store, runs) {}

    [[nodiscard]] bool nothingLent() const { return lent_.empty(); }

    /// `thread` was runnable in `range`.
    void add(ThreadId thread, const TimeRange& range, std::vector<Inversion>& out) {
        for (std::int64_t position = range.begin; position < range.end;) {
            const QueueCpu::Answer queue = queueCpu_.at(thread, position, range.end);
            const std::int64_t until =
                std::clamp<std::int64_t>(queue.until, position + 1, range.end);
            if (const auto lent = lent_.find(queue.cpu); lent != lent_.end())
                addOn(lent->second, thread, {position, until}, out);
            position = until;
        }
    }

private:
    void addOn(const std::vector<LentRun>& list, ThreadId thread, const TimeRange& range,
               std::vector<Inversion>& out) {
        // Runs of one CPU do not overlap: their ends are in order, too.
        auto lent = std::ranges::upper_bound(list, range.begin, {},
                                             [](const LentRun& run) { return run.range.end; });
        for (; lent != list.end() && lent->range.begin < range.end; ++lent) {
            const Boost& boost = boosts_.boosts[lent->boost];
            const auto base = priorities_.baseAt(thread, range.begin);
            if (boost.target == thread || boost.donor == thread || !base || isFair(*base) ||
                !isHigher(*base, boost.fromPrio) || isHigher(*base, boost.toPrio))
                continue;
            note(*lent, thread, range, out);
        }
    }
    void note(const LentRun& lent, ThreadId thread, const TimeRange& range,
              std::vector<Inversion>& out) {
        const Boost& boost = boosts_.boosts[lent.boost];
        const TimeRange inside{std::max(lent.range.begin, range.begin),
                               std::min(lent.range.end, range.end)};
        Inversion inversion;
        inversion.victim = thread;
        inversion.lock = boost.lock;
        inversion.owner = boost.target;
        inversion.range = inside;
        inversion.invertedNs = inside.length();
        inversion.boost = lent.boost;
        inversion.kinds = static_cast<std::uint8_t>(InversionKind::PushThrough);
        inversion.confidence = boost.confidence;
        out.push_back(std::move(inversion));
    }

    const Priorities& priorities_;
    const Boosts& boosts_;
    LentRuns lent_;
    QueueCpu queueCpu_;
};

bool everRealTime(const std::vector<PriorityStep>& steps) {
    return std::ranges::any_of(steps, [](const PriorityStep& step) { return !isFair(step.base); });
}

} // namespace

Result<void> findPushThrough(const TraceStore& store, const SchedRuns& runs,
                             const Priorities& priorities, const Boosts& boosts,
                             const ThreadStates& states, const JobContext& job,
                             std::vector<Inversion>& out) {
    PushThroughFinder finder(store, runs, priorities, boosts);
    if (finder.nothingLent())
        return {};
    for (std::uint32_t i = 0; i < states.byThread.size(); ++i) {
        if (!everRealTime(priorities.byThread[i]))
            continue;
        TRY(job.check("finding inversions"));
        for (const ThreadStateInterval& interval : states.byThread[i])
            if (interval.state == ThreadState::RunnableWoken ||
                interval.state == ThreadState::RunnablePreempted)
                finder.add(ThreadId{i}, interval.range, out);
    }
    return {};
}

} // namespace inversight
