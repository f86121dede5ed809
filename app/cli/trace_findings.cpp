// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/trace_findings.h"

#include "core/base/time_format.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/inversions.h"
#include "trace/analysis/latency.h"
#include "trace/analysis/lock_events.h"
#include "trace/decode/trace_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace inversight {

namespace {

using GroupKey =
    std::tuple<std::string, std::int32_t, std::int32_t, std::string, std::string, bool>;

/// Collects the boosts of one trace into groups.
class BoostGrouper {
public:
    BoostGrouper(const TraceStore& store, const LockEvents& locks) : store_(store), locks_(locks) {}

    void add(const Boost& boost) {
        BoostGroup group = describe(boost);
        const GroupKey key{group.target,
                           group.fromPrio,
                           group.toPrio,
                           group.donor.value_or(""),
                           group.lock.value_or(""),
                           group.nominal};
        BoostGroup& entry = groups_.try_emplace(key, std::move(group)).first->second;
        ++entry.count;
        entry.longestNs = std::max(entry.longestNs, boost.range.length());
        entry.totalNs += boost.range.length();
    }

    [[nodiscard]] std::vector<BoostGroup> take() && {
        std::vector<BoostGroup> groups;
        for (auto& [key, group] : groups_)
            groups.push_back(std::move(group));
        std::ranges::stable_sort(groups, std::greater{}, &BoostGroup::count);
        return groups;
    }

private:
    [[nodiscard]] BoostGroup describe(const Boost& boost) const {
        BoostGroup group;
        group.target = store_.threadName(boost.target);
        group.fromPrio = boost.fromPrio;
        group.toPrio = boost.toPrio;
        group.nominal = boost.nominal;
        if (boost.donor.valid())
            group.donor = store_.threadName(boost.donor);
        if (boost.lock.valid())
            group.lock = locks_.locks[boost.lock.index()].name;
        return group;
    }

    const TraceStore& store_;
    const LockEvents& locks_;
    std::map<GroupKey, BoostGroup> groups_;
};

bool isWorker(const TraceStore& store, ThreadId thread, std::span<const std::int32_t> tids) {
    return thread.valid() && std::ranges::count(tids, store.threads()[thread].tid) > 0;
}

/// The result of an analysis, or why there is none.
template <class T>
Result<std::shared_ptr<const T>> resultOf(const AnalysisResults& results) {
    if (auto value = results.get<T>())
        return value;
    return std::unexpected(results.error(T::kId).value_or(
        Error{ErrorCode::Unavailable, "an analysis of the recording gave no result"}));
}

} // namespace

std::string BoostGroup::sentence() const {
    std::string text = fmt::format("{} {} -> {}", target, formatKernelPriority(fromPrio),
                                   formatKernelPriority(toPrio));
    text += " by " + donor.value_or("an unknown donor");
    text += " on " + lock.value_or("an unknown lock");
    text += fmt::format(": {} {}, longest {}", count, count == 1 ? "time" : "times",
                        formatDuration(longestNs));
    return nominal ? text + " (nominal: fair threads only, no effect)" : text;
}

std::string InversionTotals::sentence() const {
    if (count == 0)
        return "inversions: none of a worker";
    std::string text = fmt::format("inversions: {}", count);
    if (unboundedCount > 0)
        text += fmt::format(", of which {} unbounded: others ran {} in the holder's place",
                            unboundedCount, formatDuration(midNs));
    return text;
}

Result<TraceFindings> findInTrace(const std::string& path, std::span<const std::int32_t> workerTids,
                                  const JobContext& job) {
    const LoadedTrace trace = TRY(loadTrace(path, job));
    const TraceStore& store = *trace.store;
    AnalysisResults results;
    TRY(runAnalyses(store, results, job));
    const auto boosts = TRY(resultOf<Boosts>(results));
    const auto locks = TRY(resultOf<LockEvents>(results));
    const auto latency = TRY(resultOf<Latency>(results));
    const auto inversions = TRY(resultOf<Inversions>(results));

    TraceFindings findings;
    findings.warnings = trace.report.warnings;
    BoostGrouper grouper(store, *locks);
    for (const Boost& boost : boosts->boosts) {
        const bool worker = isWorker(store, boost.target, workerTids);
        ++(worker ? findings.workerBoostCount : findings.otherBoostCount);
        if (worker)
            grouper.add(boost);
    }
    findings.boosts = std::move(grouper).take();
    for (const ThreadLatency& thread : latency->threads) {
        if (isWorker(store, thread.thread, workerTids))
            findings.operationCounts[store.threads()[thread.thread].tid] +=
                thread.operations.size();
    }
    for (const Inversion& inversion : inversions->inversions) {
        if (inversion.is(InversionKind::Nominal) ||
            !isWorker(store, inversion.victim, workerTids))
            continue;
        ++findings.inversions.count;
        findings.inversions.unboundedCount += inversion.is(InversionKind::Unbounded) ? 1 : 0;
        findings.inversions.midNs += inversion.midNs;
    }
    return findings;
}

} // namespace inversight
