// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lane_order.h"

#include "core/base/time_format.h"

#include <algorithm>
#include <map>
#include <optional>
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
std::optional<std::int32_t> usualPriority(const TrackInputs& inputs, ThreadId thread) {
    if (!inputs.priorities || thread.index() >= inputs.priorities->byThread.size())
        return std::nullopt;
    std::map<std::int32_t, std::int64_t> timeAt;
    for (const PriorityStep& step : inputs.priorities->byThread[thread.index()])
        timeAt[step.base] += step.range.length();
    const auto longest =
        std::max_element(timeAt.begin(), timeAt.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return longest == timeAt.end() ? std::nullopt : std::optional(longest->first);
}

PriorityClass classOf(std::optional<std::int32_t> prio) {
    if (!prio)
        return PriorityClass::Unknown;
    return *prio < 0     ? PriorityClass::Deadline
           : *prio < 100 ? PriorityClass::RealTime
                         : PriorityClass::Fair;
}

struct Candidate {
    LaneInfo info;
    std::size_t leadRank = 0;
};

Candidate makeCandidate(const TrackInputs& inputs, std::span<const LeadThread> leads,
                        ThreadId thread) {
    const ThreadInfo& info = inputs.store->threads()[thread];
    Candidate candidate;
    const std::optional<std::int32_t> prio = usualPriority(inputs, thread);
    candidate.info.thread = thread;
    candidate.info.tid = info.tid;
    candidate.info.name = inputs.store->threadName(thread);
    candidate.info.chip = prio ? formatKernelPriority(*prio) : std::string{};
    candidate.info.process = info.tgid;
    candidate.info.priorityClass = classOf(prio);
    candidate.info.leading = takesPart(inputs, thread);
    candidate.info.runningTime = runningTime(inputs, thread);
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

/// What is known about a lock before it is decided whether it has a lane.
struct LockUse {
    std::int64_t heldTime = 0;
    std::int64_t waitedTime = 0;
    std::size_t holdCount = 0;
    ThreadId user; ///< the first one
    bool shared = false;
};

void use(LockUse& lock, ThreadId thread) {
    if (!lock.user.valid())
        lock.user = thread;
    lock.shared = lock.shared || lock.user != thread;
}

std::vector<LockUse> lockUses(const TrackInputs& inputs) {
    std::vector<LockUse> uses(inputs.lockEvents->locks.size());
    for (const LockHold& hold : inputs.ownership->holds) {
        LockUse& lock = uses[hold.lock.index()];
        lock.heldTime += hold.range.length();
        ++lock.holdCount;
        use(lock, hold.thread);
    }
    if (inputs.waits) {
        for (const LockWait& wait : inputs.waits->waits) {
            uses[wait.lock.index()].waitedTime += wait.range.length();
            use(uses[wait.lock.index()], wait.thread);
        }
    }
    return uses;
}

void addLocks(const TrackInputs& inputs, ResourceLanes& out) {
    if (!inputs.ownership || !inputs.lockEvents)
        return;
    const std::vector<LockUse> uses = lockUses(inputs);
    std::vector<std::pair<std::int64_t, LaneInfo>> found;
    for (std::uint32_t i = 0; i < uses.size(); ++i) {
        const LockInfo& lock = inputs.lockEvents->locks[i];
        const bool named = lock.source == LockSource::Marker;
        if (uses[i].holdCount == 0 || (!named && !uses[i].shared)) {
            ++out.hiddenLocks;
            continue;
        }
        LaneInfo info;
        info.kind = LaneKind::Lock;
        info.lock = LockId{i};
        info.name = lock.name;
        info.process = lock.tgid;
        info.leading = named;
        info.runningTime = uses[i].heldTime;
        info.itemCount = static_cast<std::uint32_t>(uses[i].holdCount);
        found.emplace_back(uses[i].waitedTime, std::move(info));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tuple(!a.second.leading, -a.first) < std::tuple(!b.second.leading, -b.first);
    });
    for (auto& [waited, info] : found)
        out.lanes.push_back(std::move(info));
}

void addBuses(const TrackInputs& inputs, ResourceLanes& out) {
    if (!inputs.bus)
        return;
    std::map<StringId, LaneInfo> buses;
    for (const BusTransfer& transfer : inputs.bus->transfers) {
        LaneInfo& info = buses[transfer.bus];
        info.runningTime += transfer.range.length();
        ++info.itemCount;
    }
    for (auto& [bus, info] : buses) {
        info.kind = LaneKind::Bus;
        info.bus = bus;
        info.name = std::string(inputs.store->text(bus));
        info.leading = true;
        out.lanes.push_back(std::move(info));
    }
}

void addCpus(const TrackInputs& inputs, ResourceLanes& out) {
    if (!inputs.runs)
        return;
    for (const auto& [cpu, indices] : inputs.runs->byCpu) {
        LaneInfo info;
        info.kind = LaneKind::Cpu;
        info.cpu = cpu;
        for (const std::uint32_t i : indices) {
            const SchedRun& run = inputs.runs->runs[i];
            if (run.thread.valid() && !inputs.store->threads()[run.thread].isIdle()) {
                info.runningTime += run.range.length();
                ++info.itemCount;
            }
        }
        out.lanes.push_back(std::move(info));
    }
}

} // namespace

std::string LaneInfo::key() const {
    switch (kind) {
    case LaneKind::Thread:
        return "thread:" + std::to_string(tid) + ":" + name;
    case LaneKind::Lock:
        return "lock:" + name;
    case LaneKind::Bus:
        return "bus:" + name;
    case LaneKind::Cpu:
        return "cpu:" + std::to_string(cpu);
    }
    return {};
}

ResourceLanes resourceLanes(const TrackInputs& inputs) {
    ResourceLanes out;
    addLocks(inputs, out);
    addBuses(inputs, out);
    addCpus(inputs, out);
    return out;
}

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
