// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/run_queue.h"

#include <cassert>
#include <optional>

namespace inversight {

void RunQueue::add(TaskId id, const Task& task, QueueEnd end) {
    const std::int32_t rank = rankOf(task.urgency);
    if (rank == kFairRank) {
        fair_.set(id.index(), {task.vruntimeNs, ++arrivals_});
        fairWeight_ += task.weight;
    } else if (rank < 0) {
        urgent_.set(id.index(), {rank, task.urgency.deadlineNs});
    } else {
        urgent_.set(id.index(), {rank, end == QueueEnd::Head ? --head_ : ++tail_});
    }
}

void RunQueue::remove(TaskId id, const Task& task) {
    if (fair_.contains(id.index())) {
        fair_.remove(id.index());
        fairWeight_ -= task.weight;
    } else {
        urgent_.remove(id.index());
    }
}

TaskId RunQueue::first() const {
    assert(!empty());
    const std::size_t item = urgent_.empty() ? fair_.first() : urgent_.first();
    return TaskId{static_cast<std::uint32_t>(item)};
}

bool RunQueue::hasRank(std::int32_t rank) const {
    // Nobody above `rank` waits while a thread of it runs, so only the first can have it.
    return !urgent_.empty() && urgent_.firstKey().rank == rank;
}

TaskId RunQueue::firstAllowed(const std::vector<Task>& tasks, std::uint64_t mask) const {
    TaskId best;
    std::optional<UrgentKey> bestUrgent;
    urgent_.forEach([&](std::size_t item, const UrgentKey& key) {
        if ((tasks[item].allowed & mask) != 0 && (!bestUrgent || key < *bestUrgent)) {
            bestUrgent = key;
            best = TaskId{static_cast<std::uint32_t>(item)};
        }
    });
    if (best.valid())
        return best;
    std::optional<FairKey> bestFair;
    fair_.forEach([&](std::size_t item, const FairKey& key) {
        if ((tasks[item].allowed & mask) != 0 && (!bestFair || key < *bestFair)) {
            bestFair = key;
            best = TaskId{static_cast<std::uint32_t>(item)};
        }
    });
    return best;
}

} // namespace inversight
