// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/csv_format.h"

#include "trace/export/json_document.h"
#include "trace/export/stream_output.h"

#include <vector>

namespace inversight {

namespace {

std::string csvCell(std::string_view cell) {
    if (cell.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(cell);
    std::string out = "\"";
    for (const char c : cell)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

void writeLine(std::ostream& out, const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        out << (i > 0 ? "," : "") << csvCell(cells[i]);
    out << "\r\n";
}

std::string tidCell(const TraceStore& store, ThreadId thread) {
    return thread.valid() ? std::to_string(store.threads()[thread].tid) : "";
}
std::string nameCell(const TraceStore& store, ThreadId thread) {
    return thread.valid() ? store.threadName(thread) : "";
}
std::string boolCell(bool value) {
    return value ? "true" : "false";
}

std::vector<std::string> boostCells(const TraceStore& store, const LockEvents* events,
                                    const Boost& boost) {
    const std::int64_t origin = store.range().begin;
    const auto lock = events ? lockName(*events, boost.lock) : std::nullopt;
    return {tidCell(store, boost.target),
            nameCell(store, boost.target),
            std::to_string(boost.fromPrio),
            std::to_string(boost.toPrio),
            std::to_string(relativeTime(boost.range.begin, origin)),
            std::to_string(relativeTime(boost.range.end, origin)),
            std::to_string(relativeTime(boost.range.end, boost.range.begin)),
            tidCell(store, boost.donor),
            nameCell(store, boost.donor),
            lock.value_or(""),
            boolCell(boost.nominal),
            confidenceName(boost.confidence),
            boolCell(boost.beginSeen),
            boolCell(boost.endSeen)};
}

std::string lockCell(const LockEvents* events, LockId lock) {
    return events ? lockName(*events, lock).value_or("") : "";
}

Error missing(const AnalyzedTrace& analyzed, AnalysisId id, const char* what) {
    return analyzed.results.error(id).value_or(
        Error{ErrorCode::Unavailable, std::string(what) + " have not been looked for"});
}

Result<void> writeBoosts(const AnalyzedTrace& analyzed, std::ostream& out) {
    const auto boosts = analyzed.results.get<Boosts>();
    if (!boosts)
        return std::unexpected(missing(analyzed, AnalysisId::Boosts, "boosts"));
    const auto events = analyzed.results.get<LockEvents>();
    writeLine(out, {"target_pid", "target_name", "from_prio", "to_prio", "begin_ns", "end_ns",
                    "duration_ns", "donor_pid", "donor_name", "lock", "nominal", "confidence",
                    "begin_seen", "end_seen"});
    for (const Boost& boost : boosts->boosts)
        if (analyzed.includes(boost.range) && analyzed.includes({boost.target, boost.donor}) &&
            analyzed.includes(boost.lock))
            writeLine(out, boostCells(analyzed.store(), events.get(), boost));
    return {};
}

Result<void> writeWaits(const AnalyzedTrace& analyzed, std::ostream& out) {
    const auto decomposition = analyzed.results.get<Decomposition>();
    if (!decomposition)
        return std::unexpected(missing(analyzed, AnalysisId::Decomposition, "waits"));
    const auto events = analyzed.results.get<LockEvents>();
    std::vector<std::string> titles{"pid",        "name",       "on",     "lock",   "owner_pid",
                                    "owner_name", "request_ns", "end_ns", "wait_ns"};
    for (std::size_t part = 0; part < kWaitPartCount; ++part)
        titles.push_back(std::string(waitPartName(static_cast<WaitPart>(part))) + "_ns");
    writeLine(out, titles);
    const TraceStore& store = analyzed.store();
    for (std::uint32_t i = 0; i < decomposition->waits.size(); ++i) {
        const DecomposedWait& wait = decomposition->waits[i];
        const ThreadId owner = decomposition->segmentsOf(i).front().owner;
        if (!analyzed.includes(wait.range) || !analyzed.includes({wait.thread, owner}) ||
            !analyzed.includes(wait.lock))
            continue;
        const std::int64_t origin = store.range().begin;
        std::vector<std::string> cells{tidCell(store, wait.thread),
                                       nameCell(store, wait.thread),
                                       waitOnName(wait.on),
                                       lockCell(events.get(), wait.lock),
                                       tidCell(store, owner),
                                       nameCell(store, owner),
                                       std::to_string(relativeTime(wait.range.begin, origin)),
                                       std::to_string(relativeTime(wait.range.end, origin)),
                                       std::to_string(wait.range.length())};
        for (const std::int64_t ns : decomposition->parts(i))
            cells.push_back(std::to_string(ns));
        writeLine(out, cells);
    }
    return {};
}

Result<void> writeInversions(const AnalyzedTrace& analyzed, std::ostream& out) {
    const auto inversions = analyzed.results.get<Inversions>();
    if (!inversions)
        return std::unexpected(missing(analyzed, AnalysisId::Inversions, "inversions"));
    const auto events = analyzed.results.get<LockEvents>();
    const TraceStore& store = analyzed.store();
    const std::int64_t origin = store.range().begin;
    writeLine(out, {"victim_pid", "victim_name", "owner_pid", "owner_name", "lock", "kinds",
                    "begin_ns", "end_ns", "inverted_ns", "mid_ns", "violation_ns", "confidence"});
    for (const Inversion& row : inversions->inversions) {
        if (!analyzed.includes(row.range) || !analyzed.includes({row.victim, row.owner}) ||
            !analyzed.includes(row.lock))
            continue;
        std::string kinds;
        for (const InversionKind kind : kInversionKinds)
            if (row.is(kind))
                kinds += (kinds.empty() ? "" : " ") + std::string(inversionKindName(kind));
        writeLine(out, {tidCell(store, row.victim), nameCell(store, row.victim),
                        tidCell(store, row.owner), nameCell(store, row.owner),
                        lockCell(events.get(), row.lock), kinds,
                        std::to_string(relativeTime(row.range.begin, origin)),
                        std::to_string(relativeTime(row.range.end, origin)),
                        std::to_string(row.invertedNs), std::to_string(row.midNs),
                        std::to_string(row.violationNs), confidenceName(row.confidence)});
    }
    return {};
}

} // namespace

Result<void> writeCsv(const AnalyzedTrace& analyzed, std::ostream& out) {
    using enum AnalysisId;
    const bool asked = !analyzed.filter.only.empty();
    if (asked && analyzed.wants({Inversions}))
        TRY(writeInversions(analyzed, out));
    else if (asked && analyzed.wants({Decomposition, LockWaits, HelperWaits}))
        TRY(writeWaits(analyzed, out));
    else
        TRY(writeBoosts(analyzed, out));
    return finishOutput(out);
}

} // namespace inversight
