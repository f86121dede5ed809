// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/report/run_facts.h"

#include "trace/analysis/inversions.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_events.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace inversight {

namespace {

/// Names that are unique in this trace, the same in the next trace of the same workload.
class WorkerNames {
public:
    explicit WorkerNames(const TraceStore& store) : store_(store) {}

    std::string of(ThreadId thread) {
        const auto known = names_.find(thread);
        if (known != names_.end())
            return known->second;
        std::string name = store_.threadName(thread);
        const int number = ++counts_[name];
        if (number > 1)
            name += fmt::format("#{}", number);
        return names_.emplace(thread, std::move(name)).first->second;
    }

private:
    const TraceStore& store_;
    std::map<ThreadId, std::string> names_;
    std::map<std::string, int> counts_;
};

LatencySeries seriesOf(const ThreadLatency& latency) {
    LatencySeries series;
    series.latencies.reserve(latency.operations.size());
    for (const Operation& operation : latency.operations)
        series.latencies.push_back(operation.range.end - operation.range.begin);
    if (!latency.operations.empty())
        series.spanNs =
            latency.operations.back().range.end - latency.operations.front().range.begin;
    return series;
}

std::vector<InversionGroup> groupsOf(const Inversions& found, const LockEvents* locks,
                                     WorkerNames& names) {
    std::map<std::pair<std::string, std::string>, InversionGroup> groups;
    for (const Inversion& inversion : found.inversions) {
        if (inversion.is(InversionKind::Nominal))
            continue;
        const bool named = locks && inversion.lock.valid();
        const std::string victim = names.of(inversion.victim);
        const std::string lock = named ? locks->locks[inversion.lock.index()].name : "";
        InversionGroup& group = groups[{victim, lock}];
        group.victim = victim;
        group.lock = lock;
        ++group.count;
        group.unboundedCount += inversion.is(InversionKind::Unbounded) ? 1 : 0;
        group.midNs += inversion.midNs;
        group.longestNs = std::max(group.longestNs, inversion.range.end - inversion.range.begin);
    }
    std::vector<InversionGroup> list;
    for (auto& [key, group] : groups)
        list.push_back(std::move(group));
    return list;
}

} // namespace

RunFacts runFactsOf(const TraceStore& store, const AnalysisResults& results, std::string file) {
    RunFacts facts;
    facts.file = std::move(file);
    facts.lossCount = store.losses().size();
    WorkerNames names(store);
    if (const auto latency = results.get<Latency>()) {
        for (const ThreadLatency& thread : latency->threads)
            facts.workers.push_back({names.of(thread.thread), seriesOf(thread)});
    }
    const auto locks = results.get<LockEvents>();
    if (const auto inversions = results.get<Inversions>())
        facts.inversions = groupsOf(*inversions, locks.get(), names);
    return facts;
}

} // namespace inversight
