// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"
#include "trace/model/thread_table.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace inversight {

/// What one stretch of the merged order says about a thread.
struct ThreadMention {
    std::int32_t tid = 0;
    std::int32_t cpu = 0; ///< where it was mentioned first: whose idle task, if tid is 0
    std::int64_t firstTime = 0;
    std::int64_t lastTime = 0;
    std::vector<NameChange> names;
    std::int32_t tgid = -1;               ///< -1: not said
    std::optional<std::int64_t> forkTime; ///< a fork in this stretch begins the incarnation
    std::int32_t parentTid = 0;           ///< of that fork
    std::optional<std::int64_t> exitTime;
};

/// Collects the threads of one stretch of the merged order, so that stretches are looked through in
/// parallel and joined afterwards, in order, by ThreadTableBuilder. A fork begins a new mention of
/// its child. Complexity: O(1) a call. Thread-bound.
class ThreadLog {
public:
    ThreadLog() : slots_(kFirstSlots, kFree) {}

    void seen(std::int32_t tid, std::int32_t cpu, std::int64_t time) { touch(tid, cpu, time); }
    void named(std::int32_t tid, std::int32_t cpu, std::int64_t time, StringId name) {
        ThreadMention& mention = touch(tid, cpu, time);
        if (mention.names.empty() || mention.names.back().name != name)
            mention.names.push_back({time, name});
    }
    void threadGroup(std::int32_t tid, std::int32_t cpu, std::int64_t time, std::int32_t tgid) {
        touch(tid, cpu, time).tgid = tgid;
    }
    void forked(std::int32_t parentTid, std::int32_t childTid, std::int32_t cpu, std::int64_t time);
    void exited(std::int32_t tid, std::int32_t cpu, std::int64_t time) {
        touch(tid, cpu, time).exitTime = time;
    }

    void clear();

    /// In the order of first mention.
    [[nodiscard]] const std::vector<ThreadMention>& mentions() const { return mentions_; }

private:
    static constexpr std::size_t kFirstSlots = 256; ///< a power of two
    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    ThreadMention& touch(std::int32_t tid, std::int32_t cpu, std::int64_t time) {
        // Who was mentioned last is mentioned again more often than not.
        if (last_ >= mentions_.size() || !isOf(mentions_[last_], tid, cpu)) {
            std::uint32_t& slot = slotOf(tid, cpu);
            if (slot == kFree) [[unlikely]]
                return add(slot, tid, cpu, time);
            last_ = slot;
        }
        ThreadMention& mention = mentions_[last_];
        // In merged order times ascend, but for a CPU whose own times step back.
        if (time > mention.lastTime)
            mention.lastTime = time;
        else if (time < mention.firstTime)
            mention.firstTime = time;
        return mention;
    }
    static bool isOf(const ThreadMention& mention, std::int32_t tid, std::int32_t cpu) {
        return mention.tid == tid && (tid != 0 || mention.cpu == cpu);
    }
    std::uint32_t& slotOf(std::int32_t tid, std::int32_t cpu);
    ThreadMention& add(std::uint32_t& slot, std::int32_t tid, std::int32_t cpu, std::int64_t time);
    void grow();

    std::vector<std::uint32_t> slots_; ///< open addressing: the latest mention of a tid
    std::vector<ThreadMention> mentions_;
    std::uint32_t last_ = 0; ///< the latest mention of somebody
    std::size_t used_ = 0;
};

} // namespace inversight
