// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/priorities.h"

namespace inversight {

/// A change of a boosted thread's priority while the boost lasts.
struct BoostLevel {
    std::int64_t time = 0;
    std::int32_t prio = 0;
    ThreadId donor; ///< of this level; none() = not known, or the level is one down
    LockId lock;
};

/// A thread ran at another's priority from `range.begin` to `range.end`.
struct Boost {
    ThreadId target;
    std::int32_t fromPrio = 120; ///< base
    std::int32_t toPrio = 0;     ///< the highest priority reached (lowest number)
    TimeRange range;
    bool beginSeen = true; ///< false: only its end is in the trace
    bool endSeen = true;
    std::vector<BoostLevel> levels; ///< the first is the boost itself
    ThreadId donor;                 ///< whose wait caused `toPrio`; none() = not known
    LockId lock;                    ///< ... for which lock; none() = not known
    bool nominal = false;           ///< both priorities are fair ones: no scheduling effect
    Confidence confidence = Confidence::Unknown; ///< of donor and lock
};

/// Every priority boost that sched_pi_setprio shows.
struct Boosts {
    static constexpr AnalysisId kId = AnalysisId::Boosts;
    std::vector<Boost> boosts;                        ///< by begin
    std::vector<std::vector<std::uint32_t>> byTarget; ///< indices, by ThreadId
};

[[nodiscard]] Result<Boosts> findBoosts(const TraceStore& store, const Priorities& priorities,
                                        const LockEvents& events, const LockWaits& waits,
                                        const JobContext& job);

} // namespace inversight
