// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/inversions.h"

#include "trace/analysis/priority_ranks.h"
#include "trace/analysis/push_through.h"

#include <algorithm>
#include <tuple>

namespace inversight {

const char* inversionKindName(InversionKind kind) {
    switch (kind) {
    case InversionKind::Bounded:
        return "bounded";
    case InversionKind::Unbounded:
        return "unbounded";
    case InversionKind::Chained:
        return "chained";
    case InversionKind::PushThrough:
        return "push_through";
    case InversionKind::ThroughHelper:
        return "through_helper";
    case InversionKind::Nominal:
        break;
    }
    return "nominal";
}

namespace {

constexpr std::uint8_t bit(InversionKind kind) {
    return static_cast<std::uint8_t>(kind);
}

void addShare(std::vector<MidShare>& shares, ThreadId by, std::int64_t ns) {
    const auto same = std::ranges::find(shares, by, &MidShare::by);
    if (same != shares.end())
        same->ns += ns;
    else
        shares.push_back({by, ns});
}

/// A boost as the donor sees it.
struct Donation {
    std::int64_t time = 0;
    LockId lock;
    std::uint32_t boost = 0;
};

class InversionFinder {
public:
    InversionFinder(const Priorities& priorities, const LockWaits& lockWaits,
                    const HelperWaits& helperWaits, const Boosts& boosts,
                    const Decomposition& decomposition)
        : priorities_(priorities), lockWaits_(lockWaits), helperWaits_(helperWaits),
          decomposition_(decomposition), donations_(boosts.byTarget.size()) {
        for (std::uint32_t i = 0; i < boosts.boosts.size(); ++i)
            for (const BoostLevel& level : boosts.boosts[i].levels)
                if (level.donor.valid())
                    donations_[level.donor.index()].push_back({level.time, level.lock, i});
        for (std::vector<Donation>& list : donations_)
            std::ranges::stable_sort(list, {}, &Donation::time);
    }

    /// The inversion in a wait, if there is one.
    std::optional<Inversion> judge(std::uint32_t row) const;

private:
    std::optional<std::int32_t> baseOf(ThreadId thread, std::int64_t time) const {
        return thread.valid() ? priorities_.baseAt(thread, time) : std::nullopt;
    }
    void sum(Inversion& inversion, std::int32_t victimPrio) const;
    bool isInverted(const WaitSegment& segment, std::int32_t victimPrio) const;
    bool isNominal(const DecomposedWait& wait, std::int32_t victimPrio) const;
    void findDonation(Inversion& inversion) const;
    Confidence confidenceOf(const DecomposedWait& wait, std::uint32_t row) const;

