// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/event/marker.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inversight {

struct RecorderOptions {
    std::string output;              ///< the .dat to write
    std::vector<std::string> events; ///< "system:name" or "system"; empty = defaultEvents()
    std::uint32_t bufferKibPerCpu = 8192;
    std::vector<int> recorderCpus; ///< where reader threads may run; empty = anywhere
    std::string clock = "mono";
};

/// sched, lock:contention, futex syscalls and what else a wait needs to be explained.
/// (ftrace/print, the markers, is always recorded.)
[[nodiscard]] std::vector<std::string> defaultEvents();

struct RecorderStatus {
    std::uint64_t bytes = 0;      ///< spooled so far
    std::uint64_t eventCount = 0; ///< read + in the ring, by the kernel's statistics
    std::uint64_t lostCount = 0;  ///< overruns and drops of all CPUs
};

struct CpuRecording {
    int cpu = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lostCount = 0;
};

struct RecordingSummary {
    std::string path;
    std::vector<CpuRecording> cpus;
    std::uint64_t lostCount = 0;
    std::uint64_t lostMarkerCount = 0;
    std::vector<std::string> warnings; ///< events this kernel does not have, ...
};

/// Records kernel events of the whole machine in a private tracefs instance
/// (`inversight-PID-STARTTIME`) into a Spool, through libtracefs. Global tracing settings are never
/// touched. Whatever happens, the destructor stops reading and removes the instance; pages read so
/// far stay in the spool. Thread-bound, but for markers() and status(), which are thread-safe.
class Recorder {
public:
    /// Needs tracefs mounted and writable (PermissionDenied or NotFound say what to do). Instances
    /// left by dead inversight processes are removed first.
    [[nodiscard]] static Result<std::unique_ptr<Recorder>> start(const RecorderOptions& options);
    virtual ~Recorder() = default;

    /// Writes into the instance's trace_marker.
    [[nodiscard]] virtual MarkerSink& markers() = 0;
    [[nodiscard]] virtual RecorderStatus status() const = 0;
    [[nodiscard]] virtual const std::string& instanceName() const = 0;
    /// Stops tracing, reads what is left, assembles the file, removes the instance.
    [[nodiscard]] virtual Result<RecordingSummary> stop() = 0;
};

} // namespace inversight
