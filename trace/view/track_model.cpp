// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/track_model.h"

#include "trace/view/bus_lane.h"
#include "trace/view/lock_lane.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace inversight {

namespace {

std::vector<std::vector<std::uint32_t>> waitsByLock(const TrackInputs& inputs) {
    std::vector<std::vector<std::uint32_t>> byLock;
    if (!inputs.waits || !inputs.lockEvents)
        return byLock;
    byLock.resize(inputs.lockEvents->locks.size());
    const std::vector<LockWait>& waits = inputs.waits->waits;
    for (std::uint32_t i = 0; i < waits.size(); ++i)
        byLock[waits[i].lock.index()].push_back(i);
    return byLock;
}

/// Threads that are looked at most have different tints.
std::vector<Tint> tintsOf(const LaneOrder& order, std::size_t threadCount) {
    std::vector<Tint> tints(threadCount, 1);
    std::size_t rank = 0;
    for (const LaneInfo& lane : order.lanes)
        tints[lane.thread.index()] = static_cast<Tint>(1 + rank++ % kTintCount);
    return tints;
}

} // namespace

Result<std::shared_ptr<const TrackModel>>
TrackModel::build(TrackInputs inputs, std::span<const LeadThread> leads, const JobContext& job) {
    // Not make_shared: the constructor is private, and lanes borrow from the finished object.
    std::shared_ptr<TrackModel> model(new TrackModel(std::move(inputs)));
    TRY(model->collectLanes(leads, job));
    model->collectLosses();
    model->collectBoosts();
    model->collectInversions();
    return std::shared_ptr<const TrackModel>(std::move(model));
}

Result<void> TrackModel::collectLanes(std::span<const LeadThread> leads, const JobContext& job) {
    order_ = orderLanes(inputs_, leads);
    const std::size_t threadCount = inputs_.store->threads().size();
    tints_ = tintsOf(order_, threadCount);
    ResourceLanes resources = resourceLanes(inputs_);
    hiddenLocks_ = resources.hiddenLocks;
    std::move(resources.lanes.begin(), resources.lanes.end(), std::back_inserter(order_.lanes));
    laneByThread_.assign(threadCount, laneCount());
    const std::vector<std::vector<std::uint32_t>> byLock = waitsByLock(inputs_);
    for (LaneInfo& info : order_.lanes) {
        TRY(job.check("preparing the timeline"));
        job.report({"preparing the timeline", lanes_.size(), laneCount()});
        std::unique_ptr<const Lane> lane = makeLane(info, byLock);
        if (info.kind == LaneKind::Thread) {
            laneByThread_[info.thread.index()] = lanes_.size();
            threadLanes_.push_back(static_cast<const ThreadLane*>(lane.get()));
        } else if (info.kind == LaneKind::Cpu) {
            cpuLanes_.push_back(static_cast<const CpuLane*>(lane.get()));
        } else if (info.kind == LaneKind::Lock) {
            const auto& lock = static_cast<const LockLane&>(*lane);
            info.itemCount = lock.ownershipCount();
            info.runningTime = lock.heldTime();
        }
        lanes_.push_back(std::move(lane));
    }
    return {};
}

std::unique_ptr<const Lane>
TrackModel::makeLane(const LaneInfo& info,
                     std::span<const std::vector<std::uint32_t>> waitsByLock) const {
    switch (info.kind) {
    case LaneKind::Thread:
        return std::make_unique<ThreadLane>(inputs_, info.thread);
    case LaneKind::Lock: {
        const bool waited = info.lock.index() < waitsByLock.size();
        return std::make_unique<LockLane>(inputs_, info.lock,
                                          waited ? std::span(waitsByLock[info.lock.index()])
                                                 : std::span<const std::uint32_t>{});
    }
    case LaneKind::Bus:
        return std::make_unique<BusLane>(inputs_, info.bus);
    case LaneKind::Cpu:
        return std::make_unique<CpuLane>(inputs_, info.cpu, tints_);
    }
    return nullptr;
}

