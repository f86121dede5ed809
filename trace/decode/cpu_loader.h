// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/decode/cpu_decoder.h"
#include "trace/file/dat_file.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// One CPU of one buffer on its way through a decoder.
struct CpuTask {
    const CpuPages* pages = nullptr;
    const PageLayout* layout = nullptr;
    CpuTime time;
    CpuEventSink* sink = nullptr;
};

struct CpuOutcome {
    CpuFindings findings;
    std::vector<std::string> warnings; ///< pages that could not be read
};

/// Reads the pages of all tasks, as many at a time as the machine has CPUs. Outcomes are in the
/// order of the tasks. Cancelled when the job was stopped.
[[nodiscard]] Result<std::vector<CpuOutcome>>
loadCpus(const DatFile& file, const EventCatalog& catalog, std::span<const EventTypeId> typeIds,
         std::span<const CpuTask> tasks, const JobContext& job);

} // namespace inversight
