// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/worker_pool.h"
#include "trace/model/cpu_columns.h"
#include "trace/model/thread_table_builder.h"
#include "trace/model/trace_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace inversight {

/// A stretch of what one CPU recorded, on its way into the store: the events from `begin` to `end`
/// of its columns.
struct MergeSource {
    const CpuColumns* columns = nullptr;
    std::span<const StringId> strings; ///< the columns' own ids -> the store's
    /// The latest time up to each event, where times step back; else null, and times are the keys.
    const SegmentedColumn<std::int64_t>* latest = nullptr;
    std::uint16_t lane = 0; ///< of the store
    std::size_t begin = 0;
    std::size_t end = 0;

    /// What decides the order.
    [[nodiscard]] std::int64_t operator[](std::size_t event) const {
        return latest == nullptr ? columns->header(event).time : (*latest)[event];
    }
};

/// Brings what the CPUs recorded into the total order (time, stream, CPU, record index) and into
/// the store's columns, behind what is there already. Private to TraceStoreBuilder.
///
/// The order is cut at points in time; between two cuts every CPU has a stretch of its events, and
/// where each stretch's rows go is known beforehand, so that stretches are merged and copied by all
/// processors at once, each into its own place. A CPU whose times step back is merged by the latest
/// time it has shown so far, which keeps its events in their recorded order.
/// Complexity: O(events * log sources). Thread-bound.
class StoreMerger {
public:
    StoreMerger(TraceStore& store, ThreadTableBuilder& threads)
        : store_(store), threads_(threads) {}

    /// `sources`: in the order that decides between equal times, none empty. `strings`: the
    /// store's.
    [[nodiscard]] Result<void> merge(std::span<const MergeSource> sources,
                                     const StringPool& strings, const JobContext& job);

    /// After the last merge: gives back memory that no event needs.
    void trim();

private:
    /// Where a stretch between two cuts begins.
    struct Cut {
        std::size_t event = 0;
        RowCounts rows{};
    };
    struct StretchResult {
        ThreadLog threads;
        PerRowType<WideRows> wide;

        void clear();
    };
    class Stretch;

    void learnStrings(const StringPool& strings);
    void placeCuts();
    void addCut(std::span<const std::size_t> begins);
    void layOutTimes(const NarrowColumn::Bounds& all);
    void layOutColumns();
    void join(std::span<const StretchResult> results);
    [[nodiscard]] std::size_t begin(std::size_t cut, std::size_t source) const {
        return begins_[cut * sources_.size() + source];
    }
    template <class Row>
    static void resize(EventTable<Row>& table, std::size_t size) {
        table.rows_.resize(size);
        table.events_.resize(size);
    }
    template <class Row>
    static void trim(EventTable<Row>& table) {
        table.rows_.trim();
        table.events_.trim();
    }
    template <class Row>
    static void adopt(EventTable<Row>& table, const PerRowType<WideRows>& wide) {
        table.rows_.adopt(std::get<WideRows<Row>>(wide));
    }

    TraceStore& store_;
    ThreadTableBuilder& threads_;
    WorkerPool pool_;
    std::vector<std::uint8_t> placeholders_; ///< by the store's StringId: whether it is no name
    Cut end_;                                ///< of what the store holds
    std::vector<StretchResult> results_;     ///< kept for their memory
    // Of the present merge:
    std::span<const MergeSource> sources_;
    std::vector<std::int64_t> keys_;  ///< of the cuts between the first and the last
    std::vector<Cut> cuts_;           ///< the last one is the end
    std::vector<std::size_t> begins_; ///< per cut and source, its first event behind the cut
};

} // namespace inversight
