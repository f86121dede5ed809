// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/thread_lane.h"

#include "core/base/time_format.h"
#include "trace/view/lane_drawing.h"
#include "trace/view/state_look.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace inversight {

namespace {

/// A boost never gets thinner than this, however small the step.
constexpr float kMinBoostHeight = 4;
/// A boost lower than this has its text in the whole row.
constexpr float kMinLabelHeight = 12;
/// A boost narrower than this has its text beside it, where there is room.
constexpr float kMinInnerBoostLabel = 90;

std::int32_t basePriorityOf(const LaneSpan& span) {
    return std::bit_cast<std::int32_t>(span.item);
}

float priorityY(std::int32_t prio, const LaneLayout& layout) {
    return layout.priorityTop() + (1 - priorityLevel(prio)) * (layout.priority - 1);
}

struct VerticalSpan {
    float top = 0;
    float bottom = 0;
};

VerticalSpan boostSpan(std::int32_t from, std::int32_t to, const LaneLayout& layout) {
    const float bottom = priorityY(from, layout) + 1;
    const float top = std::min(priorityY(to, layout), bottom - kMinBoostHeight);
    return {std::max(top, layout.priorityTop()), bottom};
}

} // namespace

float priorityLevel(std::int32_t prio) {
    if (prio < 0)
        return 1;
    if (prio < 100)
        return 0.95F - 0.45F * static_cast<float>(prio) / 99;
    return 0.30F * (1 - static_cast<float>(std::min(prio, 139) - 100) / 39);
}

std::string lockNameOf(const TrackInputs& inputs, LockId lock) {
    if (!inputs.lockEvents || lock.index() >= inputs.lockEvents->locks.size())
        return {};
    return inputs.lockEvents->locks[lock.index()].name;
}

ThreadLane::ThreadLane(const TrackInputs& inputs, ThreadId thread)
    : inputs_(&inputs), thread_(thread) {
    if (inputs.states && thread.index() < inputs.states->byThread.size())
        states_ = decltype(states_)(inputs.states->byThread[thread.index()]);
    if (inputs.priorities && thread.index() < inputs.priorities->byThread.size())
        collectBase(inputs.priorities->byThread[thread.index()]);
    collectBoosts();
    collectLocks();
    collectTransfers();
    base_ = SpanIndex(baseSpans_);
    boosts_ = SpanIndex(boostSpans_);
    locks_ = SpanIndex(lockSpans_);
    transfers_ = SpanIndex(transferSpans_);
}

void ThreadLane::collectBase(const std::vector<PriorityStep>& steps) {
    for (const PriorityStep& step : steps) {
        if (step.range.length() <= 0)
            continue;
        const auto base = std::bit_cast<std::uint32_t>(step.base);
        if (!baseSpans_.empty() && baseSpans_.back().item == base &&
            baseSpans_.back().range.end == step.range.begin)
            baseSpans_.back().range.end = step.range.end;
        else
            baseSpans_.push_back({step.range, base, 0});
    }
}

void ThreadLane::collectBoosts() {
    if (!inputs_->boosts)
        return;
    std::vector<LaneSpan> spans;
    for (const std::uint32_t i : indicesOf(inputs_->boosts->byTarget, thread_)) {
        const Boost& boost = inputs_->boosts->boosts[i];
        spans.push_back({boost.range, i, boost.nominal ? NominalKind : RealKind});
    }
    boostSpans_ = flattenSpans(std::move(spans));
}

void ThreadLane::collectLocks() {
    std::vector<LaneSpan> spans;
    if (inputs_->ownership) {
        for (const std::uint32_t i : indicesOf(inputs_->ownership->byThread, thread_))
            spans.push_back({inputs_->ownership->holds[i].range, i, HoldKind});
    }
    if (inputs_->waits) {
        for (const std::uint32_t i : indicesOf(inputs_->waits->byThread, thread_))
            spans.push_back({inputs_->waits->waits[i].range, i, WaitKind});
    }
    lockSpans_ = flattenSpans(std::move(spans));
}

void ThreadLane::collectTransfers() {
    if (!inputs_->bus)
        return;
    std::vector<LaneSpan> spans;
    for (const std::uint32_t i : indicesOf(inputs_->bus->byThread, thread_))
        spans.push_back({inputs_->bus->transfers[i].range, i, 0});
    transferSpans_ = flattenSpans(std::move(spans));
}

