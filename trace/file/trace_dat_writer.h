// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/file/compression.h"
#include "trace/file/trace_metadata.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

/// The writing side of the container, both versions. Spool and KernelEventWriter lay out version 6
/// files with it; DatRewriter writes either from a file that was read.
namespace inversight {

/// Where the pages of one CPU lie in a trace.dat, in bytes.
struct CpuExtent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// A version 6 trace.dat without its pages: everything before them, and where each CPU's pages go.
/// Offsets are multiples of the page size; the gaps are holes or zeros.
struct TraceDatLayout {
    std::string head;
    std::vector<CpuExtent> cpus; ///< buffer by buffer, a row for each of the file's CPUs
};

/// Lays out a version 6 file of one buffer whose CPU i has `cpuBytes[i]` bytes of pages. With all
/// sizes zero, `head` alone is a valid file without events. The layout is that of
/// trace-cmd.dat.v6(5); the option numbers and the clock text behind the table of offsets are those
/// trace-cmd 3.1 writes. Reentrant.
[[nodiscard]] TraceDatLayout layoutTraceDat(const TraceMetadata& metadata,
                                            std::span<const std::uint64_t> cpuBytes);

/// Yields the next whole pages of a CPU, valid until the next call; nothing at their end.
using PageSupply = std::function<Result<std::span<const std::byte>>()>;

/// A ring buffer to be written. The top one, with the name "", comes first.
struct BufferToWrite {
    struct Cpu {
        int cpu = 0;
        std::uint64_t size = 0; ///< of all its pages, in bytes
        PageSupply pages = {};
    };
    std::string name = {};
    std::string clock = {}; ///< "mono"; "" = the one marked in the metadata's trace_clock
    std::uint32_t pageSize = 4096;
    std::vector<Cpu> cpus = {}; ///< those that recorded something, ascending
};

struct DatForm {
    int version = 6;                             ///< or 7
    Compression compression = Compression::None; ///< version 7 only
};

/// Writes a whole trace.dat. The same input gives the same bytes (compressed ones: with the same
/// zlib or zstd). The layouts are those of trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5).
///
/// Unsupported where version 6 cannot say it (a buffer with pages of its own size), or where `out`
/// is a pipe: version 7 is completed at its begin. Io when the stream fails; Cancelled. Memory use
/// is the metadata and one chunk. Reentrant.
[[nodiscard]] Result<void> writeTraceDat(const TraceMetadata& metadata,
                                         std::span<const BufferToWrite> buffers,
                                         const DatForm& form, const JobContext& job,
                                         std::ostream& out);

} // namespace inversight
