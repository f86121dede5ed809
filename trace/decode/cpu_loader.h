// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/decode/cpu_decoder.h"
#include "trace/file/dat_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inversight {

/// One CPU of one buffer on its way through a decoder.
struct CpuTask {
    const CpuPages* pages = nullptr;
    const PageLayout* layout = nullptr;
    CpuTime time;
};

/// What reading one CPU, or a part of it, brought to light besides its events.
struct CpuOutcome {
    CpuFindings findings;
    std::vector<std::string> warnings; ///< pages that could not be read: the first of many
    std::uint64_t damagedCount = 0;
};

/// Reads the pages of all tasks into `sink`, on as many threads as the machine has processors.
///
/// Where the sink takes parts, some batches of the CPU that is behind are decoded at a time, and
/// what no CPU can precede any more is settled, so that memory does not grow with the file. Else
/// every CPU is one stretch. Outcomes come per CPU or part of one, in no order to rely on.
/// Cancelled when the job was stopped.
[[nodiscard]] Result<std::vector<CpuOutcome>>
loadCpus(const DatFile& file, const EventCatalog& catalog, std::span<const EventTypeId> typeIds,
         std::span<const CpuTask> tasks, StreamId stream, EventSink& sink, const JobContext& job);

} // namespace inversight