TrackGeometry ThreadLane::draw(const TimeScale& scale, const LaneLayout& layout) const {
    TrackGeometry out;
    drawStates(scale, layout, out);
    drawLocks(scale, layout, out);
    drawTransfers(scale, layout, out);
    drawBase(scale, layout, out);
    drawBoosts(scale, layout, out);
    return out;
}

void ThreadLane::drawStates(const TimeScale& scale, const LaneLayout& layout,
                            TrackGeometry& out) const {
    ColumnStrip strip{layout.stateTop(), layout.state, {}};
    FoldCounter counter(out, layout.stateTop(), layout.state);
    foldColumns(
        states_, scale,
        [&](std::size_t i, int first, int last) {
            const StateLook& look = stateLook(states_[i].state);
            if (columnWidth(first, last) >= kMinLabelWidth) {
                const float top = look.top(layout.state);
                if (std::vector<std::string> texts = stateTexts(states_[i]); !texts.empty())
                    out.labels.push_back({static_cast<float>(first), layout.stateTop() + top,
                                          columnWidth(first, last), layout.state - top, look.role,
                                          std::move(texts)});
            }
            if (look.shape)
                out.rects.push_back(
                    {static_cast<float>(first), layout.stateTop() + look.top(layout.state),
                     columnWidth(first, last), layout.state - look.top(layout.state), look.role,
                     *look.shape});
        },
        [&](int column, const auto& totals, std::size_t firstItem, std::size_t lastItem) {
            counter.add(column, firstItem, lastItem);
            const std::size_t kind = dominantKind(totals, [](std::size_t each) {
                return stateLook(static_cast<ThreadState>(each)).quiet;
            });
            const StateLook& look = stateLook(static_cast<ThreadState>(kind));
            if (look.shape)
                strip.columns.push_back(pixelColumn(column, look.role,
                                                    coverageOf(totals[kind], sumOf(totals)),
                                                    look.top(layout.state), layout.state));
        });
    addStrip(out, std::move(strip));
}

void ThreadLane::drawLocks(const TimeScale& scale, const LaneLayout& layout,
                           TrackGeometry& out) const {
    constexpr std::array roles{ThemeRole::Hold, ThemeRole::Wait};
    constexpr std::array shapes{RectShape::Solid, RectShape::Outline};
    ColumnStrip strip{layout.lockTop(), layout.lock, {}};
    foldColumns(
        locks_, scale,
        [&](std::size_t i, int first, int last) {
            const std::uint8_t kind = locks_[i].kind;
            out.rects.push_back({static_cast<float>(first), layout.lockTop(),
                                 columnWidth(first, last), layout.lock, roles[kind], shapes[kind]});
        },
        [&](int column, const auto& totals, std::size_t, std::size_t) {
            const std::size_t kind = dominantKind(totals, [](std::size_t) { return false; });
            const std::int64_t slot = scale.columnRange(column).length();
            strip.columns.push_back(
                pixelColumn(column, roles[kind], coverageOf(totals[kind], slot), 0, layout.lock));
        });
    addStrip(out, std::move(strip));
}

void ThreadLane::drawTransfers(const TimeScale& scale, const LaneLayout& layout,
                               TrackGeometry& out) const {
    // The lower half of the hold that the transfer happens under.
    const float height = std::ceil(layout.lock / 2);
    ColumnStrip strip{layout.lockTop() + layout.lock - height, height, {}};
    foldColumns(
        transfers_, scale,
        [&](std::size_t, int first, int last) {
            out.rects.push_back({static_cast<float>(first), strip.y, columnWidth(first, last),
                                 height, ThemeRole::Wire, RectShape::Solid});
        },
        [&](int column, const auto& totals, std::size_t, std::size_t) {
            const std::int64_t slot = scale.columnRange(column).length();
            strip.columns.push_back(
                pixelColumn(column, ThemeRole::Wire, coverageOf(sumOf(totals), slot), 0, height));
        });
    addStrip(out, std::move(strip));
}

