// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/markdown_format.h"

#include "trace/export/explain_text.h"
#include "trace/export/finding_tables.h"
#include "trace/export/stream_output.h"
#include "trace/export/trace_summary.h"

#include <ostream>

namespace inversight {

namespace {

constexpr std::size_t kExplained = 5;

/// A task may be called `a|b` or `*`.
std::string markdownCell(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("|*_`<>[]\\").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

void writeRow(std::ostream& out, const std::vector<std::string>& cells) {
    for (const std::string& cell : cells)
        out << "| " << markdownCell(cell) << ' ';
    out << "|\n";
}

void writeTable(std::ostream& out, const FindingTable& table) {
    out << "\n## " << markdownCell(table.title) << "\n\n";
    if (table.rows.empty()) {
        out << table.note << "\n";
        return;
    }
    std::vector<std::string> titles;
    for (const TextTable::Column& column : table.columns)
        titles.push_back(column.title);
    writeRow(out, titles);
    for (const TextTable::Column& column : table.columns)
        out << (column.align == Align::Right ? "|---:" : "|---");
    out << "|\n";
    for (const std::vector<std::string>& row : table.rows)
        writeRow(out, row);
}

} // namespace

Result<void> writeMarkdown(const AnalyzedTrace& analyzed, std::ostream& out) {
    out << "# " << markdownCell(printable(analyzed.trace.info.path)) << "\n\n";
    for (const std::string& warning : analyzed.trace.report.warnings)
        out << "Warning: " << markdownCell(printable(warning)) << "\n\n";
    if (analyzed.results.get<Inversions>())
        TRY(writeExplanationMarkdown(analyzed, kExplained, out));
    for (const FindingTable& table : findingTables(analyzed))
        writeTable(out, table);
    return finishOutput(out);
}

} // namespace inversight
