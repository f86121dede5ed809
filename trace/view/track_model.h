// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
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

    [[nodiscard]] std::size_t laneCount() const { return order_.lanes.size(); }
    [[nodiscard]] const LaneInfo& lane(std::size_t lane) const { return order_.lanes[lane]; }
    [[nodiscard]] std::size_t hiddenIdle() const { return order_.hiddenIdle; }
    [[nodiscard]] std::size_t hiddenEmpty() const { return order_.hiddenEmpty; }
    /// The lane of a thread; none for hidden ones.
    [[nodiscard]] std::optional<std::size_t> laneOf(ThreadId thread) const;

    /// A lane's picture, y = 0 at the lane's top.
    [[nodiscard]] TrackGeometry query(std::size_t lane, TimeRange range, int width,
                                      const LaneLayout& layout) const;
    /// Where events were lost, as hatched columns `height` pixels high, for laying over all lanes.
    [[nodiscard]] TrackGeometry losses(TimeRange range, int width, float height) const;
    /// The load of all CPUs as columns from the bottom up, with ticks where boosts are.
    [[nodiscard]] TrackGeometry overview(TimeRange range, int width, float height) const;

    /// See ThreadLane::hit.
    [[nodiscard]] TrackHit hit(std::size_t lane, std::int64_t time, float y,
                               const LaneLayout& layout, std::int64_t tolerance) const;
    [[nodiscard]] const LockWait* waitAt(std::size_t lane, std::int64_t time) const;

    [[nodiscard]] const TrackInputs& inputs() const { return inputs_; }
    [[nodiscard]] std::string threadName(ThreadId thread) const;
    [[nodiscard]] std::string lockName(LockId lock) const { return lockNameOf(inputs_, lock); }
    [[nodiscard]] ClockUnit clockUnit() const;
    /// First to last event; never empty.
    [[nodiscard]] TimeRange wholeRange() const;

private:
    explicit TrackModel(TrackInputs inputs) : inputs_(std::move(inputs)) {}
    void collectLosses();
    void collectCpus();
    void collectBoosts();

    using CpuIndex = LaneIndex<LaneSpan, 1>;
    struct CpuLoad {
        std::vector<LaneSpan> busy;
        CpuIndex index;
    };

    TrackInputs inputs_;
    LaneOrder order_;
    std::vector<ThreadLane> lanes_;
    std::vector<std::size_t> laneByThread_; ///< by ThreadId; laneCount() = hidden
    std::vector<LaneSpan> losses_;          ///< of all CPUs, flattened
    CpuIndex lossIndex_;
    std::vector<CpuLoad> cpus_;
    std::vector<LaneSpan> boosts_; ///< of all threads, without nominal ones, flattened
    CpuIndex boostIndex_;
};

} // namespace inversight
