// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/exporters.h"

#include "trace/export/csv_format.h"
#include "trace/export/json_format.h"
#include "trace/export/text_format.h"

#include <algorithm>
#include <array>

namespace inversight {

std::span<const ExportFormat> exportFormats() {
    static constexpr std::array table{
        ExportFormat{"text", "for people: counts, threads, latency, every boost", "txt",
                     &writeText},
        ExportFormat{"json", "for programs: the whole analysis (inversight.analyze/1)", "json",
                     &writeJson},
        ExportFormat{"csv", "for spreadsheets: one line per boost", "csv", &writeCsv},
    };
    return table;
}

Result<const ExportFormat*> findExportFormat(std::string_view name) {
    const auto formats = exportFormats();
    const auto found = std::ranges::find(formats, name, &ExportFormat::name);
    if (found != formats.end())
        return &*found;
    std::string known;
    for (const ExportFormat& format : formats)
        known += (known.empty() ? "" : ", ") + std::string(format.name);
    return std::unexpected(Error{ErrorCode::NotFound,
                                 "there is no format named " + std::string(name), "--format",
                                 "use one of " + known});
}

} // namespace inversight
