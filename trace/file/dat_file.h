// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/page_layout.h"
#include "trace/file/record_store.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A trace.dat as this room hands it on: which version it was no longer matters. dat_v6 reads the
/// container of version 6; another version is another file beside it that fills the same struct.
namespace inversight {

/// A text of events/SYSTEM/EVENT/format.
struct FormatText {
    std::string_view system;
    std::string_view text;
};

/// The pages of one CPU inside the file.
struct CpuPages {
    int cpu = 0;
    std::uint64_t offset = 0;
    std::uint64_t declaredSize = 0;
    std::uint64_t size = 0; ///< whole pages that are there, in bytes; all lie inside the file
};

/// One ring buffer: the top one (name "") or an instance.
struct DatBuffer {
    std::string name;
    std::string clock;          ///< the name marked in trace_clock; "" = the file does not say
    std::vector<CpuPages> cpus; ///< those that recorded something, ascending
};

/// How recorded times become the times to show: first, where a TSC calibration was saved,
/// (time * multiplier) >> shift; then the offset of --date and --ts-offset is added.
struct TimeCorrection {
    std::int64_t offset = 0;
    std::uint32_t multiplier = 0; ///< 0: no calibration
    std::uint32_t shift = 0;

    [[nodiscard]] std::int64_t apply(std::uint64_t time) const {
        __extension__ typedef unsigned __int128 Wide;
        if (multiplier != 0)
            time = static_cast<std::uint64_t>((Wide{time} * multiplier) >> shift);
        return static_cast<std::int64_t>(time + static_cast<std::uint64_t>(offset));
    }
};

/// What a trace.dat holds. All views point into `records`. Reentrant once made.
struct DatFile {
    std::shared_ptr<const RecordStore> records;
    int version = 0;
    std::string compression = "none";
    ByteOrder order = ByteOrder::Little;
    int longSize = 8;
    PageLayout layout;
    int cpuCount = 0;
    std::vector<FormatText> formats;
    std::string_view kallsyms;
    std::string_view printkFormats;
    std::string_view savedCmdlines;
    std::vector<std::string_view> cpuStats;
    std::string systemName;    ///< uname
    std::string writerVersion; ///< of the tool that wrote the file
    TimeCorrection time;
    std::vector<DatBuffer> buffers; ///< the top buffer first
    std::string_view latencyText;   ///< of a file that holds a latency tracer's text, not pages
    bool complete = true;           ///< false: bytes are missing, `warnings` say which
    std::vector<std::string> warnings;
};

/// Whether a file's first bytes are those of a trace.dat.
[[nodiscard]] bool looksLikeDat(std::span<const std::byte> bytes);

/// Reads everything but the pages. Errors name the section, the offset and what was expected;
/// Unsupported names the version.
[[nodiscard]] Result<DatFile> readDat(std::shared_ptr<const RecordStore> records);

} // namespace inversight
