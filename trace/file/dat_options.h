// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/dat_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What options mean, whichever version's container they stand in.
namespace inversight {

/// Option numbers of trace-cmd.dat.v6(5) and .v7(5); the sections of version 7 have the same ones.
/// Others (HOOK, PROCMAPS, TRACEID, GUEST, BTF, modules, ...) are skipped by their length.
enum DatOption : std::uint16_t {
    kOptionDone = 0,
    kOptionDate = 1,
    kOptionCpuStat = 2,
    kOptionBuffer = 3,
    kOptionTraceClock = 4,
    kOptionUname = 5,
    kOptionTimeOffset = 7,
    kOptionCpuCount = 8,
    kOptionVersion = 9,
    kOptionTimeShift = 12,
    kOptionTscCalibration = 14,
    kOptionHeaderInfo = 16,
    kOptionFtraceEvents = 17,
    kOptionEventFormats = 18,
    kOptionKallsyms = 19,
    kOptionPrintk = 20,
    kOptionCmdlines = 21,
    kOptionBufferText = 22,
};

// Far above what machines have, and low enough that hostile counts cost nothing.
inline constexpr std::uint32_t kMostCpus = 1 << 15;
inline constexpr std::size_t kMostBuffers = 4096;

[[nodiscard]] std::string_view withoutZeros(std::string_view text);

/// The name between brackets in "local [mono] boot", nothing if the text is no trace_clock.
[[nodiscard]] std::optional<std::string> markedClock(std::string_view text);
/// The same of a name that stands alone.
[[nodiscard]] std::optional<std::string> plausibleClock(std::string_view name);

/// Puts texts and time corrections where they belong in `file`; others are only kept as they are.
/// What is damaged is a warning.
void readPlainOption(DatFile& file, std::uint16_t id, std::string_view content);

} // namespace inversight
