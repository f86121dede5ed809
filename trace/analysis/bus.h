// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"

namespace inversight {

/// One transfer on a bus, from markers.
struct BusTransfer {
    StringId bus;
    StringId operation;
    ThreadId thread;
    TimeRange range;
    bool endSeen = true;
};

struct Bus {
    static constexpr AnalysisId kId = AnalysisId::Bus;
    std::vector<BusTransfer> transfers; ///< by begin
    std::vector<std::vector<std::uint32_t>> byThread;
};

[[nodiscard]] Result<Bus> findBusTransfers(const TraceStore& store, const JobContext& job);

} // namespace inversight
