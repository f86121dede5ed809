// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/view/cpu_lane.h"
#include "trace/view/inversion_marks.h"
#include "trace/view/lane_order.h"
#include "trace/view/thread_lane.h"

#include <memory>
#include <span>
#include <vector>

namespace inversight {

/// Everything a timeline draws, prepared once on a worker:
///
///     auto model = TRY(TrackModel::build(inputs, leads, job));
///     TrackGeometry geometry = model->query(lane, range, width, layout);
///
/// Frozen and reentrant. A query costs O(width), whatever the number of events.
class TrackModel {
public:
    /// Cancelled when the job was stopped.
    [[nodiscard]] static Result<std::shared_ptr<const TrackModel>>
    build(TrackInputs inputs, std::span<const LeadThread> leads, const JobContext& job);

    TrackModel(const TrackModel&) = delete;
    TrackModel& operator=(const TrackModel&) = delete;

    /// Threads first (LaneOrder), then locks, buses and CPUs.
    [[nodiscard]] std::size_t laneCount() const { return order_.lanes.size(); }
    [[nodiscard]] std::size_t threadLaneCount() const { return threadLanes_.size(); }
    [[nodiscard]] const LaneInfo& lane(std::size_t lane) const { return order_.lanes[lane]; }
    [[nodiscard]] std::size_t hiddenIdle() const { return order_.hiddenIdle; }
    [[nodiscard]] std::size_t hiddenEmpty() const { return order_.hiddenEmpty; }
    /// Locks that only one thread ever used, or nobody was seen to hold.
    [[nodiscard]] std::size_t hiddenLocks() const { return hiddenLocks_; }
    /// The lane of a thread; none for hidden ones.
    [[nodiscard]] std::optional<std::size_t> laneOf(ThreadId thread) const;
    [[nodiscard]] std::optional<std::size_t> laneOfLock(LockId lock) const;
    [[nodiscard]] std::optional<std::size_t> laneOfCpu(std::int32_t cpu) const;

    /// A lane's picture, y = 0 at the lane's top.
    [[nodiscard]] TrackGeometry query(std::size_t lane, TimeRange range, int width,
                                      const LaneLayout& layout) const;
    /// Where events were lost, as hatched columns `height` pixels high, for laying over all lanes.
    [[nodiscard]] TrackGeometry losses(TimeRange range, int width, float height) const;
    /// The load of all CPUs as columns from the bottom up, with ticks where boosts are.
    [[nodiscard]] TrackGeometry overview(TimeRange range, int width, float height) const;

    /// See Lane.
    [[nodiscard]] TrackHit hit(std::size_t lane, std::int64_t time, float y,
                               const LaneLayout& layout, std::int64_t tolerance) const;
    [[nodiscard]] TrackHit next(std::size_t lane, std::int64_t time) const;
    [[nodiscard]] TrackHit previous(std::size_t lane, std::int64_t time) const;
    /// The thread's wait that covers `time`, or null; null for lanes that are no thread's.
    [[nodiscard]] const LockWait* waitAt(std::size_t lane, std::int64_t time) const;
    /// Time per state within `range`; all 0 for lanes that are no thread's.
    [[nodiscard]] ThreadLane::StateTotals stateTotals(std::size_t lane, TimeRange range) const;

    /// Inversions by begin, and those of one victim as a shade `height` high over its lane.
    [[nodiscard]] std::span<const InversionMark> inversions() const { return inversions_; }
    [[nodiscard]] TrackGeometry inversionShade(std::size_t lane, TimeRange range, int width,
                                               float height) const;
    [[nodiscard]] const InversionMark* inversionAt(std::size_t lane, std::int64_t time) const;

    [[nodiscard]] const TrackInputs& inputs() const { return inputs_; }
    [[nodiscard]] std::string threadName(ThreadId thread) const;
    [[nodiscard]] std::string lockName(LockId lock) const { return lockNameOf(inputs_, lock); }
    [[nodiscard]] ClockUnit clockUnit() const;
    /// First to last event; never empty.
    [[nodiscard]] TimeRange wholeRange() const;

private:
    explicit TrackModel(TrackInputs inputs) : inputs_(std::move(inputs)) {}
    [[nodiscard]] Result<void> collectLanes(std::span<const LeadThread> leads,
                                            const JobContext& job);
    [[nodiscard]] std::unique_ptr<const Lane>
    makeLane(const LaneInfo& info, std::span<const std::vector<std::uint32_t>> waitsByLock) const;
    void collectLosses();
    void collectBoosts();
    void collectInversions();

    using SpanIndex = LaneIndex<LaneSpan, 1>;

    TrackInputs inputs_;
    LaneOrder order_;
    std::size_t hiddenLocks_ = 0;
    std::vector<Tint> tints_; ///< by ThreadId
    std::vector<std::unique_ptr<const Lane>> lanes_;
    std::vector<const ThreadLane*> threadLanes_; ///< the first ones of lanes_
    std::vector<const CpuLane*> cpuLanes_;
    std::vector<std::size_t> laneByThread_; ///< by ThreadId; laneCount() = hidden
    std::vector<LaneSpan> losses_;          ///< of all CPUs, flattened
    SpanIndex lossIndex_;
    std::vector<LaneSpan> boosts_; ///< of all threads, without nominal ones, flattened
    SpanIndex boostIndex_;
    std::vector<InversionMark> inversions_;
    std::vector<LaneSpan> inversionSpans_; ///< of all victims, flattened
    SpanIndex inversionIndex_;
    std::vector<std::vector<std::uint32_t>> inversionsByLane_;
};

} // namespace inversight
