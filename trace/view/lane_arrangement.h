// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inversight {

/// Which lanes a person wants to see. Everything that is not said lets all lanes through; the
/// conditions about threads concern threads only, the text all lanes.
struct LaneFilter {
    std::string text; ///< part of the name, the chip or the id; case does not matter
    std::optional<PriorityClass> priorityClass;
    std::optional<std::int32_t> cpu;     ///< threads that ran there
    std::optional<std::int32_t> process; ///< tgid
    bool invertedOnly = false;
    [[nodiscard]] bool empty() const { return *this == LaneFilter{}; }
    bool operator==(const LaneFilter&) const = default;
};

enum class LaneGrouping : std::uint8_t { Kind, Process, Lock };

/// What a heading is about; `id` is the process' tgid or the LockId.
enum class LaneGroupKind : std::uint8_t {
    Pinned,
    Workload,
    Locks,
    Buses,
    Cpus,
    Threads,
    Process,
    Lock,
};
struct LaneGroup {
    LaneGroupKind kind = LaneGroupKind::Threads;
    std::int64_t id = -1;
    auto operator<=>(const LaneGroup&) const = default;
};

/// How a person arranged the lanes. Lanes are named by LaneInfo::key(), so that an arrangement
/// outlives the model.
struct LaneSettings {
    LaneFilter filter;
    LaneGrouping grouping = LaneGrouping::Kind;
    std::vector<std::string> pinned; ///< stay on top, in this order
    std::vector<std::string> moved;  ///< come first in their group, in this order
    std::set<std::string> hidden;
    std::set<LaneGroup> collapsed;
    bool operator==(const LaneSettings&) const = default;
};

/// A row of the timeline: a heading, or a lane.
struct LaneRow {
    std::optional<std::size_t> lane; ///< none: a heading
    LaneGroup group;
    std::size_t laneCount = 0; ///< of a heading: lanes in its group
    bool collapsed = false;    ///< of a heading
    bool operator==(const LaneRow&) const = default;
};

struct LaneArrangement {
    std::vector<LaneRow> rows;
    std::size_t pinnedRows = 0;   ///< the first ones
    std::size_t filteredOut = 0;  ///< lanes that the filter leaves out
    std::size_t hiddenByHand = 0; ///< ... that somebody hid
    std::size_t inCollapsed = 0;  ///< ... in collapsed groups
};

/// Lays the lanes out as the settings want. Every lane is in exactly one row, or counted in exactly
/// one of the numbers. O(lanes log lanes).
[[nodiscard]] LaneArrangement arrangeLanes(const TrackModel& model, const LaneSettings& settings);

} // namespace inversight
