// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/latency.h"

#include <algorithm>

namespace inversight {

namespace {

/// Walks the holds of one thread together with its waits and transfers, all in time order.
class ThreadOperations {
public:
    ThreadOperations(ThreadId thread, const LockWaits& waits, const Bus& bus)
        : waits_(waits), waitIds_(waits.byThread[thread.index()]), bus_(bus),
          transferIds_(bus.byThread[thread.index()]) {}

    std::optional<Operation> operation(const LockHold& hold) {
        if (!containsTransfer(hold.range))
            return std::nullopt;
        const std::int64_t request = requestOf(hold);
        return Operation{{request, hold.range.end}, hold.range.begin - request};
    }

private:
    bool containsTransfer(const TimeRange& hold) {
        while (transfer_ < transferIds_.size() &&
               bus_.transfers[transferIds_[transfer_]].range.begin < hold.begin)
            ++transfer_;
        return transfer_ < transferIds_.size() &&
               bus_.transfers[transferIds_[transfer_]].range.begin < hold.end;
    }

    /// When the wait began that ended with this hold; without one (trylock), the hold's begin.
    std::int64_t requestOf(const LockHold& hold) {
        for (; wait_ < waitIds_.size(); ++wait_) {
            const LockWait& wait = waits_.waits[waitIds_[wait_]];
            if (wait.range.begin > hold.range.begin)
                break;
            if (wait.source == LockSource::Marker && wait.acquired && wait.lock == hold.lock &&
                wait.range.end == hold.range.begin) {
                ++wait_;
                return wait.range.begin;
            }
        }
        return hold.range.begin;
    }

    const LockWaits& waits_;
    const std::vector<std::uint32_t>& waitIds_;
    const Bus& bus_;
    const std::vector<std::uint32_t>& transferIds_;
    std::size_t wait_ = 0;
    std::size_t transfer_ = 0;
};

} // namespace

std::optional<LatencySummary> summarizeOperations(const ThreadLatency& thread,
                                                  const std::optional<TimeRange>& range) {
    if (!range)
        return thread.latency.count() > 0 ? std::optional(summarize(thread.latency)) : std::nullopt;
    LatencyHistogram inside;
    for (const Operation& operation : thread.operations)
        if (range->overlaps(operation.range))
            inside.record(operation.range.length());
    return inside.count() > 0 ? std::optional(summarize(inside)) : std::nullopt;
}

Result<Latency> findLatency(const TraceStore& store, const LockWaits& waits,
                            const Ownership& ownership, const Bus& bus, const JobContext& job) {
    Latency out;
    for (std::uint32_t i = 0; i < store.threads().size(); ++i) {
        if (bus.byThread[i].empty())
            continue;
        TRY(job.check("measuring latency"));
        ThreadOperations operations(ThreadId{i}, waits, bus);
        ThreadLatency thread{ThreadId{i}, {}, {}, {}};
        for (const std::uint32_t index : ownership.byThread[i]) {
            const LockHold& hold = ownership.holds[index];
            if (hold.evidence != OwnerEvidence::Marker || !hold.endSeen)
                continue;
            if (const auto operation = operations.operation(hold)) {
                thread.operations.push_back(*operation);
                thread.latency.record(operation->range.length());
                thread.wait.record(operation->waitNs);
            }
        }
        if (!thread.operations.empty())
            out.threads.push_back(std::move(thread));
    }
    return out;
}

} // namespace inversight
