// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/metadata_reader.h"

#include "core/base/unique_fd.h"
#include "trace/file/page_layout.h"
#include "trace/record/kernel_symbols.h"

#include <bit>
#include <sys/utsname.h>
#include <unistd.h>

namespace inversight {

namespace {

std::string systemName() {
    utsname name{};
    if (::uname(&name) != 0)
        return {};
    return std::string(name.sysname) + " " + name.nodename + " " + name.release + " " +
           name.machine;
}

Result<void> readFormats(const Tracefs& tracefs, const EventSelection& events,
                         TraceMetadata& metadata) {
    for (const std::string& event : tracefs.events("ftrace"))
        metadata.ftraceFormats.push_back(TRY(tracefs.eventFormat("ftrace", event)));
    for (const auto& [system, names] : events.systems) {
        EventSystemFormats formats{system, {}};
        for (const std::string& name : names)
            formats.formats.push_back(TRY(tracefs.eventFormat(system, name)));
        metadata.systems.push_back(std::move(formats));
    }
    return {};
}

} // namespace

Result<TraceMetadata> readMetadata(const Tracefs& tracefs, const TraceInstance& instance,
                                   const EventSelection& events, int cpuCount) {
    TraceMetadata metadata;
    metadata.bigEndian = kHostByteOrder == ByteOrder::Big;
    metadata.longSize = sizeof(long);
    metadata.headerPage = TRY(tracefs.read("events/header_page"));
    metadata.headerEvent = TRY(tracefs.read("events/header_event"));
    const auto machinePage = static_cast<std::uint32_t>(::sysconf(_SC_PAGESIZE));
    metadata.pageSize =
        TRY(PageLayout::parse(metadata.headerPage, kHostByteOrder, machinePage)).pageSize;
    TRY(readFormats(tracefs, events, metadata));
    // Nice to have: hidden symbols and a kernel without trace_printk are no reason to fail.
    metadata.kallsyms = markerSymbols(readFile("/proc/kallsyms").value_or(""));
    metadata.printkFormats = tracefs.read("printk_formats").value_or("");
    metadata.traceClock = TRY(instance.read("trace_clock"));
    metadata.systemName = systemName();
    metadata.cpuCount = cpuCount;
    TRY(refreshMetadata(tracefs, instance, metadata));
    return metadata;
}

Result<void> refreshMetadata(const Tracefs& tracefs, const TraceInstance& instance,
                             TraceMetadata& metadata) {
    // Events carry names too; without this list only some threads stay nameless.
    metadata.savedCmdlines = tracefs.read("saved_cmdlines").value_or("");
    metadata.cpuStats.assign(static_cast<std::size_t>(metadata.cpuCount), "");
    for (const int cpu : TRY(instance.cpus()))
        metadata.cpuStats[static_cast<std::size_t>(cpu)] =
            TRY(instance.read("per_cpu/cpu" + std::to_string(cpu) + "/stats"));
    return {};
}

} // namespace inversight
