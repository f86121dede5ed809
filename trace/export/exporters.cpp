// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/exporters.h"

#include "trace/export/csv_format.h"
#include "trace/export/dat_format.h"
#include "trace/export/event_lines.h"
#include "trace/export/json_format.h"
#include "trace/export/markdown_format.h"
#include "trace/export/text_format.h"

#include <algorithm>
#include <array>

namespace inversight {

std::span<const ExportFormat> exportFormats() {
    static constexpr std::array table{
        ExportFormat{"text", "for people: counts, threads, latency, inversions, waits, boosts",
                     "txt", &writeText},
        ExportFormat{"json", "for programs: the whole analysis (inversight.analyze/1)", "json",
                     &writeJson},
        ExportFormat{"csv", "for spreadsheets: one line per boost, wait or inversion", "csv",
                     &writeCsv},
        ExportFormat{"markdown", "for a mail or a report: the worst inversions in words, tables",
                     "md", &writeMarkdown},
    };
    return table;
}

std::span<const EventFormatRow> eventFormats() {
    static constexpr std::array table{
        EventFormatRow{"text", "every event as a line, in the form of trace-cmd report", "txt",
                       &writeEventLines},
        EventFormatRow{"trace.dat", "the recording itself, as version 6, which every tool reads",
                       "dat", &writeTraceDat6},
        EventFormatRow{"trace.dat-v7", "the recording itself, as version 7 packed with zstd", "dat",
                       &writeTraceDat7},
    };
    return table;
}

namespace {

template <class Row>
Result<const Row*> findByName(std::span<const Row> rows, std::string_view name,
                              std::string_view option) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    if (found != rows.end())
        return &*found;
    std::string known;
    for (const Row& row : rows)
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    return std::unexpected(Error{ErrorCode::NotFound,
                                 "there is no format named " + std::string(name),
                                 std::string(option), "use one of " + known});
}

} // namespace

Result<const ExportFormat*> findExportFormat(std::string_view name) {
    return findByName(exportFormats(), name, "--format");
}

Result<const EventFormatRow*> findEventFormat(std::string_view name) {
    return findByName(eventFormats(), name, "--to");
}

} // namespace inversight
