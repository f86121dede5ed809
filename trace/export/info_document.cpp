// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/info_document.h"

#include "core/base/time_format.h"
#include "trace/export/text_table.h"
#include "trace/export/trace_summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace inversight {

namespace {

struct CpuCounts {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
};

/// Every CPU the file has or names, also those without a single event.
std::map<std::int32_t, CpuCounts> countCpus(const LoadedTrace& trace) {
    std::map<std::int32_t, CpuCounts> cpus;
    for (int cpu = 0; cpu < trace.info.cpuCount; ++cpu)
        cpus[cpu] = {};
    const TraceStore& store = *trace.store;
    for (std::size_t i = 0; i < store.eventCount(); ++i)
        ++cpus[store.cpu(EventIndex{static_cast<std::uint32_t>(i)})].events;
    for (const LossRow& loss : store.losses())
        cpus[loss.cpu].lost += loss.count.value_or(0);
    return cpus;
}

Json cpuList(const LoadedTrace& trace) {
    Json list = Json::array();
    for (const auto& [cpu, counts] : countCpus(trace))
        list.push_back({{"cpu", cpu < 0 ? Json(nullptr) : Json(cpu)},
                        {"event_count", counts.events},
                        {"lost_count", counts.lost}});
    return list;
}

/// Events per stream of the store. A buffer that was left out (another clock) has none there.
std::map<std::string, std::uint64_t> countBuffers(const TraceStore& store) {
    std::vector<std::uint64_t> counts(store.streams().size());
    for (std::size_t i = 0; i < store.eventCount(); ++i)
        ++counts[store.record(EventIndex{static_cast<std::uint32_t>(i)}).stream.index()];
    std::map<std::string, std::uint64_t> byName;
    for (std::size_t i = 0; i < counts.size(); ++i)
        byName[store.streams()[i].name] += counts[i];
    return byName;
}

Json bufferList(const LoadedTrace& trace) {
    const auto counts = countBuffers(*trace.store);
    Json list = Json::array();
    for (const StreamInfo& stream : trace.info.streams) {
        const auto count = counts.find(stream.name);
        list.push_back({{"name", stream.name},
                        {"clock", stream.clock.name},
                        {"unit", stream.clock.unit == ClockUnit::Ticks ? "ticks" : "ns"},
                        {"cpu_count", stream.cpuCount},
                        {"event_count", count != counts.end() ? Json(count->second) : Json()}});
    }
    return list;
}

Json lossList(const TraceStore& store) {
    Json list = Json::array();
    const std::int64_t origin = store.range().begin;
    for (const LossRow& loss : store.losses())
        list.push_back({{"buffer", store.streams()[loss.stream.index()].name},
                        {"cpu", loss.cpu},
                        {"begin_ns", relativeTime(loss.gap.begin, origin)},
                        {"end_ns", relativeTime(loss.gap.end, origin)},
                        {"lost_count", loss.count ? Json(*loss.count) : Json(nullptr)}});
    return list;
}

std::string formatName(const SourceInfo& info) {
    return fmt::format("{} version {}, {}, {}-endian, {}-bit", info.format, info.version,
                       info.compression == "none" ? "not compressed" : info.compression,
                       info.bigEndian ? "big" : "little", info.longSize * 8);
}

std::string cpuText(const LoadedTrace& trace) {
    const auto cpus = countCpus(trace);
    const auto empty =
        std::ranges::count_if(cpus, [](const auto& entry) { return entry.second.events == 0; });
    return empty == 0 ? fmt::format("{}", cpus.size())
                      : fmt::format("{} ({} without events)", cpus.size(), empty);
}

std::string timeText(const TraceStore& store) {
    const TimeRange range = store.range();
    if (store.eventCount() == 0)
        return "no events";
    return fmt::format("{} to {} s ({})", formatSeconds(range.begin), formatSeconds(range.end),
                       formatDuration(relativeTime(range.end, range.begin)));
}

/// The clock of each buffer, and with several their events.
void addBuffers(const LoadedTrace& trace, TextTable& facts) {
    const auto counts = countBuffers(*trace.store);
    const bool several = trace.info.streams.size() > 1;
    for (const StreamInfo& stream : trace.info.streams) {
        const auto count = counts.find(stream.name);
        std::string text = printable(stream.clock.name);
        if (several)
            text += count != counts.end() ? fmt::format(", {} events", count->second)
                                          : std::string(", not loaded");
        facts.addRow({stream.name.empty() ? "clock" : "clock of buffer " + printable(stream.name),
                      std::move(text)});
    }
}

} // namespace

JsonDocument infoDocument(const LoadedTrace& trace, std::string tool) {
    const TraceStore& store = *trace.store;
    JsonDocument document = traceDocument(trace, "inversight.info/1", std::move(tool));
    Json& data = document.data;
    const bool empty = store.eventCount() == 0;
    data["path"] = trace.info.path;
    data["format"] = trace.info.format;
    data["version"] = trace.info.version;
    data["compression"] = trace.info.compression;
    data["endian"] = trace.info.bigEndian ? "big" : "little";
    data["long_size"] = trace.info.longSize;
    data["page_size"] = trace.info.pageSize;
    data["system_name"] =
        trace.info.systemName.empty() ? Json(nullptr) : Json(trace.info.systemName);
    data["cpus"] = cpuList(trace);
    data["buffers"] = bufferList(trace);
    data["first_ns"] = empty ? Json(nullptr) : Json(0);
    data["last_ns"] =
        empty ? Json(nullptr) : Json(relativeTime(store.range().end, store.range().begin));
    addCounts(data, store);
    data["losses"] = lossList(store);
    return document;
}

std::string infoText(const LoadedTrace& trace) {
    const TraceStore& store = *trace.store;
    TextTable facts({{"", Align::Left}, {"", Align::Left}});
    facts.addRow({"file", printable(trace.info.path)});
    facts.addRow({"format", formatName(trace.info)});
    if (!trace.info.systemName.empty())
        facts.addRow({"recorded on", printable(trace.info.systemName)});
    facts.addRow({"pages", fmt::format("{} bytes", trace.info.pageSize)});
    facts.addRow({"CPUs", cpuText(trace)});
    addBuffers(trace, facts);
    facts.addRow({"time", timeText(store)});
    std::string text = lossText(store);
    for (const std::string& warning : trace.report.warnings)
        text += "warning: " + printable(warning) + "\n";
    return text + facts.toText() + "\n" + eventCountsText(store);
}

} // namespace inversight
