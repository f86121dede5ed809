// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "trace/file/trace_metadata.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace inversight {

/// A recording under way: `FILE.partial` holds complete version 6 metadata, `FILE.partial.cpuN` the
/// raw ring-buffer pages of CPU N. Until finish() succeeds the spool is what is on disk, and
/// `trace-cmd restore -i FILE.partial -o OUT FILE.partial.cpu0 ...` makes a trace.dat of it; after
/// it, FILE is whole and the spool is gone. A destroyed, unfinished spool stays on disk: nothing
/// that was recorded is lost. Thread-bound, but for appendPages, which may be called for different
/// CPUs at the same time.
class Spool {
public:
    /// Writes the metadata. Refuses (Busy) when FILE.partial exists: it is somebody's recording.
    [[nodiscard]] static Result<Spool> create(const std::string& path,
                                              const TraceMetadata& metadata);

    /// Appends raw pages (a multiple of the page size) of a CPU.
    [[nodiscard]] Result<void> appendPages(int cpu, std::span<const std::byte> pages);
    /// For splice: the CPU's file, open for appending.
    [[nodiscard]] int cpuFd(int cpu) const {
        return cpuFiles_[static_cast<std::size_t>(cpu)].get();
    }

    /// Assembles FILE with the final metadata (saved command lines and statistics are only known
    /// at the end), fsyncs, renames it into place and removes the spool.
    [[nodiscard]] Result<void> finish(const TraceMetadata& metadata);

    /// Removes the spool's files: for a recording that never began.
    void discard();

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string partialPath() const { return path_ + ".partial"; }

private:
    Result<void> createFiles(int headFd, const TraceMetadata& metadata);
    Result<void> assemble(const std::string& whole, const TraceMetadata& metadata) const;
    void dropTornPage(int fd) const;

    std::string path_;
    std::uint32_t pageSize_ = 4096;
    std::vector<UniqueFd> cpuFiles_;
};

} // namespace inversight
