// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lock_queue.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace inversight {

namespace {

constexpr std::int32_t kNoPriority = std::numeric_limits<std::int32_t>::max();

/// Someone comes to the lock or leaves it: a waiter, or its owner.
struct QueueChange {
    std::int64_t time = 0;
    bool arrives = false; ///< leaving comes first at the same time
    bool owner = false;
    ThreadId thread;
    std::int32_t prio = kNoPriority; ///< its own, not an inherited one
};

std::int32_t ownPriority(const TrackInputs& inputs, ThreadId thread, std::int64_t time) {
    return inputs.priorities ? inputs.priorities->baseAt(thread, time).value_or(kNoPriority)
                             : kNoPriority;
}

std::vector<QueueChange> changesOf(const TrackInputs& inputs, LockId lock,
                                   std::span<const std::uint32_t> waits) {
    std::vector<QueueChange> changes;
    const auto add = [&](const TimeRange& range, ThreadId thread, bool owner) {
        if (range.length() <= 0)
            return;
        const std::int32_t prio = ownPriority(inputs, thread, range.begin);
        changes.push_back({range.begin, true, owner, thread, prio});
        changes.push_back({range.end, false, owner, thread, prio});
    };
    for (const std::uint32_t i : waits)
        add(inputs.waits->waits[i].range, inputs.waits->waits[i].thread, false);
    if (inputs.ownership) {
        for (const std::uint32_t i : inputs.ownership->byLock[lock.index()])
            add(inputs.ownership->holds[i].range, inputs.ownership->holds[i].thread, true);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return std::tie(a.time, a.arrives) < std::tie(b.time, b.arrives);
    });
    return changes;
}

/// Those at the lock now.
class Standing {
public:
    void apply(const QueueChange& change) {
        std::vector<QueueChange>& group = change.owner ? owners_ : waiters_;
        const auto same = [&](const QueueChange& each) { return each.thread == change.thread; };
        if (!change.arrives) {
            const auto found = std::find_if(group.begin(), group.end(), same);
            if (found != group.end())
                group.erase(found);
            return;
        }
        // The highest priority first, of equals who came first.
        const auto place =
            std::upper_bound(group.begin(), group.end(), change,
                             [](const auto& a, const auto& b) { return a.prio < b.prio; });
        group.insert(place, change);
    }

    [[nodiscard]] LockQueue queue(LockId lock, TimeRange range) const {
        LockQueue out{lock, range, static_cast<std::uint32_t>(waiters_.size()), false, {}};
        for (std::size_t i = 0; i < std::min(waiters_.size(), kNamedWaiters); ++i)
            out.waiters.push_back(waiters_[i].thread);
        out.urgent = !waiters_.empty() && !owners_.empty() && owners_.front().prio != kNoPriority &&
                     waiters_.front().prio < owners_.front().prio;
        return out;
    }
    [[nodiscard]] bool empty() const { return waiters_.empty(); }

private:
    std::vector<QueueChange> waiters_;
    std::vector<QueueChange> owners_;
};

} // namespace

std::vector<LockQueue> lockQueues(const TrackInputs& inputs, LockId lock,
                                  std::span<const std::uint32_t> waits) {
    std::vector<LockQueue> queues;
    Standing standing;
    std::int64_t since = 0;
    for (const QueueChange& change : changesOf(inputs, lock, waits)) {
        if (!standing.empty() && change.time > since)
            queues.push_back(standing.queue(lock, {since, change.time}));
        standing.apply(change);
        since = change.time;
    }
    return queues;
}

} // namespace inversight