void ThreadLane::drawBase(const TimeScale& scale, const LaneLayout& layout,
                          TrackGeometry& out) const {
    GeometryLine line{.role = ThemeRole::BasePriority};
    bool open = false;
    const auto extend = [&](std::int32_t prio, int first, int last) {
        const float y = priorityY(prio, layout) + 0.5F;
        const auto begin = static_cast<float>(first);
        const auto end = static_cast<float>(last + 1);
        if (open && line.x2 == begin && line.y1 == y) {
            line.x2 = end;
            return;
        }
        if (open) {
            out.lines.push_back(line);
            if (line.x2 == begin) // the step between two levels
                out.lines.push_back({begin, line.y1, begin, y, ThemeRole::BasePriority});
        }
        line = {begin, y, end, y, ThemeRole::BasePriority};
        open = true;
    };
    foldColumns(
        base_, scale,
        [&](std::size_t i, int first, int last) { extend(basePriorityOf(base_[i]), first, last); },
        [&](int column, const auto&, std::size_t, std::size_t last) {
            extend(basePriorityOf(base_[last - 1]), column, column);
        });
    if (open)
        out.lines.push_back(line);
}

void ThreadLane::drawBoosts(const TimeScale& scale, const LaneLayout& layout,
                            TrackGeometry& out) const {
    ColumnStrip strip{layout.priorityTop(), layout.priority, {}};
    foldColumns(
        boosts_, scale,
        [&](std::size_t i, int first, int last) {
            // Labels may use the empty columns up to the next boost.
            std::int64_t free = scale.width;
            if (i + 1 < boosts_.size())
                free = std::min(free, scale.columnOf(boosts_[i + 1].range.begin));
            const BoostColumns columns{first, last, static_cast<int>(free)};
            drawBoost(inputs_->boosts->boosts[boosts_[i].item], scale, layout, columns, out);
        },
        [&](int column, const auto& totals, std::size_t first, std::size_t) {
            const bool real = totals[RealKind] > 0;
            const Boost& boost = inputs_->boosts->boosts[boosts_[first].item];
            const VerticalSpan span = boostSpan(boost.fromPrio, boost.toPrio, layout);
            const std::int64_t slot = scale.columnRange(column).length();
            strip.columns.push_back(pixelColumn(
                column, real ? ThemeRole::Boost : ThemeRole::NominalBoost,
                coverageOf(sumOf(totals), slot), span.top - strip.y, span.bottom - strip.y));
        });
    addStrip(out, std::move(strip));
}

void ThreadLane::drawBoost(const Boost& boost, const TimeScale& scale, const LaneLayout& layout,
                           const BoostColumns& columns, TrackGeometry& out) const {
    const auto [firstColumn, lastColumn, freeColumn] = columns;
    const ThemeRole role = boost.nominal ? ThemeRole::NominalBoost : ThemeRole::Boost;
    const bool sure =
        boost.confidence == Confidence::Certain || boost.confidence == Confidence::High;
    const RectShape shape = sure ? RectShape::Filled : RectShape::Dashed;
    const auto add = [&](std::int32_t prio, int begin, int end) {
        const VerticalSpan span = boostSpan(boost.fromPrio, prio, layout);
        out.rects.push_back({static_cast<float>(begin), span.top, columnWidth(begin, end),
                             span.bottom - span.top, role, shape});
    };
    // The label stands on the boost's peak, or on all of it where the peak is but a small part.
    const VerticalSpan peak = boostSpan(boost.fromPrio, boost.toPrio, layout);
    const bool flat = peak.bottom - peak.top < kMinLabelHeight;
    GeometryLabel label{static_cast<float>(firstColumn),
                        flat ? layout.priorityTop() : peak.top,
                        columnWidth(firstColumn, lastColumn),
                        flat ? layout.priority : peak.bottom - peak.top,
                        role,
                        {}};
    // One rectangle per level that has columns of its own; the last level of a column wins.
    int begin = firstColumn;
    for (std::size_t i = 0; i < boost.levels.size() && begin <= lastColumn; ++i) {
        int end = lastColumn;
        if (i + 1 < boost.levels.size())
            end = static_cast<int>(std::clamp<std::int64_t>(
                scale.columnOf(boost.levels[i + 1].time) - 1, begin - 1, lastColumn));
        if (end < begin)
            continue;
        add(boost.levels[i].prio, begin, end);
        if (boost.levels[i].prio == boost.toPrio && columnWidth(begin, end) > label.width / 2) {
            label.x = static_cast<float>(begin);
            label.width = columnWidth(begin, end);
        }
        begin = end + 1;
    }
    if (boost.levels.empty())
        add(boost.toPrio, firstColumn, lastColumn);
    // A boost too narrow for its words has them beside it: they are what the picture is about.
    const float beside = columnWidth(lastColumn + 1, freeColumn - 1);
    if (label.width < kMinInnerBoostLabel && beside > label.width) {
        label.x = static_cast<float>(lastColumn + 1);
        label.width = beside;
    }
    if (label.width >= kMinLabelWidth) {
        label.texts = boostTexts(boost);
        out.labels.push_back(std::move(label));
    }
}

