// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/lock_events.h"
#include "trace/analysis/ownership.h"

namespace inversight {

/// One [request, acquire) of one lock by one thread.
struct LockWait {
    LockId lock;
    ThreadId thread;
    TimeRange range;
    LockSource source = LockSource::Marker;
    bool acquired = true;   ///< false: given up
    bool endSeen = true;    ///< false: the trace ended first
    bool contended = false; ///< somebody else was known to hold it, or the kernel said it waits
    ThreadId owner;         ///< at the request; none() = unknown or nobody
    std::optional<OwnerEvidence> evidence;
    Confidence confidence = Confidence::Unknown;
};

/// Every wait for a lock. Where several sources saw the same wait (marker around a futex call),
/// the best one stands and the others are merged into it.
struct LockWaits {
    static constexpr AnalysisId kId = AnalysisId::LockWaits;
    std::vector<LockWait> waits; ///< by begin
    std::vector<std::vector<std::uint32_t>> byThread;
};

[[nodiscard]] Result<LockWaits> findLockWaits(const TraceStore& store, const LockEvents& events,
                                              const Ownership& ownership, const JobContext& job);

} // namespace inversight
