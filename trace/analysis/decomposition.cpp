// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/decomposition.h"

#include "trace/analysis/wait_walk.h"

#include <algorithm>

namespace inversight {

PartTotals Decomposition::parts(std::size_t wait) const {
    PartTotals totals{};
    const auto all = segmentsOf(wait);
    for (std::size_t i = 0; i < all.size(); ++i)
        at(totals, all[i].part) += endOf(wait, i) - all[i].begin;
    return totals;
}

PartTotals Decomposition::partsOfLockWait(const LockWaits& lockWaits, std::size_t index) const {
    if (ofLockWait[index] != kNone)
        return parts(ofLockWait[index]);
    PartTotals totals{};
    at(totals, WaitPart::Handoff) = lockWaits.waits[index].range.length();
    return totals;
}

std::vector<HoldShare> Decomposition::holds(std::size_t wait) const {
    std::vector<HoldShare> shares;
    const auto all = segmentsOf(wait);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto same = std::ranges::find_if(shares, [&](const HoldShare& share) {
            return share.owner == all[i].owner && share.kind == all[i].hold;
        });
        HoldShare& share = same != shares.end()
                               ? *same
                               : shares.emplace_back(HoldShare{all[i].owner, all[i].hold, 0});
        share.ns += endOf(wait, i) - all[i].begin;
    }
    return shares;
}

Result<Decomposition> decomposeWaits(const TraceStore& store, const SchedRuns& runs,
                                     const Priorities& priorities, const LockEvents& events,
                                     const Ownership& ownership, const LockWaits& lockWaits,
                                     const HelperWaits& helperWaits, const ThreadStates& states,
                                     const Bus& bus, const JobContext& job) {
    WaitWalk walk(
        {store, runs, priorities, events, ownership, lockWaits, helperWaits, states, bus});
    Decomposition out;
    out.ofLockWait.assign(lockWaits.waits.size(), Decomposition::kNone);
    for (std::uint32_t i = 0; i < lockWaits.waits.size(); ++i) {
        if ((i & 0xfff) == 0)
            TRY(job.check("decomposing waits"));
        const LockWait& wait = lockWaits.waits[i];
        const auto first = static_cast<std::uint32_t>(out.segments.size());
        if (!walk.walk(wait, out.segments))
            continue;
        out.ofLockWait[i] = static_cast<std::uint32_t>(out.waits.size());
        out.waits.push_back({wait.thread, wait.lock, wait.range, first, i, WaitOn::Lock});
    }
    out.ofHelperWait.reserve(helperWaits.waits.size());
    for (std::uint32_t i = 0; i < helperWaits.waits.size(); ++i) {
        if ((i & 0xfff) == 0)
            TRY(job.check("decomposing waits"));
        const HelperWait& wait = helperWaits.waits[i];
        const auto first = static_cast<std::uint32_t>(out.segments.size());
        walk.walk(wait, out.segments);
        out.ofHelperWait.push_back(static_cast<std::uint32_t>(out.waits.size()));
        out.waits.push_back({wait.thread, LockId::none(), wait.range, first, i, WaitOn::Helper});
    }
    out.waits.shrink_to_fit();
    out.segments.shrink_to_fit();
    return out;
}

} // namespace inversight
