// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_sink.h"
#include "trace/model/narrow_column.h"
#include "trace/model/packed_rows.h"
#include "trace/model/segmented_column.h"
#include "trace/model/string_pool.h"
#include "trace/model/thread_table.h"
#include "trace/model/typed_tables.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace inversight {

/// Events that the recorder could not keep: `count` (or an unknown number) between the last event
/// before and the first event after, on one CPU.
struct LossRow {
    StreamId stream;
    std::int32_t cpu = 0;
    TimeRange gap; ///< from the CPU's event before (or the trace's begin) to the event after
    std::optional<std::uint64_t> count;
};

/// The typed rows of one kind, in merged order, each with the event it belongs to.
template <class Row>
class EventTable {
public:
    [[nodiscard]] std::size_t size() const { return rows_.size(); }
    [[nodiscard]] Row operator[](std::size_t index) const { return rows_[index]; }
    [[nodiscard]] EventIndex event(std::size_t index) const { return events_[index]; }
    /// The row of an event, or size(). Complexity: O(log size()).
    [[nodiscard]] std::size_t find(EventIndex event) const {
        const std::size_t row = lowerBound(events_, 0, size(), event);
        return row < size() && events_[row] == event ? row : size();
    }

private:
    friend class StoreMerger;

    RowColumn<Row> rows_;
    SegmentedColumn<EventIndex> events_;
};

/// The evidence of a trace, frozen: events in the total order (time, stream, CPU, record index),
/// typed rows per kind, threads, strings, losses. No analysis writes here and nothing in it changes
/// after TraceStoreBuilder::finish. Reentrant; share as std::shared_ptr<const TraceStore>.
class TraceStore {
public:
    static constexpr std::uint32_t kNoRow = 0xffffffff;

    [[nodiscard]] std::size_t eventCount() const { return tids_.size(); }
    [[nodiscard]] std::int64_t time(EventIndex event) const { return times_[event.index()]; }
    /// -1: a text that does not say it.
    [[nodiscard]] std::int32_t cpu(EventIndex event) const { return lane(event).cpu; }
    [[nodiscard]] std::int32_t tid(EventIndex event) const { return tids_[event.index()]; }
    [[nodiscard]] EventTypeId type(EventIndex event) const { return typeIds_[event.index()]; }
    [[nodiscard]] std::uint8_t flags(EventIndex event) const { return flags_[event.index()]; }
    [[nodiscard]] std::uint8_t preemptCount(EventIndex event) const {
        return preemptCounts_[event.index()];
    }
    [[nodiscard]] RecordRef record(EventIndex event) const {
        return {lane(event).stream, static_cast<std::uint64_t>(offsets_[event.index()])};
    }
    /// The row of this event in the table of its kind, or kNoRow. Complexity: O(log rows).
    [[nodiscard]] std::uint32_t row(EventIndex event) const;
    /// Who ran on the CPU when the event was recorded (by common_pid).
    [[nodiscard]] ThreadId thread(EventIndex event) const {
        return threads_.find(tid(event), cpu(event), time(event));
    }

    template <class Row>
    [[nodiscard]] const EventTable<Row>& table() const {
        return std::get<EventTable<Row>>(tables_);
    }

    [[nodiscard]] const ThreadTable& threads() const { return threads_; }
    [[nodiscard]] const StringPool& strings() const { return strings_; }
    [[nodiscard]] std::string_view text(StringId id) const { return strings_.text(id); }
    [[nodiscard]] std::span<const StreamInfo> streams() const { return streams_; }
    [[nodiscard]] std::span<const EventTypeInfo> types() const { return types_; }
    [[nodiscard]] std::span<const LossRow> losses() const { return losses_; }
    /// All CPUs that have events, ascending; -1 among them if some events do not say theirs.
    [[nodiscard]] std::span<const std::int32_t> cpus() const { return cpuList_; }
    /// First to last event; [0,0) when empty.
    [[nodiscard]] TimeRange range() const { return range_; }
    /// Events per type, indexed by EventTypeId.
    [[nodiscard]] std::span<const std::uint64_t> eventCounts() const { return eventCounts_; }
    /// "name" or, without any evidence of one, "<tid>".
    [[nodiscard]] std::string threadName(ThreadId id) const;

private:
    friend class TraceStoreBuilder;
    friend class StoreMerger;

    /// A CPU of a stream: two bytes per event name both.
    struct Lane {
        StreamId stream;
        std::int32_t cpu = 0;
    };
    [[nodiscard]] const Lane& lane(EventIndex event) const {
        return lanes_[laneIds_[event.index()]];
    }

    NarrowColumn times_;
    NarrowColumn offsets_;
    SegmentedColumn<std::int32_t> tids_;
    SegmentedColumn<std::uint16_t> laneIds_;
    SegmentedColumn<EventTypeId> typeIds_;
    SegmentedColumn<std::uint8_t> flags_;
    SegmentedColumn<std::uint8_t> preemptCounts_;
    std::vector<Lane> lanes_;
    PerRowType<EventTable> tables_;
    ThreadTable threads_;
    StringPool strings_;
    std::vector<StreamInfo> streams_;
    std::vector<EventTypeInfo> types_;
    std::vector<LossRow> losses_;
    std::vector<std::int32_t> cpuList_;
    std::vector<std::uint64_t> eventCounts_;
    TimeRange range_;
};

} // namespace inversight
