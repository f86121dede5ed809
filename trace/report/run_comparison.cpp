// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/report/run_comparison.h"

#include <algorithm>
#include <map>
#include <utility>

namespace inversight {

namespace {

void collectNames(const RunSet& set, std::vector<std::string>& names) {
    for (const RunFacts& run : set.runs) {
        for (const WorkerFacts& worker : run.workers) {
            if (std::ranges::find(names, worker.name) == names.end())
                names.push_back(worker.name);
        }
    }
}

std::vector<RunSample> samplesOf(const RunSet& set, std::span<const std::string> names) {
    std::vector<RunSample> samples;
    for (const RunFacts& run : set.runs) {
        RunSample sample(names.size());
        for (const WorkerFacts& worker : run.workers) {
            const auto place = std::ranges::find(names, worker.name) - names.begin();
            sample[static_cast<std::size_t>(place)] = worker.series;
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

using Changes = std::map<std::pair<std::string, std::string>, InversionChange>;

void addInversions(const RunSet& set, double InversionChange::* perRun,
                   double InversionChange::* midPerRun, Changes& changes) {
    const auto runs = static_cast<double>(set.runs.size());
    for (const RunFacts& run : set.runs) {
        for (const InversionGroup& group : run.inversions) {
            InversionChange& change = changes[{group.victim, group.lock}];
            change.victim = group.victim;
            change.lock = group.lock;
            change.*perRun += static_cast<double>(group.count) / runs;
            change.*midPerRun += static_cast<double>(group.midNs) / runs;
        }
    }
}

std::uint64_t lossesIn(const RunSet& set) {
    std::uint64_t losses = 0;
    for (const RunFacts& run : set.runs)
        losses += run.lossCount;
    return losses;
}

} // namespace

RunComparison compareRuns(const RunSet& before, const RunSet& after,
                          const ComparisonOptions& options) {
    RunComparison comparison;
    comparison.before = before.name;
    comparison.after = after.name;
    collectNames(before, comparison.workers);
    collectNames(after, comparison.workers);
    comparison.samples =
        compareSamples(samplesOf(before, comparison.workers), samplesOf(after, comparison.workers),
                       comparison.workers.size(), options);
    Changes changes;
    addInversions(before, &InversionChange::beforePerRun, &InversionChange::beforeMidNsPerRun,
                  changes);
    addInversions(after, &InversionChange::afterPerRun, &InversionChange::afterMidNsPerRun,
                  changes);
    for (auto& [key, change] : changes)
        comparison.inversions.push_back(std::move(change));
    comparison.lossCount = lossesIn(before) + lossesIn(after);
    return comparison;
}

} // namespace inversight
