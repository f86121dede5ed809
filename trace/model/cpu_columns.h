// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_sink.h"
#include "trace/model/segmented_column.h"
#include "trace/model/string_pool.h"
#include "trace/model/trace_store.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace inversight {

/// What one CPU recorded, in its own order and with its own strings, so that CPUs are decoded in
/// parallel without a lock. Private to TraceStoreBuilder, which merges them. Thread-bound.
class CpuColumns final : public CpuEventSink {
public:
    struct Loss {
        std::size_t before = 0; ///< index of the event the loss precedes
        std::optional<std::uint64_t> count;
    };
    using Rows = std::tuple<SegmentedColumn<SchedSwitchRow>, SegmentedColumn<SchedWakeRow>,
                            SegmentedColumn<PiSetprioRow>, SegmentedColumn<SchedForkRow>,
                            SegmentedColumn<SchedExitRow>, SegmentedColumn<SchedMigrateRow>,
                            SegmentedColumn<ContentionBegin>, SegmentedColumn<ContentionEnd>,
                            SegmentedColumn<FutexEnter>, SegmentedColumn<FutexExit>,
                            SegmentedColumn<MarkerRow>>;

    CpuColumns(StreamId stream, int cpu) : stream_(stream), cpu_(cpu) {}

    void event(const EventHeader& header) override { append(header, TraceStore::kNoRow); }
    void event(const EventHeader& header, const SchedSwitchFields& f) override {
        typed(header, SchedSwitchRow{f.prevTid, f.prevPrio, f.nextTid, f.nextPrio,
                                     strings_.intern(f.prevComm), strings_.intern(f.nextComm),
                                     f.rawState, f.prevState, f.preempted});
    }
    void event(const EventHeader& header, const SchedWakeFields& f) override {
        typed(header, SchedWakeRow{f.kind, f.tid, f.prio, f.targetCpu, strings_.intern(f.comm)});
    }
    void event(const EventHeader& header, const PiSetprioFields& f) override {
        typed(header, PiSetprioRow{f.tid, f.oldPrio, f.newPrio, strings_.intern(f.comm)});
    }
    void event(const EventHeader& header, const SchedForkFields& f) override {
        typed(header, SchedForkRow{f.parentTid, f.childTid, strings_.intern(f.parentComm),
                                   strings_.intern(f.childComm)});
    }
    void event(const EventHeader& header, const SchedExitFields& f) override {
        typed(header, SchedExitRow{f.tid, f.prio, strings_.intern(f.comm)});
    }
    void event(const EventHeader& header, const SchedMigrateFields& f) override {
        typed(header, SchedMigrateRow{f.tid, f.prio, f.fromCpu, f.toCpu, strings_.intern(f.comm)});
    }
    void event(const EventHeader& header, const ContentionBegin& f) override { typed(header, f); }
    void event(const EventHeader& header, const ContentionEnd& f) override { typed(header, f); }
    void event(const EventHeader& header, const FutexEnter& f) override { typed(header, f); }
    void event(const EventHeader& header, const FutexExit& f) override { typed(header, f); }
    void event(const EventHeader& header, const MarkerFields& f) override {
        typed(header, MarkerRow{f.kind, f.tgid, f.number, f.value, strings_.intern(f.subject),
                                strings_.intern(f.detail)});
    }
    void lost(std::optional<std::uint64_t> count) override {
        losses_.push_back({headers_.size(), count});
    }

    [[nodiscard]] StreamId stream() const { return stream_; }
    [[nodiscard]] int cpu() const { return cpu_; }
    [[nodiscard]] std::size_t size() const { return headers_.size(); }
    [[nodiscard]] const EventHeader& header(std::size_t index) const { return headers_[index]; }
    [[nodiscard]] std::uint32_t rowId(std::size_t index) const { return rowIds_[index]; }
    template <class Row>
    [[nodiscard]] const Row& row(std::uint32_t id) const {
        return std::get<SegmentedColumn<Row>>(rows_)[id];
    }
    [[nodiscard]] const StringPool& strings() const { return strings_; }
    [[nodiscard]] const std::vector<Loss>& losses() const { return losses_; }

private:
    void append(const EventHeader& header, std::uint32_t row) {
        headers_.append(header);
        rowIds_.append(row);
    }
    template <class Row>
    void typed(const EventHeader& header, const Row& row) {
        auto& column = std::get<SegmentedColumn<Row>>(rows_);
        append(header, static_cast<std::uint32_t>(column.size()));
        column.append(row);
    }

    StreamId stream_;
    int cpu_;
    SegmentedColumn<EventHeader> headers_;
    SegmentedColumn<std::uint32_t> rowIds_;
    Rows rows_;
    StringPool strings_;
    std::vector<Loss> losses_;
};

} // namespace inversight
