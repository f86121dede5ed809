// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/trace_metadata.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The writing side of the version 6 container; Spool and KernelEventWriter share it.
namespace inversight {

/// Where the pages of one CPU lie in a trace.dat, in bytes.
struct CpuExtent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// A trace.dat without its pages: everything before them, and where each CPU's pages go. Offsets
/// are multiples of the page size; the gaps are holes or zeros.
struct TraceDatLayout {
    std::string head;
    std::vector<CpuExtent> cpus;
};

/// Lays out a version 6 file whose CPU i has `cpuBytes[i]` bytes of pages. With all sizes zero,
/// `head` alone is a valid file without events. The layout is that of trace-cmd.dat.v6(5); the
/// option numbers and the clock text behind the table of offsets are those trace-cmd 3.1 writes.
/// Reentrant.
[[nodiscard]] TraceDatLayout layoutTraceDat(const TraceMetadata& metadata,
                                            std::span<const std::uint64_t> cpuBytes);

} // namespace inversight
