// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lane_order.h"

#include "core/base/time_format.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace inversight {

namespace {

std::int64_t runningTime(const TrackInputs& inputs, ThreadId thread) {
    if (!inputs.states || thread.index() >= inputs.states->totals.size())
        return 0;
    return inputs.states->totals[thread.index()][static_cast<std::size_t>(ThreadState::Running)];
}

/// Known to wait, hold, transfer or inherit: what this program is about.
bool takesPart(const TrackInputs& inputs, ThreadId thread) {
    return (inputs.waits && !indicesOf(inputs.waits->byThread, thread).empty()) ||
           (inputs.ownership && !indicesOf(inputs.ownership->byThread, thread).empty()) ||
           (inputs.bus && !indicesOf(inputs.bus->byThread, thread).empty()) ||
           (inputs.boosts && !indicesOf(inputs.boosts->byTarget, thread).empty());
}

/// The base priority a thread had longest: most begin as nice 0 and become what they are.
std::string chipOf(const TrackInputs& inputs, ThreadId thread) {
    if (!inputs.priorities || thread.index() >= inputs.priorities->byThread.size())
        return {};
    std::map<std::int32_t, std::int64_t> timeAt;
    for (const PriorityStep& step : inputs.priorities->byThread[thread.index()])
        timeAt[step.base] += step.range.length();
    const auto longest =
        std::max_element(timeAt.begin(), timeAt.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return longest == timeAt.end() ? std::string{} : formatKernelPriority(longest->first);
}

struct Candidate {
    LaneInfo info;
    std::size_t leadRank = 0;
};

Candidate makeCandidate(const TrackInputs& inputs, std::span<const LeadThread> leads,
                        ThreadId thread) {
    const ThreadInfo& info = inputs.store->threads()[thread];
    Candidate candidate;
    candidate.info = {.thread = thread,
                      .tid = info.tid,
                      .name = inputs.store->threadName(thread),
                      .chip = chipOf(inputs, thread),
                      .leading = takesPart(inputs, thread),
                      .runningTime = runningTime(inputs, thread)};
    const auto lead = std::find_if(leads.begin(), leads.end(),
                                   [&](const LeadThread& each) { return each.tid == info.tid; });
    candidate.leadRank = static_cast<std::size_t>(lead - leads.begin());
    if (lead != leads.end()) {
        candidate.info.lead = true;
        candidate.info.leading = true;
        if (!lead->chip.empty())
            candidate.info.chip = lead->chip;
    }
    return candidate;
}

bool comesBefore(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& each) {
        return std::make_tuple(each.leadRank, !each.info.leading, -each.info.runningTime,
                               each.info.thread);
    };
    return key(a) < key(b);
}

} // namespace

LaneOrder orderLanes(const TrackInputs& inputs, std::span<const LeadThread> leads) {
    LaneOrder order;
    std::vector<Candidate> candidates;
    const std::span<const ThreadInfo> threads = inputs.store->threads().all();
    for (std::uint32_t i = 0; i < threads.size(); ++i) {
        if (threads[i].isIdle()) {
            ++order.hiddenIdle;
            continue;
        }
        Candidate candidate = makeCandidate(inputs, leads, ThreadId{i});
        if (candidate.info.runningTime == 0 && !candidate.info.leading)
            ++order.hiddenEmpty;
        else
            candidates.push_back(std::move(candidate));
    }
    std::sort(candidates.begin(), candidates.end(), comesBefore);
    for (Candidate& candidate : candidates)
        order.lanes.push_back(std::move(candidate.info));
    return order;
}

} // namespace inversight
