// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lane_arrangement.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace inversight {

namespace {

char lowerCase(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool containsText(const std::string& text, const std::string& part) {
    const auto same = [](char a, char b) { return lowerCase(a) == lowerCase(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool ranOn(const TrackInputs& inputs, ThreadId thread, std::int32_t cpu) {
    if (!inputs.runs)
        return false;
    const auto runs = indicesOf(inputs.runs->byThread, thread);
    return std::any_of(runs.begin(), runs.end(),
                       [&](std::uint32_t i) { return inputs.runs->runs[i].cpu == cpu; });
}

bool passes(const TrackModel& model, const LaneInfo& lane, const LaneFilter& filter) {
    if (!filter.text.empty() && !containsText(lane.name, filter.text) &&
        !containsText(lane.chip, filter.text) && !containsText(lane.key(), filter.text))
        return false;
    if (lane.kind != LaneKind::Thread)
        return true;
    return (!filter.priorityClass || lane.priorityClass == *filter.priorityClass) &&
           (!filter.process || lane.process == *filter.process) &&
           (!filter.invertedOnly || lane.inverted) &&
           (!filter.cpu || ranOn(model.inputs(), lane.thread, *filter.cpu));
}

LaneGroup groupByKind(const LaneInfo& lane) {
    switch (lane.kind) {
    case LaneKind::Thread:
        return {lane.leading ? LaneGroupKind::Workload : LaneGroupKind::Threads, -1};
    case LaneKind::Lock:
        return {LaneGroupKind::Locks, -1};
    case LaneKind::Bus:
        return {LaneGroupKind::Buses, -1};
    case LaneKind::Cpu:
        return {LaneGroupKind::Cpus, -1};
    }
    return {};
}

/// The lock that a thread waited for or held longest.
LaneGroup groupByLock(const TrackModel& model, const LaneInfo& lane) {
    if (lane.kind == LaneKind::Lock)
        return {LaneGroupKind::Lock, lane.lock.value};
    if (lane.kind != LaneKind::Thread)
        return groupByKind(lane);
    const TrackInputs& inputs = model.inputs();
    std::map<LockId, std::int64_t> times;
    if (inputs.waits) {
        for (const std::uint32_t i : indicesOf(inputs.waits->byThread, lane.thread))
            times[inputs.waits->waits[i].lock] += inputs.waits->waits[i].range.length();
    }
    if (inputs.ownership) {
        for (const std::uint32_t i : indicesOf(inputs.ownership->byThread, lane.thread))
            times[inputs.ownership->holds[i].lock] += inputs.ownership->holds[i].range.length();
    }
    const auto longest =
        std::max_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return longest == times.end() ? groupByKind(lane)
                                  : LaneGroup{LaneGroupKind::Lock, longest->first.value};
}

LaneGroup groupOf(const TrackModel& model, const LaneInfo& lane, LaneGrouping grouping) {
    if (grouping == LaneGrouping::Lock)
        return groupByLock(model, lane);
    if (grouping == LaneGrouping::Process && lane.kind == LaneKind::Thread && lane.process >= 0)
        return {LaneGroupKind::Process, lane.process};
    return groupByKind(lane);
}

using Ranks = std::unordered_map<std::string, std::size_t>;

Ranks ranksOf(const std::vector<std::string>& keys) {
    Ranks ranks;
    for (const std::string& key : keys)
        ranks.emplace(key, ranks.size());
    return ranks;
}

std::size_t rankOf(const Ranks& ranks, const std::string& key) {
    const auto found = ranks.find(key);
    return found == ranks.end() ? ranks.size() : found->second;
}

/// Lanes of one group, in the order of the model but for those that were moved.
struct GroupLanes {
    LaneGroup group;
    std::vector<std::pair<std::size_t, std::size_t>> lanes; ///< (rank, lane)
};

class Arranger {
public:
    Arranger(const TrackModel& model, const LaneSettings& settings)
        : model_(model), settings_(settings), pinned_(ranksOf(settings.pinned)),
          moved_(ranksOf(settings.moved)) {}

    LaneArrangement arrange() {
        for (std::size_t lane = 0; lane < model_.laneCount(); ++lane)
            place(lane);
        addPinned();
        std::stable_sort(groups_.begin(), groups_.end(),
                         [](const auto& a, const auto& b) { return a.group.kind < b.group.kind; });
        for (GroupLanes& group : groups_)
            addGroup(group);
        return std::move(out_);
    }

private:
    void place(std::size_t lane) {
        const LaneInfo& info = model_.lane(lane);
        const std::string key = info.key();
        if (const std::size_t rank = rankOf(pinned_, key); rank < pinned_.size()) {
            pinnedLanes_.emplace_back(rank, lane);
        } else if (settings_.hidden.contains(key)) {
            ++out_.hiddenByHand;
        } else if (!passes(model_, info, settings_.filter)) {
            ++out_.filteredOut;
        } else {
            groupFor(groupOf(model_, info, settings_.grouping))
                .lanes.emplace_back(rankOf(moved_, key), lane);
        }
    }
    /// Groups of one kind stand in the order of their first lanes.
    GroupLanes& groupFor(LaneGroup group) {
        const auto [place, added] = places_.emplace(group, groups_.size());
        if (added)
            groups_.push_back({group, {}});
        return groups_[place->second];
    }
    void addPinned() {
        std::sort(pinnedLanes_.begin(), pinnedLanes_.end());
        for (const auto& [rank, lane] : pinnedLanes_)
            out_.rows.push_back({lane, {LaneGroupKind::Pinned, -1}});
        out_.pinnedRows = out_.rows.size();
    }
    void addGroup(GroupLanes& group) {
        const bool collapsed = settings_.collapsed.contains(group.group);
        out_.rows.push_back({std::nullopt, group.group, group.lanes.size(), collapsed});
        if (collapsed) {
            out_.inCollapsed += group.lanes.size();
            return;
        }
        std::stable_sort(group.lanes.begin(), group.lanes.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [rank, lane] : group.lanes)
            out_.rows.push_back({lane, group.group});
    }

    const TrackModel& model_;
    const LaneSettings& settings_;
    Ranks pinned_;
    Ranks moved_;
    std::vector<std::pair<std::size_t, std::size_t>> pinnedLanes_;
    std::vector<GroupLanes> groups_;
    std::map<LaneGroup, std::size_t> places_;
    LaneArrangement out_;
};

} // namespace

LaneArrangement arrangeLanes(const TrackModel& model, const LaneSettings& settings) {
    return Arranger(model, settings).arrange();
}

} // namespace inversight
