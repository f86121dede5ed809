// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/trace_metadata.h"

#include <cstdint>

/// The event formats of traces that no kernel wrote. Fields, offsets and print formats are those a
/// 6.x kernel on x86-64 states for the same events, so that every reader prints them as it would
/// print the kernel's own.
namespace inversight {

/// The common_type of each event: ours, but for ftrace/print, which is 5 in every kernel.
enum class KernelEventId : std::uint16_t {
    Print = 5,
    SchedPiSetprio = 101,
    SchedProcessFork = 102,
    SchedProcessExit = 103,
    SchedMigrateTask = 104,
    SchedSwitch = 105,
    SchedWakeupNew = 106,
    SchedWakeup = 107,
    SchedWaking = 108,
    ContentionEnd = 109,
    ContentionBegin = 110,
    FutexExit = 111,
    FutexEnter = 112,
};

/// Where ftrace/print records say they come from; the metadata's only kernel symbol is there.
inline constexpr std::uint64_t kMarkerAddress = 0xffffffff81000000;

/// The metadata of a trace made of KernelEvents, but for what only the writer knows (CPUs, clock,
/// command lines). 64-bit little endian, 4 KiB pages.
[[nodiscard]] TraceMetadata kernelEventMetadata();

} // namespace inversight
