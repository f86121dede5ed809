// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/trace_summary.h"

#include "core/base/time_format.h"
#include "trace/export/text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace inversight {

std::map<std::string, std::uint64_t> eventCountsByName(const TraceStore& store) {
    std::map<std::string, std::set<std::string>> systemsOf;
    for (const EventTypeInfo& type : store.types())
        systemsOf[type.name].insert(type.system);
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t i = 0; i < store.types().size(); ++i) {
        const EventTypeInfo& type = store.types()[i];
        if (store.eventCounts()[i] == 0)
            continue;
        const bool shared = systemsOf[type.name].size() > 1;
        counts[shared ? type.system + ":" + type.name : type.name] += store.eventCounts()[i];
    }
    return counts;
}

LossSummary summarizeLosses(const TraceStore& store) {
    LossSummary summary;
    for (const LossRow& loss : store.losses()) {
        summary.lostCount += loss.count.value_or(0);
        summary.unknownCount += loss.count ? 0 : 1;
    }
    return summary;
}

std::string lossSentence(const TraceStore& store) {
    const LossSummary losses = summarizeLosses(store);
    if (!losses.any())
        return {};
    if (losses.unknownCount == 0)
        return fmt::format("{} events were lost while recording", losses.lostCount);
    const std::string unknown =
        fmt::format("an unknown number of events ({} gap{})", losses.unknownCount,
                    losses.unknownCount == 1 ? "" : "s");
    if (losses.lostCount == 0)
        return unknown + " was lost while recording";
    return fmt::format("{} events and {} were lost while recording", losses.lostCount, unknown);
}

JsonDocument traceDocument(const LoadedTrace& trace, std::string schema, std::string tool) {
    JsonDocument document;
    document.schema = std::move(schema);
    document.tool = std::move(tool);
    document.originNs = trace.store->range().begin;
    if (!trace.store->streams().empty())
        document.clock = trace.store->streams().front().clock.name;
    document.warnings = trace.report.warnings;
    const std::string lost = lossSentence(*trace.store);
    if (!lost.empty())
        document.warnings.push_back(lost);
    document.complete = trace.report.complete && lost.empty();
    return document;
}

void addCounts(Json& data, const TraceStore& store) {
    const LossSummary losses = summarizeLosses(store);
    Json counts = Json::object();
    for (const auto& [name, count] : eventCountsByName(store))
        counts[name] = count;
    data["event_counts"] = std::move(counts);
    data["lost_count"] = losses.lostCount;
    data["lost_unknown_count"] = losses.unknownCount;
}

Json jsonThread(const TraceStore& store, ThreadId thread) {
    if (!thread.valid())
        return nullptr;
    return {{"pid", store.threads()[thread].tid}, {"name", store.threadName(thread)}};
}

std::string lossText(const TraceStore& store) {
    const std::string sentence = lossSentence(store);
    if (sentence.empty())
        return {};
    std::string text =
        "LOST EVENTS: " + sentence +
        ".\n"
        "What happened in these gaps is unknown; nothing below reaches across them.\n";
    TextTable table({{"CPU", Align::Right},
                     {"from (s)", Align::Right},
                     {"to (s)", Align::Right},
                     {"events", Align::Right}});
    const std::int64_t origin = store.range().begin;
    for (const LossRow& loss : store.losses())
        table.addRow({std::to_string(loss.cpu), formatSeconds(relativeTime(loss.gap.begin, origin)),
                      formatSeconds(relativeTime(loss.gap.end, origin)),
                      loss.count ? std::to_string(*loss.count) : "unknown"});
    return text + table.toText() + "\n";
}

std::string eventCountsText(const TraceStore& store) {
    const auto byName = eventCountsByName(store);
    std::vector<std::pair<std::string, std::uint64_t>> counts(byName.begin(), byName.end());
    std::ranges::stable_sort(counts, std::greater{},
                             [](const auto& entry) { return entry.second; });
    TextTable table({{"", Align::Left}, {"", Align::Right}});
    for (const auto& [name, count] : counts)
        table.addRow({printable(name), std::to_string(count)});
    return fmt::format("Events: {}\n", store.eventCount()) + table.toText();
}

std::string threadLabel(const TraceStore& store, ThreadId thread) {
    if (!thread.valid())
        return "unknown";
    const ThreadInfo& info = store.threads()[thread];
    const std::string name = printable(store.threadName(thread));
    return info.isIdle() || !info.name.valid() ? name : fmt::format("{} ({})", name, info.tid);
}

} // namespace inversight
