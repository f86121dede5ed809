// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/thread_log.h"

#include <algorithm>

namespace inversight {

namespace {

std::size_t hashOf(std::int32_t tid, std::int32_t cpu) {
    const auto key = static_cast<std::uint32_t>(tid != 0 ? tid : ~cpu);
    return (key * 0x9e3779b1U) >> 8;
}

} // namespace

std::uint32_t& ThreadLog::slotOf(std::int32_t tid, std::int32_t cpu) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hashOf(tid, cpu) & mask;
    while (slots_[place] != kFree && !isOf(mentions_[slots_[place]], tid, cpu))
        place = (place + 1) & mask;
    return slots_[place];
}

ThreadMention& ThreadLog::add(std::uint32_t& slot, std::int32_t tid, std::int32_t cpu,
                              std::int64_t time) {
    slot = static_cast<std::uint32_t>(mentions_.size());
    ThreadMention& mention = mentions_.emplace_back();
    mention.tid = tid;
    mention.cpu = cpu;
    mention.firstTime = mention.lastTime = time;
    if (++used_ * 2 > slots_.size())
        grow();
    return mention;
}

void ThreadLog::grow() {
    std::vector<std::uint32_t> old(slots_.size() * 2, kFree);
    slots_.swap(old);
    for (const std::uint32_t mention : old) {
        if (mention != kFree)
            slotOf(mentions_[mention].tid, mentions_[mention].cpu) = mention;
    }
}

void ThreadLog::clear() {
    std::ranges::fill(slots_, kFree);
    mentions_.clear();
    used_ = 0;
    last_ = kFree;
}

void ThreadLog::forked(std::int32_t parentTid, std::int32_t childTid, std::int32_t cpu,
                       std::int64_t time) {
    touch(parentTid, cpu, time);
    last_ = kFree; // may be the child's predecessor
    std::uint32_t& slot = slotOf(childTid, cpu);
    if (slot != kFree) {
        // Whoever bore this tid before is somebody else; the slot passes to the child.
        slot = static_cast<std::uint32_t>(mentions_.size());
        ThreadMention& child = mentions_.emplace_back();
        child.tid = childTid;
        child.cpu = cpu;
        child.firstTime = child.lastTime = time;
    } else {
        add(slot, childTid, cpu, time);
    }
    mentions_.back().forkTime = time;
    mentions_.back().parentTid = parentTid;
}

} // namespace inversight