    const Priorities& priorities_;
    const LockWaits& lockWaits_;
    const HelperWaits& helperWaits_;
    const Decomposition& decomposition_;
    std::vector<std::vector<Donation>> donations_; ///< by donor
};

/// Whether the stretch is a lower thread's doing.
bool InversionFinder::isInverted(const WaitSegment& segment, std::int32_t victimPrio) const {
    const auto isLower = [&](ThreadId thread) {
        const auto base = baseOf(thread, segment.begin);
        return base && isHigher(victimPrio, *base);
    };
    switch (segment.part) {
    case WaitPart::CriticalSection:
    case WaitPart::Wire:
    case WaitPart::OwnerBlocked:
        return isLower(segment.by);
    case WaitPart::Mid:
        return true;
    case WaitPart::Peer:
    case WaitPart::Dispatch:
    case WaitPart::Irq:
    case WaitPart::Throttled:
        return isLower(segment.owner) || isLower(segment.by);
    case WaitPart::Interference:
    case WaitPart::Handoff:
    case WaitPart::Unknown:
        break;
    }
    return false;
}

void InversionFinder::sum(Inversion& inversion, std::int32_t victimPrio) const {
    const auto segments = decomposition_.segmentsOf(inversion.wait);
    bool chained = false;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const WaitSegment& segment = segments[i];
        if (!isInverted(segment, victimPrio))
            continue;
        const std::int64_t ns = decomposition_.endOf(inversion.wait, i) - segment.begin;
        inversion.invertedNs += ns;
        chained |= segment.chained;
        if (segment.part != WaitPart::Mid && segment.part != WaitPart::Peer)
            continue;
        inversion.midNs += ns;
        addShare(inversion.midBy, segment.by, ns);
    }
    std::ranges::stable_sort(inversion.midBy, std::greater{}, &MidShare::ns);
    inversion.kinds |= bit(inversion.midNs > 0 ? InversionKind::Unbounded : InversionKind::Bounded);
    if (chained)
        inversion.kinds |= bit(InversionKind::Chained);
}

/// A fair thread waited for one of a lower nice value's weight: worth knowing, and no inversion.
bool InversionFinder::isNominal(const DecomposedWait& wait, std::int32_t victimPrio) const {
    if (!isFair(victimPrio))
        return false;
    const ThreadId owner =
        decomposition_.segmentsOf(decomposition_.ofLockWait[wait.source]).front().owner;
    const auto base = baseOf(owner, wait.range.begin);
    return base && *base > victimPrio;
}

/// What the wait boosted, and the mid time there was in spite of it.
void InversionFinder::findDonation(Inversion& inversion) const {
    const std::vector<Donation>& list = donations_[inversion.victim.index()];
    const auto first = std::ranges::lower_bound(list, inversion.range.begin, {}, &Donation::time);
    if (first == list.end() || first->time >= inversion.range.end)
        return;
    inversion.boost = first->boost;
    const auto segments = decomposition_.segmentsOf(inversion.wait);
    for (std::size_t i = 0; i < segments.size(); ++i)
        if (segments[i].part == WaitPart::Mid || segments[i].part == WaitPart::Peer)
            inversion.violationNs += std::max<std::int64_t>(
                decomposition_.endOf(inversion.wait, i) - std::max(segments[i].begin, first->time),
                0);
}

Confidence InversionFinder::confidenceOf(const DecomposedWait& wait, std::uint32_t row) const {
    Confidence confidence = Confidence::High;
    if (wait.on == WaitOn::Helper)
        confidence = helperWaits_.waits[wait.source].confidence;
    else if (lockWaits_.waits[wait.source].owner.valid())
        confidence = lockWaits_.waits[wait.source].confidence;
    // What is not known may be somebody else's fault.
    const bool partly = at(decomposition_.parts(row), WaitPart::Unknown) > 0;
    return partly ? std::max(confidence, Confidence::Low) : confidence;
}

std::optional<Inversion> InversionFinder::judge(std::uint32_t row) const {
    const DecomposedWait& wait = decomposition_.waits[row];
    const auto victimPrio = baseOf(wait.thread, wait.range.begin);
    if (!victimPrio)
        return std::nullopt;
    Inversion inversion;
    inversion.victim = wait.thread;
    inversion.lock = wait.lock;
    inversion.range = wait.range;
    inversion.wait = row;
    if (wait.on == WaitOn::Helper) {
        inversion.owner = helperWaits_.waits[wait.source].helper;
        inversion.kinds = bit(InversionKind::ThroughHelper);
    } else {
        inversion.owner = lockWaits_.waits[wait.source].owner;
    }
    sum(inversion, *victimPrio);
    inversion.confidence = confidenceOf(wait, row);
    if (inversion.invertedNs > 0) {
        findDonation(inversion);
        return inversion;
    }
    if (wait.on == WaitOn::Helper || !isNominal(wait, *victimPrio))
        return std::nullopt;
    inversion.kinds = bit(InversionKind::Nominal);
    return inversion;
}

bool worse(const Inversion& a, const Inversion& b) {
    const auto key = [](const Inversion& i) {
        return std::tuple(i.is(InversionKind::Nominal), -i.midNs, -i.invertedNs, i.range.begin);
    };
    return key(a) < key(b);
}

} // namespace

Result<Inversions> findInversions(const TraceStore& store, const SchedRuns& runs,
                                  const Priorities& priorities, const LockWaits& lockWaits,
                                  const HelperWaits& helperWaits, const Boosts& boosts,
                                  const ThreadStates& states, const Decomposition& decomposition,
                                  const JobContext& job) {
    const InversionFinder finder(priorities, lockWaits, helperWaits, boosts, decomposition);
    Inversions out;
    for (std::uint32_t row = 0; row < decomposition.waits.size(); ++row) {
        if ((row & 0xfff) == 0)
            TRY(job.check("finding inversions"));
        if (auto inversion = finder.judge(row))
            out.inversions.push_back(*std::move(inversion));
    }
    TRY(findPushThrough(store, runs, priorities, boosts, states, job, out.inversions));
    std::ranges::stable_sort(out.inversions, worse);
    out.inversions.shrink_to_fit();
    return out;
}

} // namespace inversight
