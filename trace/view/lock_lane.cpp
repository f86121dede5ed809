// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lock_lane.h"

#include "trace/view/lane_drawing.h"
#include "trace/view/lock_queue.h"

#include <array>

namespace inversight {

namespace {

/// A queue as high as this has names instead of slivers.
constexpr float kMinNamedQueue = 14;

constexpr std::array kOwnerRoles{ThemeRole::LockHeld, ThemeRole::LockContended,
                                 ThemeRole::LockUrgent};
constexpr std::array kOwnerShapes{RectShape::Solid, RectShape::Dotted, RectShape::Notched};

/// Cuts what lies in a queue's time out of an owner's span and gives it the queue's kind.
void cutByQueue(const LaneSpan& owner, const std::vector<LockQueue>& queues, std::uint8_t contended,
                std::uint8_t urgent, std::vector<LaneSpan>& out) {
    std::int64_t from = owner.range.begin;
    const auto add = [&](std::int64_t end, std::uint8_t kind) {
        if (end > from)
            out.push_back({{from, end}, owner.item, kind});
        from = std::max(from, end);
    };
    auto queue = std::partition_point(queues.begin(), queues.end(), [&](const LockQueue& each) {
        return each.range.end <= owner.range.begin;
    });
    for (; queue != queues.end() && queue->range.begin < owner.range.end; ++queue) {
        add(queue->range.begin, owner.kind);
        add(std::min(queue->range.end, owner.range.end), queue->urgent ? urgent : contended);
    }
    add(owner.range.end, owner.kind);
}

/// Neighbours of one hold and one kind are one piece.
std::vector<LaneSpan> joined(const std::vector<LaneSpan>& spans) {
    std::vector<LaneSpan> out;
    for (const LaneSpan& span : spans) {
        if (!out.empty() && out.back().item == span.item && out.back().kind == span.kind &&
            out.back().range.end == span.range.begin)
            out.back().range.end = span.range.end;
        else
            out.push_back(span);
    }
    return out;
}

} // namespace

LockLane::LockLane(const TrackInputs& inputs, LockId lock, std::span<const std::uint32_t> waits)
    : inputs_(&inputs), lock_(lock), queues_(lockQueues(inputs, lock, waits)) {
    collectOwners();
    collectQueue();
    owners_ = decltype(owners_)(ownerSpans_);
    queue_ = decltype(queue_)(queueSpans_);
}

void LockLane::collectOwners() {
    std::vector<LaneSpan> spans;
    for (const std::uint32_t i : inputs_->ownership->byLock[lock_.index()])
        spans.push_back({inputs_->ownership->holds[i].range, i, Held});
    std::vector<LaneSpan> cut;
    ThreadId owner;
    std::int64_t until = 0;
    for (const LaneSpan& span : flattenSpans(std::move(spans))) {
        const ThreadId thread = inputs_->ownership->holds[span.item].thread;
        ownershipCount_ += thread != owner || span.range.begin != until ? 1 : 0;
        heldTime_ += span.range.length();
        owner = thread;
        until = span.range.end;
        cutByQueue(span, queues_, Contended, Urgent, cut);
    }
    ownerSpans_ = joined(cut);
}

void LockLane::collectQueue() {
    for (std::uint32_t i = 0; i < queues_.size(); ++i) {
        const std::size_t depth = std::min<std::size_t>(queues_[i].waiterCount, kShownDepth);
        queueSpans_.push_back({queues_[i].range, i, static_cast<std::uint8_t>(depth - 1)});
    }
}

TrackGeometry LockLane::draw(const TimeScale& scale, const LaneLayout& layout) const {
    TrackGeometry out;
    drawOwners(scale, layout, out);
    drawQueue(scale, layout, out);
    return out;
}

void LockLane::drawOwners(const TimeScale& scale, const LaneLayout& layout,
                          TrackGeometry& out) const {
    ColumnStrip strip{layout.stateTop(), layout.state, {}};
    FoldCounter counter(out, layout.stateTop(), layout.state);
    foldColumns(
        owners_, scale,
        [&](std::size_t i, int first, int last) {
            const auto x = static_cast<float>(first);
            const float width = columnWidth(first, last);
            const LockHold& hold = inputs_->ownership->holds[owners_[i].item];
            const std::uint8_t kind = owners_[i].kind;
            const bool sure =
                hold.confidence == Confidence::Certain || hold.confidence == Confidence::High;
            out.rects.push_back({x, layout.stateTop(), width, layout.state, kOwnerRoles[kind],
                                 sure ? kOwnerShapes[kind] : RectShape::Dashed});
            if (width >= kMinLabelWidth)
                out.labels.push_back({x,
                                      layout.stateTop(),
                                      width,
                                      layout.state,
                                      kOwnerRoles[kind],
                                      {inputs_->store->threadName(hold.thread)}});
        },
        [&](int column, const auto& totals, std::size_t first, std::size_t last) {
            counter.add(column, first, last);
            // The worst that happened in a column is not to be lost in it.
            std::size_t kind = OwnerKindCount - 1;
            while (kind > 0 && totals[kind] == 0)
                --kind;
            const std::int64_t slot = scale.columnRange(column).length();
            const float held = static_cast<float>(coverageOf(sumOf(totals), slot)) / 255;
            strip.columns.push_back(pixelColumn(column, kOwnerRoles[kind],
                                                coverageOf(totals[kind], sumOf(totals)),
                                                layout.state * (1 - held), layout.state));
        });
    addStrip(out, std::move(strip));
}

void LockLane::drawQueue(const TimeScale& scale, const LaneLayout& layout,
                         TrackGeometry& out) const {
    const float sliver = std::floor(layout.lock / kShownDepth);
    ColumnStrip strip{layout.lockTop(), layout.lock, {}};
    foldColumns(
        queue_, scale,
        [&](std::size_t i, int first, int last) {
            const auto x = static_cast<float>(first);
            const float width = columnWidth(first, last);
            if (layout.lock >= kMinNamedQueue) {
                out.rects.push_back(
                    {x, layout.lockTop(), width, layout.lock, ThemeRole::Queue, RectShape::Filled});
                const LockQueue& queue = queues_[queue_[i].item];
                if (width >= kMinLabelWidth)
                    out.labels.push_back({x,
                                          layout.lockTop(),
                                          width,
                                          layout.lock,
                                          ThemeRole::Queue,
                                          {waiterText(queue), std::to_string(queue.waiterCount)}});
                return;
            }
            for (int depth = 0; depth <= queue_[i].kind; ++depth)
                out.rects.push_back({x, layout.lockTop() + static_cast<float>(depth) * sliver,
                                     width, std::max(sliver - 1, 1.0F), ThemeRole::Wait,
                                     RectShape::Solid});
        },
        [&](int column, const auto& totals, std::size_t, std::size_t) {
            std::size_t depth = kShownDepth - 1;
            while (depth > 0 && totals[depth] == 0)
                --depth;
            const std::int64_t slot = scale.columnRange(column).length();
            strip.columns.push_back(pixelColumn(column, ThemeRole::Wait,
                                                coverageOf(sumOf(totals), slot), 0,
                                                sliver * static_cast<float>(depth + 1)));
        });
    addStrip(out, std::move(strip));
}

std::string LockLane::waiterText(const LockQueue& queue) const {
    std::string text;
    for (const ThreadId thread : queue.waiters)
        text += (text.empty() ? "" : ", ") + inputs_->store->threadName(thread);
    if (queue.waiterCount > queue.waiters.size())
        text += " +" + std::to_string(queue.waiterCount - queue.waiters.size());
    return text;
}

TrackHit LockLane::ownerHit(const LaneSpan* span) const {
    if (!span)
        return {};
    const LockHold& hold = inputs_->ownership->holds[span->item];
    return {hold.thread, hold};
}

TrackHit LockLane::hit(std::int64_t time, float y, const LaneLayout& layout,
                       std::int64_t tolerance) const {
    if (y < layout.lockTop())
        return ownerHit(nearestInterval(owners_, time, tolerance));
    const LaneSpan* span = nearestInterval(queue_, time, tolerance);
    if (!span)
        return {};
    const LockQueue& queue = queues_[span->item];
    return {queue.waiters.front(), queue};
}

TrackHit LockLane::next(std::int64_t time) const {
    return ownerHit(intervalAfter(owners_, time));
}

TrackHit LockLane::previous(std::int64_t time) const {
    return ownerHit(intervalBefore(owners_, time));
}

} // namespace inversight
