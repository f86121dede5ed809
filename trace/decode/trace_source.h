// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/event/run_manifest.h"
#include "trace/file/record_store.h"
#include "trace/model/event_sink.h"
#include "trace/model/trace_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

struct DatFile;

/// What a file says about itself.
struct SourceInfo {
    std::string path;
    std::string format;      ///< "trace.dat", "ftrace text", "trace-cmd report", ...
    int version = 0;         ///< 6; 0 for a text
    std::string compression; ///< "none"
    bool bigEndian = false;
    int longSize = 8;
    std::uint32_t pageSize = 4096;
    int cpuCount = 0;
    std::string systemName; ///< uname of the recording machine, if the file says
    std::vector<StreamInfo> streams;
};

struct LoadReport {
    bool complete = true; ///< false: a part could not be read (warnings say which)
    std::vector<std::string> warnings;
    std::optional<RunManifest> manifest; ///< when the trace is one of our runs

    /// The run's manifest, if all its parts were found; a warning if they do not make one.
    void takeManifest(const ManifestAssembler& parts);
};

/// Anything that yields events; nothing above knows which kind it is. Thread-bound but for text().
class TraceSource {
public:
    virtual ~TraceSource() = default;
    [[nodiscard]] virtual const SourceInfo& info() const = 0;
    /// Ids in the order of info().streams.
    [[nodiscard]] virtual std::vector<StreamId> streams() const = 0;
    /// Delivers one stream. CPUs are decoded in parallel, each into its own CpuEventSink.
    [[nodiscard]] virtual Result<LoadReport> load(StreamId stream, EventSink& sink,
                                                  const JobContext& job) = 0;

    /// What an event says, as the kernel would print it behind "name: ", without a newline at its
    /// end; lines inside it stay. `record` is from an event this source delivered. Reentrant, also
    /// while and after load().
    [[nodiscard]] virtual Result<std::string> text(RecordRef record) const = 0;
    /// The same appended to `out`: for many events, without an allocation each.
    [[nodiscard]] virtual Result<void> appendText(RecordRef record, std::string& out) const {
        out += TRY(text(record));
        return {};
    }

    /// The file as it was recorded, for whoever copies pages; null where there are none (a text).
    [[nodiscard]] virtual const DatFile* pages() const { return nullptr; }
};

/// Opens a file by its content, not its name; one that is compressed as a whole (gzip, zstd, xz) is
/// unpacked first. The error says what was looked for. Cancelled when the job was stopped.
[[nodiscard]] Result<std::unique_ptr<TraceSource>> openTraceSource(const std::string& path,
                                                                   const JobContext& job = {});
/// The same of a file that is open already, or of bytes in memory.
[[nodiscard]] Result<std::unique_ptr<TraceSource>>
openTraceSource(std::shared_ptr<const RecordStore> records, const JobContext& job = {});

/// A trace in memory: everything the layers above need.
struct LoadedTrace {
    SourceInfo info;
    LoadReport report;
    std::shared_ptr<const TraceStore> store;
    /// Where the events came from, for their text (null for a trace made in memory).
    std::shared_ptr<const TraceSource> source = nullptr;
};

/// Opens a file and loads every stream that shares the first one's clock domain; a stream left out
/// is a warning.
[[nodiscard]] Result<LoadedTrace> loadTrace(const std::string& path, const JobContext& job);

} // namespace inversight
