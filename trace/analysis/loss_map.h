// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/trace_store.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace inversight {

/// Where events are missing, per CPU and in all. Only losses of streams that hold rows of the
/// tables an analysis reads: a buffer of function traces may overflow without harm to the
/// scheduler's. Reentrant once made.
class LossMap {
public:
    /// The losses that matter to an analysis of these tables.
    template <class... Rows>
    [[nodiscard]] static LossMap of(const TraceStore& store) {
        std::vector<bool> streams(store.streams().size(), store.streams().size() <= 1);
        if (!store.losses().empty() && store.streams().size() > 1)
            (markStreams(store, store.table<Rows>(), streams), ...);
        return LossMap(store, streams);
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }
    /// Gaps of all CPUs by end.
    [[nodiscard]] std::span<const TimeRange> all() const { return all_; }
    /// Gaps of one CPU by end.
    [[nodiscard]] std::span<const TimeRange> onCpu(std::int32_t cpu) const;
    /// The first gap on `cpu` that ends after `time`.
    [[nodiscard]] std::optional<TimeRange> firstAfter(std::int32_t cpu, std::int64_t time) const;

private:
    LossMap(const TraceStore& store, const std::vector<bool>& streams);

    template <class Row>
    static void markStreams(const TraceStore& store, const EventTable<Row>& table,
                            std::vector<bool>& streams) {
        for (std::size_t row = 0; row < table.size(); ++row) {
            const std::size_t stream = store.record(table.event(row)).stream.index();
            if (stream < streams.size())
                streams[stream] = true;
        }
    }

    std::unordered_map<std::int32_t, std::vector<TimeRange>> byCpu_;
    std::vector<TimeRange> all_;
};

/// Tells whether the events of a thread follow each other without a hole: a loss on the CPU of its
/// previous event, or on the CPU of this one, may have swallowed events of it. Thread-bound.
class ThreadContinuity {
public:
    ThreadContinuity(const LossMap& losses, std::size_t threadCount);

    /// Notes an event of `thread`; the first gap since its previous noted event, if there is one.
    std::optional<TimeRange> note(ThreadId thread, std::int32_t cpu, std::int64_t time);
    /// The first gap on its CPU after its last noted event.
    [[nodiscard]] std::optional<TimeRange> afterLast(ThreadId thread) const;

private:
    struct Last {
        std::int64_t time = 0;
        std::int32_t cpu = -1;
    };
    const LossMap& losses_;
    std::vector<Last> last_; // empty without losses: then nothing needs to be remembered
};

} // namespace inversight
