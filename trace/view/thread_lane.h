// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane.h"
#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"
#include "trace/view/track_inputs.h"

#include <array>
#include <string>

namespace inversight {

/// Found by argument-dependent lookup from LaneIndex.
[[nodiscard]] inline std::size_t laneKind(const ThreadStateInterval& interval) {
    return static_cast<std::size_t>(interval.state);
}

/// Where a kernel priority stands in a lane, 0 (lowest) to 1: RT priorities share the upper half,
/// nice levels the lower third, so that a boost from one to the other leaps to the eye and lanes
/// compare with each other.
[[nodiscard]] float priorityLevel(std::int32_t prio);

/// The bars of one thread: priority line with boosts, state bar, lock strip. Built once on a worker
/// (O(intervals)), then asked for geometry at any scale at a cost that follows pixels. Borrows from
/// the inputs, which must outlive it.
class ThreadLane final : public Lane {
public:
    ThreadLane(const TrackInputs& inputs, ThreadId thread);
    // Indices borrow from the lane's own vectors.
    ThreadLane(const ThreadLane&) = delete;
    ThreadLane& operator=(const ThreadLane&) = delete;

    [[nodiscard]] TrackGeometry draw(const TimeScale& scale,
                                     const LaneLayout& layout) const override;
    [[nodiscard]] TrackHit hit(std::int64_t time, float y, const LaneLayout& layout,
                               std::int64_t tolerance) const override;
    /// States.
    [[nodiscard]] TrackHit next(std::int64_t time) const override;
    [[nodiscard]] TrackHit previous(std::int64_t time) const override;

    using StateTotals = std::array<std::int64_t, kThreadStateCount>;
    /// Time in each state within `range`. O(log n).
    [[nodiscard]] StateTotals totals(const TimeRange& range) const;

    /// The wait that covers `time`, or null.
    [[nodiscard]] const LockWait* waitAt(std::int64_t time) const;

private:
    enum LockKind : std::uint8_t { HoldKind, WaitKind };
    enum BoostKind : std::uint8_t { NominalKind, RealKind };
    using SpanIndex = LaneIndex<LaneSpan, 2>;

    void collectBase(const std::vector<PriorityStep>& steps);
    void collectBoosts();
    void collectLocks();
    void collectTransfers();

    void drawBase(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    void drawBoosts(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    /// Where a boost stands: its columns, and the first one behind it that is not free.
    struct BoostColumns {
        int first = 0;
        int last = 0;
        int free = 0;
    };
    void drawBoost(const Boost& boost, const TimeScale& scale, const LaneLayout& layout,
                   const BoostColumns& columns, TrackGeometry& out) const;
    void drawStates(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    void drawLocks(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    void drawTransfers(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    [[nodiscard]] std::vector<std::string> boostTexts(const Boost& boost) const;
    [[nodiscard]] std::vector<std::string> stateTexts(const ThreadStateInterval& interval) const;
    [[nodiscard]] TrackHit hitPriority(std::int64_t time, std::int64_t tolerance) const;
    [[nodiscard]] TrackHit hitLock(std::int64_t time, bool transferRow,
                                   std::int64_t tolerance) const;

    const TrackInputs* inputs_;
    ThreadId thread_;
    LaneIndex<ThreadStateInterval, kThreadStateCount> states_;
    std::vector<LaneSpan> baseSpans_; ///< item = the base priority as unsigned bits
    std::vector<LaneSpan> boostSpans_;
    std::vector<LaneSpan> lockSpans_;
    std::vector<LaneSpan> transferSpans_;
    SpanIndex base_;
    SpanIndex boosts_;
    SpanIndex locks_;
    SpanIndex transfers_;
};

/// The name of a lock, "" where none is known.
[[nodiscard]] std::string lockNameOf(const TrackInputs& inputs, LockId lock);

} // namespace inversight
