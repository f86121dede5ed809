// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/analyzed_trace.h"

#include "core/base/time_format.h"
#include "trace/analysis/bus.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace inversight {

namespace {

constexpr std::size_t kMaxChain = 16;

class ThreadSummarizer {
public:
    explicit ThreadSummarizer(const AnalyzedTrace& analyzed)
        : analyzed_(analyzed), threads_(analyzed.store().threads().size()) {
        for (std::uint32_t i = 0; i < threads_.size(); ++i)
            threads_[i].thread = ThreadId{i};
    }

    std::vector<ThreadSummary> summarize() {
        addPriorities();
        addStates();
        addCounts();
        addLatency();
        return std::move(threads_);
    }

private:
    template <class T>
    std::shared_ptr<const T> result() const {
        return analyzed_.results.get<T>();
    }

    void addPriorities();
    void addStates();
    void addCounts();
    void addLatency();

    const AnalyzedTrace& analyzed_;
    std::vector<ThreadSummary> threads_;
};

void ThreadSummarizer::addPriorities() {
    const auto priorities = result<Priorities>();
    if (!priorities)
        return;
    const auto manifest = classesByManifest(analyzed_.trace);
    for (ThreadSummary& thread : threads_) {
        const auto& steps = priorities->byThread[thread.thread.index()];
        const ThreadInfo& info = analyzed_.store().threads()[thread.thread];
        if (steps.empty())
            continue;
        thread.basePrio = steps.back().base;
        const auto named = manifest.find(info.tid);
        thread.priority = info.isIdle()             ? "idle"
                          : named != manifest.end() ? named->second
                                                    : formatKernelPriority(*thread.basePrio);
    }
}

void ThreadSummarizer::addStates() {
    const auto states = result<ThreadStates>();
    if (!states)
        return;
    for (ThreadSummary& thread : threads_) {
        if (!analyzed_.range) {
            thread.statesNs = states->totals[thread.thread.index()];
            continue;
        }
        thread.statesNs.emplace();
        for (const ThreadStateInterval& interval : states->byThread[thread.thread.index()]) {
            const std::int64_t begin = std::max(interval.range.begin, analyzed_.range->begin);
            const std::int64_t end = std::min(interval.range.end, analyzed_.range->end);
            (*thread.statesNs)[static_cast<std::size_t>(interval.state)] +=
                std::max<std::int64_t>(end - begin, 0);
        }
    }
}

void ThreadSummarizer::addCounts() {
    if (const auto bus = result<Bus>())
        for (const BusTransfer& transfer : bus->transfers)
            if (analyzed_.includes(transfer.range))
                ++threads_[transfer.thread.index()].transferCount;
    if (const auto boosts = result<Boosts>())
        for (const Boost& boost : boosts->boosts)
            if (analyzed_.includes(boost.range))
                ++threads_[boost.target.index()].boostCount;
    if (const auto waits = result<LockWaits>())
        for (const LockWait& wait : waits->waits)
            if (wait.contended && analyzed_.includes(wait.range))
                ++threads_[wait.thread.index()].waitCount;
}

void ThreadSummarizer::addLatency() {
    const auto latency = result<Latency>();
    if (!latency)
        return;
    for (const ThreadLatency& worker : latency->threads)
        threads_[worker.thread.index()].latency = summarizeOperations(worker, analyzed_.range);
}

/// The innermost wait of `thread` at `time`; a few steps back cover any nesting there is.
const LockWait* waitAt(const LockWaits& waits, ThreadId thread, std::int64_t time) {
    const std::vector<std::uint32_t>& list = waits.byThread[thread.index()];
    auto after =
        std::upper_bound(list.begin(), list.end(), time, [&](std::int64_t value, std::uint32_t i) {
            return value < waits.waits[i].range.begin;
        });
    for (std::size_t left = kMaxChain; left > 0 && after != list.begin(); --left) {
        const LockWait& wait = waits.waits[*--after];
        if (wait.range.contains(time))
            return &wait;
    }
    return nullptr;
}

} // namespace

std::map<std::int32_t, std::string> classesByManifest(const LoadedTrace& trace) {
    std::map<std::int32_t, std::string> words;
    if (!trace.report.manifest)
        return words;
    for (const ManifestThread& thread : trace.report.manifest->threads) {
        if (thread.schedulingClass == "fifo")
            words[thread.tid] = fmt::format("FIFO {}", thread.priority);
        else if (thread.schedulingClass == "rr")
            words[thread.tid] = fmt::format("RR {}", thread.priority);
    }
    return words;
}

bool AnalyzedTrace::includes(std::initializer_list<ThreadId> threads) const {
    return filter.threads.empty() || std::ranges::any_of(threads, [this](ThreadId thread) {
               return thread.valid() && filter.threads[thread.index()];
           });
}

bool AnalyzedTrace::includes(LockId lock) const {
    return filter.locks.empty() || (lock.valid() && filter.locks[lock.index()]);
}

bool AnalyzedTrace::wants(std::initializer_list<AnalysisId> analyses) const {
    return filter.only.empty() || std::ranges::any_of(analyses, [this](AnalysisId id) {
               return std::ranges::find(filter.only, id) != filter.only.end();
           });
}

std::vector<ThreadSummary> summarizeThreads(const AnalyzedTrace& analyzed) {
    return ThreadSummarizer(analyzed).summarize();
}

std::vector<ThreadId> ownerChain(const LockWaits& waits, const LockWait& wait) {
    std::vector<ThreadId> chain;
    for (const LockWait* link = &wait; link && link->owner.valid() && chain.size() < kMaxChain;
         link = waitAt(waits, chain.back(), wait.range.begin)) {
        if (link->owner == wait.thread || std::ranges::find(chain, link->owner) != chain.end())
            break;
        chain.push_back(link->owner);
    }
    return chain;
}

std::optional<std::string> lockName(const LockEvents& events, LockId lock) {
    if (lock.index() >= events.locks.size())
        return std::nullopt;
    return events.locks[lock.index()].name;
}

} // namespace inversight
