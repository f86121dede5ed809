// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/export/analyzed_trace.h"

#include <iosfwd>
#include <span>
#include <string_view>

namespace inversight {

/// A format an analyzed trace can be written in: a row of exporters.cpp.
struct ExportFormat {
    std::string_view name;      ///< "json", as --format takes it
    std::string_view text;      ///< one line for `list formats`
    std::string_view extension; ///< "json", without the dot
    /// Io when the stream fails.
    Result<void> (*write)(const AnalyzedTrace&, std::ostream&);
};

/// The table.
[[nodiscard]] std::span<const ExportFormat> exportFormats();

/// NotFound names the formats there are.
[[nodiscard]] Result<const ExportFormat*> findExportFormat(std::string_view name);

/// A format the events themselves can be written in, without any analysis: what `export --to`
/// takes.
struct EventFormatRow {
    std::string_view name;      ///< "text"
    std::string_view text;      ///< one line for `list formats`
    std::string_view extension; ///< "txt", without the dot
    /// Streams; Cancelled, or Io when the stream fails.
    Result<void> (*write)(const LoadedTrace&, const JobContext&, std::ostream&);
};

/// The table.
[[nodiscard]] std::span<const EventFormatRow> eventFormats();

/// NotFound names the formats there are.
[[nodiscard]] Result<const EventFormatRow*> findEventFormat(std::string_view name);

} // namespace inversight
