// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/lock_events.h"

namespace inversight {

/// Why a thread is believed to own a lock, best first (docs/architecture.md; DOMAIN 4).
enum class OwnerEvidence : std::uint8_t { Marker, PiSetprio, FutexHistory, Waker, ContentionEnd };
[[nodiscard]] const char* ownerEvidenceName(OwnerEvidence evidence);

struct LockHold {
    LockId lock;
    ThreadId thread;
    TimeRange range;
    OwnerEvidence evidence = OwnerEvidence::Marker;
    Confidence confidence = Confidence::Certain;
    bool endSeen = true;
};

/// Who held which lock when, as far as the trace shows it.
struct Ownership {
    static constexpr AnalysisId kId = AnalysisId::Ownership;
    std::vector<LockHold> holds;                    ///< by begin
    std::vector<std::vector<std::uint32_t>> byLock; ///< indices into holds, by LockId
    std::vector<std::vector<std::uint32_t>> byThread;

    /// The hold of `lock` that covers `time` (best evidence first), or null.
    [[nodiscard]] const LockHold* at(LockId lock, std::int64_t time) const;
};

[[nodiscard]] Result<Ownership> findOwnership(const TraceStore& store, const LockEvents& events,
                                              const JobContext& job);

} // namespace inversight
