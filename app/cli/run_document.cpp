// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/run_document.h"

#include "app/cli/output.h"

#include "core/stats/latency_summary.h"

#include <algorithm>

namespace inversight {

namespace {

/// "class" with the "priority" or "nice" that goes with it.
void addScheduling(Json& object, const Scheduling& scheduling) {
    object["class"] = schedulingClassName(scheduling.schedulingClass);
    if (scheduling.schedulingClass == SchedulingClass::Other)
        object["nice"] = scheduling.nice;
    else if (scheduling.schedulingClass != SchedulingClass::Deadline)
        object["priority"] = scheduling.priority;
}

void addJobs(Json& object, const JobFigures& jobs) {
    if (jobs.hasDeadline)
        object["deadline_miss_count"] = jobs.deadlineMissCount;
    object["job_count"] = jobs.count;
    object["max_wait_ns"] = jobs.maxWaitNs;
    object["response_ns"] = {{"min", jobs.response.min()},
                             {"avg", jobs.response.average()},
                             {"max", jobs.response.max()}};
}

Json threadObject(const ThreadRunResult& thread) {
    const LatencySummary summary = summarize(thread.latency);
    Json object{{"name", thread.name}, {"tid", thread.tid}};
    addScheduling(object, thread.scheduling);
    object.update({{"operation_count", thread.operationCount},
                   {"error_count", thread.errorCount},
                   {"run_ns", thread.runTimeNs},
                   {"latency_ns",
                    {{"min", summary.min},
                     {"avg", summary.average},
                     {"p50", summary.p50},
                     {"p99", summary.p99},
                     {"p99_9", summary.p99_9},
                     {"max", summary.max}}},
                   {"deadline_miss_count", nullptr}});
    if (thread.jobs)
        addJobs(object, *thread.jobs);
    return object;
}

/// Virtual time has no CPU of this machine.
Json workerCpuOf(const RunPlan& plan) {
    return plan.engine == EngineKind::Real ? Json(plan.cpus.workerCpus.front()) : Json();
}

Json orNull(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
}

Json boostObject(const BoostGroup& group) {
    return {{"target", group.target},     {"donor", orNull(group.donor)},
            {"lock", orNull(group.lock)}, {"from_prio", group.fromPrio},
            {"to_prio", group.toPrio},    {"nominal", group.nominal},
            {"boost_count", group.count}, {"longest_ns", group.longestNs},
            {"total_ns", group.totalNs}};
}

Json runObject(const PolicyRun& run) {
    Json object{{"policy", run.result.policy},
                {"trace", run.recording ? Json(run.recording->path) : Json()},
                {"interrupted", run.result.interrupted},
                {"total_ns", run.result.totalNs},
                {"threads", Json::array()},
                {"boost_count", nullptr},
                {"boosts", nullptr},
                {"inversion_count", nullptr},
                {"unbounded_inversion_count", nullptr},
                {"inversion_mid_ns", nullptr},
                {"lost_count", run.recording ? run.recording->lostCount : 0},
                {"lost_marker_count", run.recording ? run.recording->lostMarkerCount : 0}};
    for (const ThreadRunResult& thread : run.result.threads)
        object["threads"].push_back(threadObject(thread));
    if (!run.findings)
        return object;
    object["boost_count"] = run.findings->workerBoostCount;
    const InversionTotals& inversions = run.findings->inversions;
    object["inversion_count"] = inversions.count;
    object["unbounded_inversion_count"] = inversions.unboundedCount;
    object["inversion_mid_ns"] = inversions.midNs;
    object["boosts"] = Json::array();
    for (const BoostGroup& group : run.findings->boosts)
        object["boosts"].push_back(boostObject(group));
    return object;
}

Json changeObject(const ThreadRunResult& before, const RunResult& after) {
    Json object{{"name", before.name},
                {"avg_percent", nullptr},
                {"p99_percent", nullptr},
                {"max_percent", nullptr}};
    const auto other = std::ranges::find(after.threads, before.name, &ThreadRunResult::name);
    if (other == after.threads.end())
        return object;
    const LatencyChange change = compare(summarize(before.latency), summarize(other->latency));
    if (change.comparable)
        object.update({{"avg_percent", change.averagePercent},
                       {"p99_percent", change.p99Percent},
                       {"max_percent", change.maxPercent}});
    return object;
}

Json comparisonObject(const RunResult& before, const RunResult& after) {
    Json threads = Json::array();
    for (const ThreadRunResult& thread : before.threads)
        threads.push_back(changeObject(thread, after));
    Json total;
    if (before.totalNs > 0)
        total = 100.0 * static_cast<double>(after.totalNs - before.totalNs) /
                static_cast<double>(before.totalNs);
    return {{"before", before.policy},
            {"after", after.policy},
            {"total_percent", total},
            {"threads", threads}};
}

Json comparisons(std::span<const PolicyRun> runs) {
    Json array = Json::array();
    for (std::size_t i = 1; i < runs.size(); ++i)
        array.push_back(comparisonObject(runs.front().result, runs[i].result));
    return array;
}

} // namespace

JsonDocument runDocument(const RunPlan& plan, std::span<const PolicyRun> runs) {
    Json runObjects = Json::array();
    std::vector<std::string> warnings;
    for (const PolicyRun& run : runs) {
        runObjects.push_back(runObject(run));
        for (const std::string& warning : run.warnings) {
            if (std::ranges::find(warnings, warning) == warnings.end()) // the engine's come twice
                warnings.push_back(warning);
        }
    }
    JsonDocument document = makeDocument("inversight.run/1");
    document.clock = "mono";
    document.complete =
        runs.size() == plan.policies.size() && std::ranges::all_of(runs, &PolicyRun::complete);
    document.warnings = warnings;
    document.data = {{"scenario", Json::parse(plan.scenario.document)},
                     {"engine", plan.engineName()},
                     {"worker_cpu", workerCpuOf(plan)},
                     {"runs", runObjects},
                     {"comparisons", comparisons(runs)}};
    return document;
}

Json runPlanFields(const RunPlan& plan) {
    Json fields{{"verb", "run"},
                {"scenario", plan.scenario.spec.name},
                {"policies", Json::array()},
                {"traces", Json::array()},
                {"threads", Json::array()},
                {"operations_total", plan.scenario.spec.totalOperations() * plan.policies.size()},
                {"engine", plan.engineName()},
                {"worker_cpu", workerCpuOf(plan)}};
    for (const LockPolicyRow* policy : plan.policies) {
        fields["policies"].push_back(policy->name);
        if (plan.recorded())
            fields["traces"].push_back(plan.tracePath(*policy));
    }
    for (const ThreadSpec& thread : plan.scenario.spec.threads) {
        Json object{{"name", thread.name}};
        addScheduling(object, thread.scheduling);
        fields["threads"].push_back(object);
    }
    return fields;
}

} // namespace inversight