void TrackModel::collectLosses() {
    std::vector<LaneSpan> spans;
    const std::span<const LossRow> rows = inputs_.store->losses();
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        // A gap between two events of the same instant is still a place where events are missing.
        const std::int64_t end = std::max(rows[i].gap.end, rows[i].gap.begin + 1);
        spans.push_back({{rows[i].gap.begin, end}, 0, 0});
    }
    losses_ = flattenSpans(std::move(spans));
    lossIndex_ = SpanIndex(losses_);
}

void TrackModel::collectBoosts() {
    if (!inputs_.boosts)
        return;
    std::vector<LaneSpan> spans;
    for (const Boost& boost : inputs_.boosts->boosts) {
        if (!boost.nominal)
            spans.push_back({boost.range, 0, 0});
    }
    boosts_ = flattenSpans(std::move(spans));
    boostIndex_ = SpanIndex(boosts_);
}

void TrackModel::collectInversions() {
    inversions_ = inversionMarks(inputs_);
    inversionsByLane_.resize(laneCount());
    std::vector<LaneSpan> spans;
    for (std::uint32_t i = 0; i < inversions_.size(); ++i) {
        spans.push_back({inversions_[i].range, i, 0});
        const auto victim = laneOf(inversions_[i].victim);
        const auto responsible = laneOf(inversions_[i].responsible);
        if (victim) {
            inversionsByLane_[*victim].push_back(i);
            order_.lanes[*victim].inverted = true;
        }
        if (responsible)
            order_.lanes[*responsible].inverted = true;
    }
    inversionSpans_ = flattenSpans(std::move(spans));
    inversionIndex_ = SpanIndex(inversionSpans_);
}

std::optional<std::size_t> TrackModel::laneOf(ThreadId thread) const {
    if (thread.index() >= laneByThread_.size() || laneByThread_[thread.index()] >= laneCount())
        return std::nullopt;
    return laneByThread_[thread.index()];
}

std::optional<std::size_t> TrackModel::laneOfLock(LockId lock) const {
    for (std::size_t lane = threadLaneCount(); lane < laneCount(); ++lane) {
        if (order_.lanes[lane].kind == LaneKind::Lock && order_.lanes[lane].lock == lock)
            return lane;
    }
    return std::nullopt;
}

std::optional<std::size_t> TrackModel::laneOfCpu(std::int32_t cpu) const {
    for (std::size_t lane = threadLaneCount(); lane < laneCount(); ++lane) {
        if (order_.lanes[lane].kind == LaneKind::Cpu && order_.lanes[lane].cpu == cpu)
            return lane;
    }
    return std::nullopt;
}

TrackGeometry TrackModel::query(std::size_t lane, TimeRange range, int width,
                                const LaneLayout& layout) const {
    return lanes_[lane]->draw(TimeScale::of(range, width), layout);
}

TrackGeometry TrackModel::losses(TimeRange range, int width, float height) const {
    TrackGeometry out;
    const auto add = [&](int first, int last) {
        const auto begin = static_cast<float>(first);
        const auto end = static_cast<float>(last + 1);
        if (!out.rects.empty() && out.rects.back().x + out.rects.back().width == begin)
            out.rects.back().width = end - out.rects.back().x;
        else
            out.rects.push_back(
                {begin, 0, end - begin, height, ThemeRole::Lost, RectShape::Hatched});
    };
    // Neighbours join: a hatched area has no parts.
    foldColumns(
        lossIndex_, TimeScale::of(range, width),
        [&](std::size_t, int first, int last) { add(first, last); },
        [&](int column, const auto&, std::size_t, std::size_t) { add(column, column); });
    return out;
}

