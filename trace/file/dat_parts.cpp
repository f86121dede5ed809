// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_parts.h"

#include "trace/file/dat_options.h"

#include <algorithm>
#include <vector>

namespace inversight {

namespace {

void appendHeaders(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.terminated("header_page");
    bytes.sized<std::uint64_t>(metadata.headerPage);
    bytes.terminated("header_event");
    bytes.sized<std::uint64_t>(metadata.headerEvent);
}

void appendFormats(FileBytes& bytes, const std::vector<std::string>& formats) {
    bytes.number(static_cast<std::uint32_t>(formats.size()));
    for (const std::string& format : formats)
        bytes.sized<std::uint64_t>(format);
}

void appendFtraceFormats(FileBytes& bytes, const TraceMetadata& metadata) {
    appendFormats(bytes, metadata.ftraceFormats);
}

void appendEventFormats(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.number(static_cast<std::uint32_t>(metadata.systems.size()));
    for (const EventSystemFormats& system : metadata.systems) {
        bytes.terminated(system.system);
        appendFormats(bytes, system.formats);
    }
}

void appendKallsyms(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.sized<std::uint32_t>(metadata.kallsyms);
}

void appendPrintkFormats(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.sized<std::uint32_t>(metadata.printkFormats);
}

void appendSavedCmdlines(FileBytes& bytes, const TraceMetadata& metadata) {
    bytes.sized<std::uint64_t>(metadata.savedCmdlines);
}

constexpr DatPart kParts[] = {
    {kOptionHeaderInfo, &appendHeaders},        {kOptionFtraceEvents, &appendFtraceFormats},
    {kOptionEventFormats, &appendEventFormats}, {kOptionKallsyms, &appendKallsyms},
    {kOptionPrintk, &appendPrintkFormats},      {kOptionCmdlines, &appendSavedCmdlines},
};

/// Option texts end with a zero byte, which counts.
std::string optionText(std::string_view text) {
    return std::string(text) + '\0';
}

} // namespace

void appendDatHead(FileBytes& bytes, int version, const TraceMetadata& metadata) {
    bytes.text("\x17\x08\x44tracing");
    bytes.terminated(std::to_string(version));
    bytes.number(static_cast<std::uint8_t>(metadata.bigEndian));
    bytes.number(metadata.longSize);
    bytes.number(metadata.pageSize);
}

std::span<const DatPart> datParts() {
    return kParts;
}

void appendPlainOptions(FileBytes& bytes, const TraceMetadata& metadata) {
    if (!metadata.traceClock.empty())
        bytes.option(kOptionTraceClock, optionText(metadata.traceClock));
    if (!metadata.systemName.empty())
        bytes.option(kOptionUname, optionText(metadata.systemName));
    for (std::size_t cpu = 0; cpu < metadata.cpuStats.size(); ++cpu)
        bytes.option(kOptionCpuStat,
                     optionText("CPU: " + std::to_string(cpu) + "\n" + metadata.cpuStats[cpu]));
    for (const DatOptionText& option : metadata.options)
        bytes.option(option.id, option.content);
}

} // namespace inversight
