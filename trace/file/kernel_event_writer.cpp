// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/kernel_event_writer.h"

#include "trace/file/kernel_event_encoder.h"
#include "trace/file/kernel_event_formats.h"

#include <algorithm>
#include <cassert>

namespace inversight {

namespace {

constexpr std::size_t kSpoolBytes = 64 * RingPageBuilder::kPageSize;

Error badEvent(const KernelEvent& event, std::string what) {
    return {ErrorCode::InvalidArgument, std::move(what),
            "event of CPU " + std::to_string(event.cpu) + " at " + std::to_string(event.timeNs) +
                " ns"};
}

} // namespace

Result<std::unique_ptr<KernelEventWriter>>
KernelEventWriter::create(const std::string& path, const KernelEventWriterOptions& options) {
    if (options.cpuCount < 1)
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "a trace needs at least one CPU", path});
    TraceMetadata metadata = kernelEventMetadata();
    metadata.cpuCount = options.cpuCount;
    metadata.traceClock = "[" + options.clock + "]";
    metadata.systemName = options.systemName;
    Spool spool = TRY(Spool::create(path, metadata));
    return std::unique_ptr<KernelEventWriter>(
        new KernelEventWriter(std::move(spool), std::move(metadata)));
}

KernelEventWriter::KernelEventWriter(Spool spool, TraceMetadata metadata)
    : spool_(std::move(spool)), metadata_(std::move(metadata)),
      cpus_(static_cast<std::size_t>(metadata_.cpuCount)) {}

void KernelEventWriter::emit(const KernelEvent& event) {
    if (error_)
        return;
    if (auto added = add(event); !added)
        error_ = std::move(added).error();
}

Result<void> KernelEventWriter::add(const KernelEvent& event) {
    if (event.cpu < 0 || event.cpu >= metadata_.cpuCount)
        return std::unexpected(
            badEvent(event, "the trace has only " + std::to_string(metadata_.cpuCount) + " CPUs"));
    const auto index = static_cast<std::size_t>(event.cpu);
    Cpu& cpu = cpus_[index];
    if (event.timeNs < cpu.lastTime)
        return std::unexpected(badEvent(event, "the time goes backwards from " +
                                                   std::to_string(cpu.lastTime) + " ns"));
    cpu.builder.add(static_cast<std::uint64_t>(event.timeNs), encodeKernelEvent(event));
    cpu.lastTime = event.timeNs;
    ++cpu.eventCount;
    learnNames(event.body);
    return spoolPages(index, kSpoolBytes);
}

void KernelEventWriter::lose(std::int32_t cpu, std::uint64_t count) {
    assert(cpu >= 0 && cpu < metadata_.cpuCount);
    if (count == 0)
        return;
    Cpu& state = cpus_[static_cast<std::size_t>(cpu)];
    state.builder.lose(count);
    state.lostCount += count;
}

Result<void> KernelEventWriter::spoolPages(std::size_t cpu, std::size_t atLeast) {
    RingPageBuilder& builder = cpus_[cpu].builder;
    if (builder.pages().size() < atLeast)
        return {};
    TRY(spool_.appendPages(static_cast<int>(cpu), builder.pages()));
    builder.dropPages();
    return {};
}

Result<void> KernelEventWriter::finish() {
    if (!error_)
        if (auto assembled = assemble(); !assembled)
            error_ = std::move(assembled).error();
    if (error_)
        return std::unexpected(*error_);
    return {};
}

Result<void> KernelEventWriter::assemble() {
    metadata_.cpuStats.clear();
    for (std::size_t index = 0; index < cpus_.size(); ++index) {
        Cpu& cpu = cpus_[index];
        cpu.builder.flush();
        TRY(spoolPages(index, 0));
        metadata_.cpuStats.push_back("entries: 0\noverrun: " + std::to_string(cpu.lostCount) +
                                     "\ncommit overrun: 0\ndropped events: 0\nread events: " +
                                     std::to_string(cpu.eventCount) + "\n");
    }
    metadata_.savedCmdlines.clear();
    for (const auto& [tid, name] : names_)
        metadata_.savedCmdlines += std::to_string(tid) + " " + name + "\n";
    return spool_.finish(metadata_);
}

void KernelEventWriter::learnNames(const KernelEventBody& body) {
    if (const auto* event = std::get_if<SchedSwitchEvent>(&body)) {
        learnName(event->prevTid, event->prevComm);
        learnName(event->nextTid, event->nextComm);
    } else if (const auto* event = std::get_if<SchedWakeEvent>(&body)) {
        learnName(event->tid, event->comm);
    } else if (const auto* event = std::get_if<SchedForkEvent>(&body)) {
        learnName(event->parentTid, event->parentComm);
        learnName(event->childTid, event->childComm);
    } else if (const auto* event = std::get_if<SchedExitEvent>(&body)) {
        learnName(event->tid, event->comm);
    } else if (const auto* event = std::get_if<SchedMigrateEvent>(&body)) {
        learnName(event->tid, event->comm);
    } else if (const auto* event = std::get_if<SchedPiSetprioEvent>(&body)) {
        learnName(event->tid, event->comm);
    }
}

void KernelEventWriter::learnName(std::int32_t tid, const std::string& comm) {
    if (tid == 0 || comm.empty()) // idle is not in the kernel's list either
        return;
    std::string name = comm.substr(0, 15);
    std::replace(name.begin(), name.end(), '\n', ' '); // a line per name
    auto [position, isNew] = names_.try_emplace(tid);
    if (isNew || position->second != name)
        position->second = std::move(name);
}

} // namespace inversight
