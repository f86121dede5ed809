// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/decode/trace_source.h"
#include "trace/file/record_store.h"

#include <memory>
#include <span>
#include <string_view>

namespace inversight {

/// A kind of file openTraceSource() can open. Adding one is a pair of files and a row of the table.
struct SourceFormat {
    std::string_view name;      ///< "trace.dat"
    std::string_view lookedFor; ///< what its files are known by, for the error of one that is not
    bool (*looksLike)(std::span<const std::byte> bytes);
    Result<std::unique_ptr<TraceSource>> (*create)(std::shared_ptr<const RecordStore> records,
                                                   const JobContext& job);
};

/// All formats; the first that a file looks like is taken.
[[nodiscard]] std::span<const SourceFormat> sourceFormats();

} // namespace inversight
