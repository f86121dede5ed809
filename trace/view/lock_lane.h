// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane.h"
#include "trace/view/lane_index.h"
#include "trace/view/lane_spans.h"
#include "trace/view/track_inputs.h"

namespace inversight {

/// A lock: its owners, by how badly others want it, and beneath them its queue, a sliver per waiter
/// with names where there is room. Borrows from the inputs.
class LockLane final : public Lane {
public:
    /// `waits` are the lock's (indices).
    LockLane(const TrackInputs& inputs, LockId lock, std::span<const std::uint32_t> waits);
    LockLane(const LockLane&) = delete;
    LockLane& operator=(const LockLane&) = delete;

    [[nodiscard]] TrackGeometry draw(const TimeScale& scale,
                                     const LaneLayout& layout) const override;
    [[nodiscard]] TrackHit hit(std::int64_t time, float y, const LaneLayout& layout,
                               std::int64_t tolerance) const override;
    /// Owners.
    [[nodiscard]] TrackHit next(std::int64_t time) const override;
    [[nodiscard]] TrackHit previous(std::int64_t time) const override;

    /// How often an owner took over, and for how long the lock was held in all; a hold that two
    /// kinds of evidence show counts once.
    [[nodiscard]] std::uint32_t ownershipCount() const { return ownershipCount_; }
    [[nodiscard]] std::int64_t heldTime() const { return heldTime_; }

private:
    enum OwnerKind : std::uint8_t { Held, Contended, Urgent, OwnerKindCount };

    void collectOwners();
    void collectQueue();
    void drawOwners(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    void drawQueue(const TimeScale& scale, const LaneLayout& layout, TrackGeometry& out) const;
    [[nodiscard]] std::string waiterText(const LockQueue& queue) const;
    [[nodiscard]] TrackHit ownerHit(const LaneSpan* span) const;

    const TrackInputs* inputs_;
    LockId lock_;
    std::uint32_t ownershipCount_ = 0;
    std::int64_t heldTime_ = 0;
    std::vector<LockQueue> queues_;
    std::vector<LaneSpan> ownerSpans_; ///< kind = OwnerKind, item = index into holds
    std::vector<LaneSpan> queueSpans_; ///< kind = waiters - 1, at most kShownDepth; item = queue
    static constexpr std::size_t kShownDepth = 3;
    LaneIndex<LaneSpan, OwnerKindCount> owners_;
    LaneIndex<LaneSpan, kShownDepth> queue_;
};

} // namespace inversight
