// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/page_layout.h"
#include "trace/file/record_store.h"
#include "trace/file/time_correction.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A trace.dat as this room hands it on: which version it was no longer matters. dat_v6 and dat_v7
/// read the containers of the two versions and fill the same struct.
namespace inversight {

/// A text of events/SYSTEM/EVENT/format.
struct FormatText {
    std::string_view system;
    std::string_view text;
};

/// An option's content, byte by byte.
struct DatOptionBytes {
    std::uint16_t id = 0;
    std::string_view content;
};

/// The pages of one CPU. PageStream reads them.
struct CpuPages {
    int cpu = 0;
    std::uint64_t offset = 0;       ///< of the first page, as RecordStore::record() understands it
    std::uint64_t declaredSize = 0; ///< in the file
    std::uint64_t size = 0;         ///< whole pages that are there, in bytes, uncompressed
    std::shared_ptr<const ChunkTable> chunks; ///< null: plain pages, which all lie inside the file
};

/// One ring buffer: the top one (name "") or an instance.
struct DatBuffer {
    std::string name = {};
    std::string clock = {}; ///< the name marked in trace_clock; "" = the file does not say
    PageLayout layout = {};
    Compression compression = Compression::None;
    std::vector<CpuPages> cpus = {}; ///< those that recorded something, ascending
};

/// What a trace.dat holds. All views point into `records` or `unpacked`. Reentrant once made.
struct DatFile {
    std::shared_ptr<const RecordStore> records;
    std::vector<std::shared_ptr<const std::vector<std::byte>>> unpacked; ///< compressed sections
    int version = 0;
    std::string compression = "none";
    ByteOrder order = ByteOrder::Little;
    int longSize = 8;
    std::uint32_t pageSize = 4096; ///< of the machine
    std::string_view headerPage;
    std::string_view headerEvent;
    PageLayout layout; ///< as header_page has it; a buffer may have larger pages
    int cpuCount = 0;
    std::vector<FormatText> formats;
    std::string_view kallsyms;
    std::string_view printkFormats;
    std::string_view savedCmdlines;
    std::vector<std::string_view> cpuStats;
    std::string_view traceClock;         ///< the trace_clock file's text: "local [mono]"
    std::vector<DatOptionBytes> options; ///< those that only tell something, in their order
    std::string systemName;              ///< uname
    std::string writerVersion;           ///< of the tool that wrote the file
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
