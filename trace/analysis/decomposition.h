// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/helper_waits.h"
#include "trace/analysis/lock_waits.h"
#include "trace/analysis/ownership.h"
#include "trace/analysis/priorities.h"
#include "trace/analysis/sched_runs.h"
#include "trace/analysis/thread_states.h"
#include "trace/analysis/wait_parts.h"

#include <span>

namespace inversight {

/// A wait that somebody else was the cause of.
struct DecomposedWait {
    ThreadId thread;
    LockId lock; ///< none(): a helper
    TimeRange range;
    std::uint32_t firstSegment = 0; ///< its segments end where the next wait's begin
    std::uint32_t source = 0;       ///< index into LockWaits or HelperWaits
    WaitOn on = WaitOn::Lock;
};

/// How much of a wait was whose hold.
struct HoldShare {
    ThreadId owner; ///< none() = nobody's, or not known
    HoldKind kind = HoldKind::None;
    std::int64_t ns = 0;
    bool operator==(const HoldShare&) const = default;
};

/// Every instant of every wait in exactly one class, with who is responsible for it (DOMAIN 4), and
/// the same time by whose hold it was. Both sum to the wait, always.
///
/// A wait of a lock that nobody else held meanwhile has no row: all of it is Handoff, the thread's
/// own way to a free lock. Where nobody knows whether it was free it has one, and is Unknown.
struct Decomposition {
    static constexpr AnalysisId kId = AnalysisId::Decomposition;
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::vector<DecomposedWait> waits;       ///< lock waits by begin, then helper waits by begin
    std::vector<WaitSegment> segments;       ///< without gap or overlap inside a wait
    std::vector<std::uint32_t> ofLockWait;   ///< row of a lock wait, or kNone
    std::vector<std::uint32_t> ofHelperWait; ///< row of a helper wait

    [[nodiscard]] std::span<const WaitSegment> segmentsOf(std::size_t wait) const {
        const std::size_t end =
            wait + 1 < waits.size() ? waits[wait + 1].firstSegment : segments.size();
        return std::span(segments).subspan(waits[wait].firstSegment,
                                           end - waits[wait].firstSegment);
    }
    /// Where segment `index` of `wait` ends.
    [[nodiscard]] std::int64_t endOf(std::size_t wait, std::size_t index) const {
        const auto all = segmentsOf(wait);
        return index + 1 < all.size() ? all[index + 1].begin : waits[wait].range.end;
    }
    [[nodiscard]] PartTotals parts(std::size_t wait) const;
    /// The parts of any lock wait, decomposed or not.
    [[nodiscard]] PartTotals partsOfLockWait(const LockWaits& lockWaits, std::size_t index) const;
    /// In order of their first appearance, each owner and kind once.
    [[nodiscard]] std::vector<HoldShare> holds(std::size_t wait) const;
};

[[nodiscard]] Result<Decomposition>
decomposeWaits(const TraceStore& store, const SchedRuns& runs, const Priorities& priorities,
               const LockEvents& events, const Ownership& ownership, const LockWaits& lockWaits,
               const HelperWaits& helperWaits, const ThreadStates& states, const Bus& bus,
               const JobContext& job);

} // namespace inversight
