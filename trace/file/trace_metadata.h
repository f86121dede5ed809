// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// One event system and the format texts of its events, as tracefs has them.
struct EventSystemFormats {
    std::string system;
    std::vector<std::string> formats;
};

/// An option as it stands in a file, without its number and its size.
struct DatOptionText {
    std::uint16_t id = 0;
    std::string content = {};
};

/// Everything a trace.dat holds besides the pages: texts straight from tracefs, so that a writer
/// needs no tracefs and a reader no kernel. Source of the layout: trace-cmd.dat.v6(5).
struct TraceMetadata {
    bool bigEndian = false;
    std::uint8_t longSize = 8;
    std::uint32_t pageSize = 4096;
    std::string headerPage;                 ///< events/header_page
    std::string headerEvent;                ///< events/header_event
    std::vector<std::string> ftraceFormats; ///< events/ftrace/*/format
    std::vector<EventSystemFormats> systems;
    std::string kallsyms;
    std::string printkFormats;
    std::string savedCmdlines;          ///< "pid comm\n" lines
    std::string traceClock;             ///< the trace_clock file: "local [mono]"
    std::string systemName;             ///< uname option
    std::vector<std::string> cpuStats;  ///< per CPU: the stats file's text
    std::vector<DatOptionText> options; ///< further ones, byte by byte (dates, a trace's id, ...)
    int cpuCount = 0;
};

} // namespace inversight
