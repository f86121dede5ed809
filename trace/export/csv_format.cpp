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

} // namespace

Result<void> writeCsv(const AnalyzedTrace& analyzed, std::ostream& out) {
    const auto boosts = analyzed.results.get<Boosts>();
    if (!boosts)
        return std::unexpected(
            analyzed.results.error(AnalysisId::Boosts)
                .value_or(Error{ErrorCode::Unavailable, "boosts have not been looked for"}));
    const auto events = analyzed.results.get<LockEvents>();
    writeLine(out, {"target_pid", "target_name", "from_prio", "to_prio", "begin_ns", "end_ns",
                    "duration_ns", "donor_pid", "donor_name", "lock", "nominal", "confidence",
                    "begin_seen", "end_seen"});
    for (const Boost& boost : boosts->boosts)
        if (analyzed.includes(boost.range))
            writeLine(out, boostCells(analyzed.store(), events.get(), boost));
    return finishOutput(out);
}

} // namespace inversight
