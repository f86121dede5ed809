// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/track_model.h"

#include <algorithm>
#include <cmath>

namespace inversight {

Result<std::shared_ptr<const TrackModel>>
TrackModel::build(TrackInputs inputs, std::span<const LeadThread> leads, const JobContext& job) {
    // Not make_shared: the constructor is private, and lanes borrow from the finished object.
    std::shared_ptr<TrackModel> model(new TrackModel(std::move(inputs)));
    model->order_ = orderLanes(model->inputs_, leads);
    model->laneByThread_.assign(model->inputs_.store->threads().size(), model->laneCount());
    for (const LaneInfo& lane : model->order_.lanes) {
        TRY(job.check("preparing the timeline"));
        job.report({"preparing the timeline", model->lanes_.size(), model->laneCount()});
        model->laneByThread_[lane.thread.index()] = model->lanes_.size();
        model->lanes_.emplace_back(model->inputs_, lane.thread);
    }
    model->collectLosses();
    model->collectCpus();
    model->collectBoosts();
    return std::shared_ptr<const TrackModel>(std::move(model));
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
    lossIndex_ = CpuIndex(losses_);
}

void TrackModel::collectCpus() {
    if (!inputs_.runs)
        return;
    cpus_.reserve(inputs_.runs->byCpu.size());
    for (const auto& [cpu, indices] : inputs_.runs->byCpu) {
        std::vector<LaneSpan> spans;
        for (const std::uint32_t i : indices) {
            const SchedRun& run = inputs_.runs->runs[i];
            const bool idle = run.thread.valid() && inputs_.store->threads()[run.thread].isIdle();
            if (!idle)
                spans.push_back({run.range, 0, 0});
        }
        CpuLoad& load = cpus_.emplace_back();
        load.busy = flattenSpans(std::move(spans));
        load.index = CpuIndex(load.busy);
    }
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
    boostIndex_ = CpuIndex(boosts_);
}

std::optional<std::size_t> TrackModel::laneOf(ThreadId thread) const {
    if (thread.index() >= laneByThread_.size() || laneByThread_[thread.index()] >= laneCount())
        return std::nullopt;
    return laneByThread_[thread.index()];
}

TrackGeometry TrackModel::query(std::size_t lane, TimeRange range, int width,
                                const LaneLayout& layout) const {
    return lanes_[lane].draw(TimeScale::of(range, width), layout);
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
    ColumnStrip load{kTickHeight, loadHeight, {}};
    ColumnStrip ticks{0, kTickHeight, {}};
    for (int column = 0; column < scale.width; ++column) {
        const TimeRange slot = scale.columnRange(column);
        std::int64_t busy = 0;
        for (const CpuLoad& cpu : cpus_)
            busy += cpu.index.totals(slot)[0];
        const double share = static_cast<double>(busy) / static_cast<double>(slot.length()) /
                             static_cast<double>(std::max<std::size_t>(cpus_.size(), 1));
        const auto top = static_cast<float>(loadHeight * (1 - std::clamp(share, 0.0, 1.0)));
        if (busy > 0)
            load.columns.push_back({column, ThemeRole::Load, 255,
                                    static_cast<std::uint8_t>(std::min(top, loadHeight - 1)),
                                    static_cast<std::uint8_t>(loadHeight)});
        const std::int64_t boosted = boostIndex_.totals(slot)[0];
        if (boosted > 0)
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
    return lanes_[lane].hit(time, y, layout, tolerance);
}

const LockWait* TrackModel::waitAt(std::size_t lane, std::int64_t time) const {
    return lanes_[lane].waitAt(time);
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
