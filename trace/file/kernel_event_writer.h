// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/event/kernel_event.h"
#include "trace/file/ring_page_builder.h"
#include "trace/file/spool.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

struct KernelEventWriterOptions {
    int cpuCount = 1;
    std::string clock = "mono";  ///< of the events' times
    std::string systemName = {}; ///< like uname; empty = the file does not say
};

/// Writes KernelEvents as a trace.dat, version 6, that any ftrace tool reads as if a kernel had
/// recorded it. The same events give the same bytes. Goes through a Spool: until finish() the file
/// is FILE.partial, and memory use is bounded. Thread-bound.
///
///     auto writer = TRY(KernelEventWriter::create("run.dat", {.cpuCount = 2}));
///     writer->emit({.timeNs = 1000, .cpu = 1, .tid = 7, .body = PrintEvent{"hello"}});
///     TRY(writer->finish());
class KernelEventWriter final : public KernelEventSink {
public:
    [[nodiscard]] static Result<std::unique_ptr<KernelEventWriter>>
    create(const std::string& path, const KernelEventWriterOptions& options);

    /// The first failure (a CPU the file does not have, a time below 0 or before the CPU's last
    /// one, a full disk) ends the writing; finish() returns it.
    void emit(const KernelEvent& event) override;

    /// Says that `count` events of the CPU are missing before its next one.
    void lose(std::int32_t cpu, std::uint64_t count);

    /// Assembles the file. Once.
    [[nodiscard]] Result<void> finish();

private:
    KernelEventWriter(Spool spool, TraceMetadata metadata);

    /// One CPU's pages under construction.
    struct Cpu {
        RingPageBuilder builder;
        std::int64_t lastTime = 0;
        std::uint64_t eventCount = 0;
        std::uint64_t lostCount = 0;
    };
    [[nodiscard]] Result<void> add(const KernelEvent& event);
    [[nodiscard]] Result<void> spoolPages(std::size_t cpu, std::size_t atLeast);
    [[nodiscard]] Result<void> assemble();
    void learnNames(const KernelEventBody& body);
    void learnName(std::int32_t tid, const std::string& comm);

    Spool spool_;
    TraceMetadata metadata_;
    std::vector<Cpu> cpus_;
    std::map<std::int32_t, std::string> names_;
    std::optional<Error> error_;
};

} // namespace inversight
