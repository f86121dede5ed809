// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/virtual/flat_heap.h"
#include "core/virtual/task.h"

namespace inversight {

/// Fair threads all count as this when real-time ones are compared with them.
inline constexpr std::int32_t kFairRank = 100;

/// 0..99 real-time, -1 DEADLINE, kFairRank fair.
[[nodiscard]] inline std::int32_t rankOf(const Urgency& urgency) {
    return urgency.prio < kFairRank ? urgency.prio : kFairRank;
}

enum class QueueEnd { Head, Tail };

/// The runnable threads of one CPU that do not run: DEADLINE by deadline, FIFO and RR by priority
/// and then in their order, fair ones by weighted run time. Thread-bound.
class RunQueue {
public:
    explicit RunQueue(std::size_t taskCount) : urgent_(taskCount), fair_(taskCount) {}

    [[nodiscard]] bool empty() const { return urgent_.empty() && fair_.empty(); }
    [[nodiscard]] std::size_t size() const { return urgent_.size() + fair_.size(); }
    [[nodiscard]] bool hasFair() const { return !fair_.empty(); }
    [[nodiscard]] std::int64_t fairWeight() const { return fairWeight_; }
    [[nodiscard]] std::int64_t fairCount() const { return static_cast<std::int64_t>(fair_.size()); }
    /// Of the first fair thread.
    [[nodiscard]] std::int64_t firstVruntime() const { return fair_.firstKey().vruntime; }

    void add(TaskId id, const Task& task, QueueEnd end);
    void remove(TaskId id, const Task& task);
    /// The thread to run next; the queue must not be empty.
    [[nodiscard]] TaskId first() const;
    /// Whether some real-time or DEADLINE thread of exactly this rank waits.
    [[nodiscard]] bool hasRank(std::int32_t rank) const;

    /// The first of those that may run on a CPU of `mask`, or none.
    [[nodiscard]] TaskId firstAllowed(const std::vector<Task>& tasks, std::uint64_t mask) const;

private:
    struct UrgentKey {
        std::int32_t rank;
        std::int64_t order; ///< deadline of rank -1, place in line of others
        auto operator<=>(const UrgentKey&) const = default;
    };
    struct FairKey {
        std::int64_t vruntime;
        std::uint64_t arrival;
        auto operator<=>(const FairKey&) const = default;
    };

    FlatHeap<UrgentKey> urgent_;
    FlatHeap<FairKey> fair_;
    std::int64_t fairWeight_ = 0;
    std::int64_t tail_ = 0;
    std::int64_t head_ = 0;
    std::uint64_t arrivals_ = 0;
};

} // namespace inversight
