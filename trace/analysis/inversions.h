// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"
#include "trace/analysis/boosts.h"
#include "trace/analysis/decomposition.h"

namespace inversight {

/// Bits of Inversion::kinds.
enum class InversionKind : std::uint8_t {
    Bounded = 1,        ///< critical sections and wire time of lower threads only
    Unbounded = 2,      ///< also threads that hold nothing in the chain ran: mid + peer > 0
    Chained = 4,        ///< the owner was itself blocked on another lock
    PushThrough = 8,    ///< a middle thread was delayed by a boosted low one
    ThroughHelper = 16, ///< the wait was for a helper thread
    Nominal = 32,       ///< among fair threads: their priorities decide about no lock
};
[[nodiscard]] const char* inversionKindName(InversionKind kind); ///< "push_through", ...
inline constexpr InversionKind kInversionKinds[] = {
    InversionKind::Bounded,     InversionKind::Unbounded,     InversionKind::Chained,
    InversionKind::PushThrough, InversionKind::ThroughHelper, InversionKind::Nominal,
};

/// How long one thread ran in the place of an owner.
struct MidShare {
    ThreadId by;
    std::int64_t ns = 0;
    bool operator==(const MidShare&) const = default;
};

/// A thread was kept waiting by one of lower base priority (Sha, Rajkumar, Lehoczky 1990).
struct Inversion {
    ThreadId victim;
    LockId lock;    ///< none(): a helper, or not known
    ThreadId owner; ///< of the lock at the request, the helper, or the boosted thread
    TimeRange range;
    std::int64_t invertedNs = 0;                ///< of it, because of lower threads
    std::int64_t midNs = 0;                     ///< mid and peer time
    std::vector<MidShare> midBy;                ///< longest first
    std::uint32_t wait = Decomposition::kNone;  ///< row in Decomposition; kNone: push-through
    std::uint32_t boost = Decomposition::kNone; ///< the first boost the wait caused, in Boosts
    std::int64_t violationNs = 0; ///< of midNs, after that boost: inheritance did not hold
    std::uint8_t kinds = 0;
    Confidence confidence = Confidence::Unknown;

    [[nodiscard]] bool is(InversionKind kind) const {
        return (kinds & static_cast<std::uint8_t>(kind)) != 0;
    }
};

/// Every inversion: unbounded ones first, the longest mid time first; nominal ones last.
struct Inversions {
    static constexpr AnalysisId kId = AnalysisId::Inversions;
    std::vector<Inversion> inversions;
};

[[nodiscard]] Result<Inversions>
findInversions(const TraceStore& store, const SchedRuns& runs, const Priorities& priorities,
               const LockWaits& lockWaits, const HelperWaits& helperWaits, const Boosts& boosts,
               const ThreadStates& states, const Decomposition& decomposition,
               const JobContext& job);

} // namespace inversight
