// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_sink.h"
#include "trace/model/name_cache.h"
#include "trace/model/packed_rows.h"
#include "trace/model/segmented_column.h"
#include "trace/model/string_pool.h"
#include "trace/model/typed_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace inversight {

/// How many rows each typed table has.
using RowCounts = std::array<std::uint32_t, kTableCount>;

/// What one CPU recorded, in its own order and with its own strings, so that CPUs are decoded in
/// parallel without a lock. Private to TraceStoreBuilder, which merges them. Thread-bound.
class CpuColumns final : public CpuEventSink {
public:
    struct Loss {
        std::size_t before = 0; ///< index of the event the loss precedes
        std::optional<std::uint64_t> count;
    };
    static constexpr std::uint8_t kNoTable = 0xff;

    CpuColumns(StreamId stream, int cpu) : stream_(stream), cpu_(cpu) {}

    void event(const EventHeader& header) override { append(header, kNoTable); }
    void event(const EventHeader& header, const SchedSwitchFields& f) override {
        typed(header, SchedSwitchRow{f.prevTid, f.prevPrio, f.nextTid, f.nextPrio,
                                     names_.intern(f.prevComm), names_.intern(f.nextComm),
                                     f.rawState, f.prevState, f.preempted});
    }
    void event(const EventHeader& header, const SchedWakeFields& f) override {
        typed(header, SchedWakeRow{f.kind, f.tid, f.prio, f.targetCpu, names_.intern(f.comm)});
    }
    void event(const EventHeader& header, const PiSetprioFields& f) override {
        typed(header, PiSetprioRow{f.tid, f.oldPrio, f.newPrio, names_.intern(f.comm)});
    }
    void event(const EventHeader& header, const SchedForkFields& f) override {
        typed(header, SchedForkRow{f.parentTid, f.childTid, names_.intern(f.parentComm),
                                   names_.intern(f.childComm)});
    }
    void event(const EventHeader& header, const SchedExitFields& f) override {
        typed(header, SchedExitRow{f.tid, f.prio, names_.intern(f.comm)});
    }
    void event(const EventHeader& header, const SchedMigrateFields& f) override {
        typed(header, SchedMigrateRow{f.tid, f.prio, f.fromCpu, f.toCpu, names_.intern(f.comm)});
    }
    void event(const EventHeader& header, const ContentionBegin& f) override { typed(header, f); }
    void event(const EventHeader& header, const ContentionEnd& f) override { typed(header, f); }
    void event(const EventHeader& header, const FutexEnter& f) override { typed(header, f); }
    void event(const EventHeader& header, const FutexExit& f) override { typed(header, f); }
    void event(const EventHeader& header, const BusEvent& f) override { typed(header, f); }
    void event(const EventHeader& header, const MarkerFields& f) override {
        typed(header, MarkerRow{f.kind, f.tgid, f.number, f.value, names_.intern(f.subject),
                                names_.intern(f.detail)});
    }
    void lost(std::optional<std::uint64_t> count) override {
        losses_.push_back({headers_.size(), count});
    }

    /// Forgets the events but neither strings nor memory.
    void rewind();

    [[nodiscard]] StreamId stream() const { return stream_; }
    [[nodiscard]] int cpu() const { return cpu_; }
    [[nodiscard]] std::size_t size() const { return headers_.size(); }
    [[nodiscard]] const EventHeader& header(std::size_t index) const { return headers_[index]; }
    /// The typed table an event has a row in, or kNoTable.
    [[nodiscard]] std::uint8_t table(std::size_t index) const { return tables_[index]; }
    template <class Row>
    [[nodiscard]] Row row(std::uint32_t number) const {
        return std::get<RowColumn<Row>>(rows_)[number];
    }
    /// The rows that events before `index` have. Complexity: O(1), at most kCountEvery steps.
    [[nodiscard]] RowCounts rowsBefore(std::size_t index) const;

    /// Events per EventTypeId, of all time: rewind() keeps them.
    [[nodiscard]] const std::vector<std::uint64_t>& typeCounts() const { return typeCounts_; }
    [[nodiscard]] const StringPool& strings() const { return strings_; }
    [[nodiscard]] const std::vector<Loss>& losses() const { return losses_; }

    /// Whether no event is earlier than the one before it.
    [[nodiscard]] bool ascending() const { return ascending_; }
    /// Of the times; [0,0] without events.
    [[nodiscard]] std::int64_t leastTime() const { return leastTime_; }
    [[nodiscard]] std::int64_t mostTime() const { return mostTime_; }
    [[nodiscard]] std::uint64_t mostOffset() const { return mostOffset_; }
    /// Bits that are set in any offset.
    [[nodiscard]] std::uint64_t offsetBits() const { return offsetBits_; }

private:
    static constexpr std::size_t kCountEvery = 1024;

    void append(const EventHeader& header, std::uint8_t table) {
        if (headers_.size() % kCountEvery == 0)
            counts_.push_back(currentCounts());
        if (headers_.empty()) {
            leastTime_ = mostTime_ = header.time;
        } else {
            ascending_ &= header.time >= headers_[headers_.size() - 1].time;
            leastTime_ = std::min(leastTime_, header.time);
            mostTime_ = std::max(mostTime_, header.time);
        }
        offsetBits_ |= header.offset;
        mostOffset_ = std::max(mostOffset_, header.offset);
        headers_.append(header);
        tables_.append(table);
        if (header.type.index() >= typeCounts_.size()) [[unlikely]]
            typeCounts_.resize(header.type.index() + 1);
        ++typeCounts_[header.type.index()];
    }
    template <class Row>
    void typed(const EventHeader& header, const Row& row) {
        append(header, kTableOf<Row>);
        std::get<RowColumn<Row>>(rows_).append(row);
    }
    [[nodiscard]] RowCounts currentCounts() const;

    StreamId stream_;
    int cpu_;
    bool ascending_ = true;
    std::int64_t leastTime_ = 0;
    std::int64_t mostTime_ = 0;
    std::uint64_t mostOffset_ = 0;
    std::uint64_t offsetBits_ = 0;
    SegmentedColumn<EventHeader> headers_;
    SegmentedColumn<std::uint8_t> tables_;
    PerRowType<RowColumn> rows_;
    std::vector<RowCounts> counts_; ///< before event 0, kCountEvery, 2 * kCountEvery, ...
    std::vector<std::uint64_t> typeCounts_;
    StringPool strings_;
    NameCache names_{strings_};
    std::vector<Loss> losses_;
};

} // namespace inversight