TrackGeometry TrackModel::overview(TimeRange range, int width, float height) const {
    const TimeScale scale = TimeScale::of(range, width);
    constexpr float kTickHeight = 6;
    const float loadHeight = std::max(height - kTickHeight, 1.0F);
    ColumnStrip load{kTickHeight, loadHeight, {}, StripDetail::Exact};
    ColumnStrip ticks{0, kTickHeight, {}, StripDetail::Exact};
    for (int column = 0; column < scale.width; ++column) {
        const TimeRange slot = scale.columnRange(column);
        std::int64_t busy = 0;
        for (const CpuLane* cpu : cpuLanes_)
            busy += cpu->busyTime(slot);
        const double share = static_cast<double>(busy) / static_cast<double>(slot.length()) /
                             static_cast<double>(std::max<std::size_t>(cpuLanes_.size(), 1));
        const auto top = static_cast<float>(loadHeight * (1 - std::clamp(share, 0.0, 1.0)));
        if (busy > 0)
            load.columns.push_back({column, ThemeRole::Load, 255,
                                    static_cast<std::uint8_t>(std::min(top, loadHeight - 1)),
                                    static_cast<std::uint8_t>(loadHeight)});
        const std::int64_t boosted = boostIndex_.totals(slot)[0];
        const std::int64_t inverted = inversionIndex_.totals(slot)[0];
        if (inverted > 0)
            ticks.columns.push_back(
                {column, ThemeRole::InversionTick, 255, 0, static_cast<std::uint8_t>(kTickHeight)});
        else if (boosted > 0)
            ticks.columns.push_back({column, ThemeRole::BoostTick,
                                     coverageOf(boosted, slot.length()), 0,
                                     static_cast<std::uint8_t>(kTickHeight)});
    }
    TrackGeometry out = losses(range, width, height);
    out.strips.push_back(std::move(load));
    out.strips.push_back(std::move(ticks));
    return out;
}

TrackHit TrackModel::hit(std::size_t lane, std::int64_t time, float y, const LaneLayout& layout,
                         std::int64_t tolerance) const {
    return lanes_[lane]->hit(time, y, layout, tolerance);
}

TrackHit TrackModel::next(std::size_t lane, std::int64_t time) const {
    return lanes_[lane]->next(time);
}

TrackHit TrackModel::previous(std::size_t lane, std::int64_t time) const {
    return lanes_[lane]->previous(time);
}

const LockWait* TrackModel::waitAt(std::size_t lane, std::int64_t time) const {
    return lane < threadLaneCount() ? threadLanes_[lane]->waitAt(time) : nullptr;
}

ThreadLane::StateTotals TrackModel::stateTotals(std::size_t lane, TimeRange range) const {
    return lane < threadLaneCount() ? threadLanes_[lane]->totals(range) : ThreadLane::StateTotals{};
}

TrackGeometry TrackModel::inversionShade(std::size_t lane, TimeRange range, int width,
                                         float height) const {
    const TimeScale scale = TimeScale::of(range, width);
    TrackGeometry out;
    for (const std::uint32_t i : inversionsByLane_[lane]) {
        const InversionMark& mark = inversions_[i];
        if (!mark.range.overlaps(scale.range))
            continue;
        const auto first = std::clamp<std::int64_t>(scale.columnOf(mark.range.begin), 0, width - 1);
        const auto last =
            std::clamp<std::int64_t>(scale.columnOf(mark.range.end - 1), first, width - 1);
        out.rects.push_back({static_cast<float>(first), 0, static_cast<float>(last - first + 1),
                             height, ThemeRole::Inversion,
                             mark.unbounded ? RectShape::Hatched : RectShape::Solid});
    }
    return out;
}

const InversionMark* TrackModel::inversionAt(std::size_t lane, std::int64_t time) const {
    for (const std::uint32_t i : inversionsByLane_[lane]) {
        if (inversions_[i].range.contains(time))
            return &inversions_[i];
    }
    return nullptr;
}

std::string TrackModel::threadName(ThreadId thread) const {
    return thread.valid() ? inputs_.store->threadName(thread) : std::string{};
}

ClockUnit TrackModel::clockUnit() const {
    const auto streams = inputs_.store->streams();
    return streams.empty() ? ClockUnit::Nanoseconds : streams.front().clock.unit;
}

TimeRange TrackModel::wholeRange() const {
    TimeRange range = inputs_.store->range();
    range.end = std::max(range.end, range.begin + 1);
    return range;
}

} // namespace inversight
