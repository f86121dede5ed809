// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/analyze_document.h"

#include "trace/export/trace_summary.h"
#include "trace/export/wait_document.h"

namespace inversight {

namespace {

/// Writes `data` part by part; times are relative to the trace's first event.
class AnalyzeWriter {
public:
    explicit AnalyzeWriter(const AnalyzedTrace& analyzed)
        : analyzed_(analyzed), store_(analyzed.store()), origin_(store_.range().begin),
          events_(analyzed.results.get<LockEvents>()) {}

    Json threads() const;
    Json boosts() const;
    Json analysisStates() const;
    Json range(const TimeRange& range) const {
        return {{"begin_ns", relative(range.begin)}, {"end_ns", relative(range.end)}};
    }

private:
    std::int64_t relative(std::int64_t time) const { return relativeTime(time, origin_); }
    Json lock(LockId id) const {
        const auto name = events_ ? lockName(*events_, id) : std::nullopt;
        return name ? Json(*name) : Json(nullptr);
    }
    Json boost(const Boost& boost) const;
    static Json latency(const LatencySummary& summary);
    Json thread(const ThreadSummary& summary) const;

    const AnalyzedTrace& analyzed_;
    const TraceStore& store_;
    const std::int64_t origin_;
    const std::shared_ptr<const LockEvents> events_;
};

Json AnalyzeWriter::latency(const LatencySummary& summary) {
    return {{"min", summary.min}, {"avg", summary.average}, {"p50", summary.p50},
            {"p99", summary.p99}, {"p99_9", summary.p99_9}, {"max", summary.max}};
}

Json AnalyzeWriter::thread(const ThreadSummary& summary) const {
    const ThreadInfo& info = store_.threads()[summary.thread];
    Json json = jsonThread(store_, summary.thread);
    json["process"] = info.tgid >= 0 ? Json(info.tgid) : Json(nullptr);
    json["idle_cpu"] = info.isIdle() ? Json(info.idleCpu) : Json(nullptr);
    json["base_prio"] = summary.basePrio ? Json(*summary.basePrio) : Json(nullptr);
    json["priority"] = summary.priority.empty() ? Json(nullptr) : Json(summary.priority);
    json["states_ns"] = nullptr;
    if (summary.statesNs) {
        Json states = Json::object();
        for (std::size_t i = 0; i < kThreadStateCount; ++i)
            states[threadStateName(static_cast<ThreadState>(i))] = (*summary.statesNs)[i];
        json["states_ns"] = std::move(states);
    }
    json["operation_count"] = summary.latency ? summary.latency->count : 0;
    json["latency_ns"] = summary.latency ? latency(*summary.latency) : Json(nullptr);
    json["transfer_count"] = summary.transferCount;
    json["boost_count"] = summary.boostCount;
    json["contended_wait_count"] = summary.waitCount;
    return json;
}

Json AnalyzeWriter::threads() const {
    Json list = Json::array();
    for (const ThreadSummary& summary : summarizeThreads(analyzed_))
        if (analyzed_.includes({summary.thread}))
            list.push_back(thread(summary));
    return list;
}

Json AnalyzeWriter::boost(const Boost& boost) const {
    Json levels = Json::array();
    for (const BoostLevel& level : boost.levels)
        levels.push_back({{"begin_ns", relative(level.time)},
                          {"prio", level.prio},
                          {"donor", jsonThread(store_, level.donor)},
                          {"lock", lock(level.lock)}});
    return {{"target", jsonThread(store_, boost.target)},
            {"from_prio", boost.fromPrio},
            {"to_prio", boost.toPrio},
            {"begin_ns", relative(boost.range.begin)},
            {"end_ns", relative(boost.range.end)},
            {"begin_seen", boost.beginSeen},
            {"end_seen", boost.endSeen},
            {"levels", std::move(levels)},
            {"donor", jsonThread(store_, boost.donor)},
            {"lock", lock(boost.lock)},
            {"nominal", boost.nominal},
            {"confidence", confidenceName(boost.confidence)}};
}

Json AnalyzeWriter::boosts() const {
    const auto result = analyzed_.results.get<Boosts>();
    if (!result)
        return nullptr;
    Json list = Json::array();
    for (const Boost& row : result->boosts)
        if (analyzed_.includes(row.range) && analyzed_.includes({row.target, row.donor}) &&
            analyzed_.includes(row.lock))
            list.push_back(boost(row));
    return list;
}

const char* stateName(AnalysisState state) {
    switch (state) {
    case AnalysisState::Ready:
        return "ready";
    case AnalysisState::Failed:
        return "failed";
    case AnalysisState::Unavailable:
        return "unavailable";
    case AnalysisState::Pending:
        break;
    }
    return "pending";
}

Json AnalyzeWriter::analysisStates() const {
    Json list = Json::array();
    for (const AnalysisRow& row : analyses()) {
        const auto error = analyzed_.results.error(row.id);
        list.push_back({{"name", row.name},
                        {"state", stateName(analyzed_.results.state(row.id))},
                        {"error", error ? Json(error->sentence()) : Json(nullptr)}});
    }
    return list;
}

} // namespace

JsonDocument analyzeDocument(const AnalyzedTrace& analyzed) {
    const TraceStore& store = analyzed.store();
    JsonDocument document = traceDocument(analyzed.trace, "inversight.analyze/1", analyzed.tool);
    for (const AnalysisRow& row : analyses())
        if (const auto error = analyzed.results.error(row.id)) {
            document.complete = false;
            document.warnings.push_back(error->sentence());
        }
    const AnalyzeWriter writer(analyzed);
    Json& data = document.data;
    data["range"] = writer.range(analyzed.range.value_or(store.range()));
    addCounts(data, store);
    data["analyses"] = writer.analysisStates();
    using enum AnalysisId;
    if (analyzed.wants({SchedRuns, Priorities, ThreadStates, Latency}))
        data["threads"] = writer.threads();
    if (analyzed.wants({Boosts}))
        data["boosts"] = writer.boosts();
    if (analyzed.wants({LockWaits, HelperWaits, Decomposition}))
        data["waits"] = waitsJson(analyzed);
    if (analyzed.wants({Inversions}))
        data["inversions"] = inversionsJson(analyzed);
    return document;
}

} // namespace inversight