std::vector<std::string> ThreadLane::boostTexts(const Boost& boost) const {
    const std::string lock = lockNameOf(*inputs_, boost.lock);
    if (!boost.donor.valid()) {
        const std::string level = "\u2191 " + formatKernelPriority(boost.toPrio);
        return lock.empty() ? std::vector{level} : std::vector{level + " via " + lock, level};
    }
    const std::string donor = "\u2190 " + inputs_->store->threadName(boost.donor);
    if (lock.empty())
        return {donor};
    return {donor + " via " + lock, donor};
}

/// Names only: which lock and its owner, which transfer. The other states speak for themselves.
std::vector<std::string> ThreadLane::stateTexts(const ThreadStateInterval& interval) const {
    if (interval.state == ThreadState::BlockedLock) {
        const LockWait* wait = waitAt(interval.range.begin);
        if (!wait)
            return {};
        const std::string lock = lockNameOf(*inputs_, wait->lock);
        if (!wait->owner.valid())
            return {lock};
        const std::string owner = inputs_->store->threadName(wait->owner);
        return {lock + ": " + owner, owner};
    }
    if (interval.state == ThreadState::Wire) {
        if (const LaneSpan* span = transfers_.at(interval.range.begin)) {
            const BusTransfer& transfer = inputs_->bus->transfers[span->item];
            const std::string bus(inputs_->store->text(transfer.bus));
            return {bus + " " + std::string(inputs_->store->text(transfer.operation)), bus};
        }
    }
    return {};
}

const LockWait* ThreadLane::waitAt(std::int64_t time) const {
    const LaneSpan* span = locks_.at(time);
    return span && span->kind == WaitKind ? &inputs_->waits->waits[span->item] : nullptr;
}

TrackHit ThreadLane::hit(std::int64_t time, float y, const LaneLayout& layout,
                         std::int64_t tolerance) const {
    if (y < layout.stateTop())
        return hitPriority(time, tolerance);
    if (y >= layout.lockTop()) {
        const bool transferRow = y >= layout.lockTop() + layout.lock / 2;
        if (TrackHit found = hitLock(time, transferRow, tolerance); found.range().length() > 0)
            return found;
    }
    if (const ThreadStateInterval* interval = states_.at(time))
        return {thread_, *interval};
    return {thread_, {}};
}

TrackHit ThreadLane::next(std::int64_t time) const {
    const ThreadStateInterval* found = intervalAfter(states_, time);
    return found ? TrackHit{thread_, *found} : TrackHit{thread_, {}};
}

TrackHit ThreadLane::previous(std::int64_t time) const {
    const ThreadStateInterval* found = intervalBefore(states_, time);
    return found ? TrackHit{thread_, *found} : TrackHit{thread_, {}};
}

ThreadLane::StateTotals ThreadLane::totals(const TimeRange& range) const {
    return states_.totals(range);
}

TrackHit ThreadLane::hitPriority(std::int64_t time, std::int64_t tolerance) const {
    if (const LaneSpan* span = nearestInterval(boosts_, time, tolerance))
        return {thread_, inputs_->boosts->boosts[span->item]};
    if (inputs_->priorities) {
        if (const PriorityStep* step = inputs_->priorities->at(thread_, time))
            return {thread_, *step};
    }
    return {thread_, {}};
}

TrackHit ThreadLane::hitLock(std::int64_t time, bool transferRow, std::int64_t tolerance) const {
    if (transferRow) {
        if (const LaneSpan* span = nearestInterval(transfers_, time, tolerance))
            return {thread_, inputs_->bus->transfers[span->item]};
    }
    const LaneSpan* span = nearestInterval(locks_, time, tolerance);
    if (!span)
        return {thread_, {}};
    if (span->kind == WaitKind)
        return {thread_, inputs_->waits->waits[span->item]};
    return {thread_, inputs_->ownership->holds[span->item]};
}

} // namespace inversight
