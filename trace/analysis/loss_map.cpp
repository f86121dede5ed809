// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/loss_map.h"

#include <algorithm>
#include <utility>

namespace inversight {

namespace {

bool endsBefore(const TimeRange& a, const TimeRange& b) {
    return a.end < b.end;
}

} // namespace

LossMap::LossMap(const TraceStore& store, const std::vector<bool>& streams) {
    for (const LossRow& loss : store.losses()) {
        if (loss.stream.index() < streams.size() && !streams[loss.stream.index()])
            continue;
        byCpu_[loss.cpu].push_back(loss.gap);
        all_.push_back(loss.gap);
    }
    for (auto& [cpu, gaps] : byCpu_)
        std::stable_sort(gaps.begin(), gaps.end(), endsBefore);
    std::stable_sort(all_.begin(), all_.end(), endsBefore);
}

std::span<const TimeRange> LossMap::onCpu(std::int32_t cpu) const {
    const auto found = byCpu_.find(cpu);
    return found == byCpu_.end() ? std::span<const TimeRange>{} : found->second;
}

std::optional<TimeRange> LossMap::firstAfter(std::int32_t cpu, std::int64_t time) const {
    const std::span<const TimeRange> gaps = onCpu(cpu);
    const auto found =
        std::upper_bound(gaps.begin(), gaps.end(), time,
                         [](std::int64_t value, const TimeRange& gap) { return value < gap.end; });
    return found == gaps.end() ? std::nullopt : std::optional<TimeRange>(*found);
}

ThreadContinuity::ThreadContinuity(const LossMap& losses, std::size_t threadCount)
    : losses_(losses), last_(losses.empty() ? 0 : threadCount) {}

std::optional<TimeRange> ThreadContinuity::note(ThreadId thread, std::int32_t cpu,
                                                std::int64_t time) {
    if (thread.index() >= last_.size())
        return std::nullopt;
    const Last last = std::exchange(last_[thread.index()], Last{time, cpu});
    if (last.cpu < 0)
        return std::nullopt;
    std::optional<TimeRange> gap = losses_.firstAfter(last.cpu, last.time);
    if (cpu != last.cpu) {
        const std::optional<TimeRange> here = losses_.firstAfter(cpu, last.time);
        if (here && (!gap || here->end < gap->end))
            gap = here;
    }
    return gap && gap->end <= time ? gap : std::nullopt;
}

std::optional<TimeRange> ThreadContinuity::afterLast(ThreadId thread) const {
    if (thread.index() >= last_.size() || last_[thread.index()].cpu < 0)
        return std::nullopt;
    const Last& last = last_[thread.index()];
    return losses_.firstAfter(last.cpu, last.time);
}

} // namespace inversight
