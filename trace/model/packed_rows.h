// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"
#include "trace/model/segmented_column.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// How typed rows lie in memory: a real trace's priorities, CPU numbers and names fit into 16 bits,
/// so a row takes half of its declared size. A row that does not fit (a damaged or hostile file, a
/// trace with more than 65534 names) is kept whole in a list beside the column: nothing is rounded.
namespace inversight {

namespace packed {

inline constexpr std::uint16_t kWide = 0xffff; ///< in a packed name: look into the list beside

template <class Small>
[[nodiscard]] bool fits(std::int64_t value) {
    return value >= std::numeric_limits<Small>::min() && value <= std::numeric_limits<Small>::max();
}
[[nodiscard]] inline bool fits(StringId id) {
    return id.value < kWide;
}
[[nodiscard]] inline std::uint16_t small(StringId id) {
    return static_cast<std::uint16_t>(id.value);
}
[[nodiscard]] inline std::int16_t small(std::int32_t value) {
    return static_cast<std::int16_t>(value);
}

struct SwitchBits {
    std::int32_t prevTid;
    std::int32_t nextTid;
    std::uint16_t prevComm;
    std::uint16_t nextComm;
    std::int16_t prevPrio;
    std::int16_t nextPrio;
    std::uint16_t rawState;
    std::uint8_t state;
    std::uint8_t preempted;
};
struct WakeBits {
    std::int32_t tid;
    std::uint16_t comm;
    std::int16_t prio;
    std::int16_t targetCpu;
    WakeEventKind kind;
};
struct SetprioBits {
    std::int32_t tid;
    std::uint16_t comm;
    std::int16_t oldPrio;
    std::int16_t newPrio;
};
struct ForkBits {
    std::int32_t parentTid;
    std::int32_t childTid;
    std::uint16_t parentComm;
    std::uint16_t childComm;
};
struct ExitBits {
    std::int32_t tid;
    std::uint16_t comm;
    std::int16_t prio;
};
struct MigrateBits {
    std::int32_t tid;
    std::uint16_t comm;
    std::int16_t prio;
    std::int16_t fromCpu;
    std::int16_t toCpu;
};
struct MarkerBits {
    std::int32_t tgid;
    std::uint32_t valueLow; ///< two halves: 20 bytes where one of eight makes it 24
    std::uint32_t valueHigh;
    std::uint16_t number;
    std::uint16_t subject;
    std::uint16_t detail;
    MarkerKind kind;
};
struct AddressBits { ///< of contention events: 12 bytes where a struct of them takes 16
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t rest;
};

[[nodiscard]] inline std::uint64_t address(const AddressBits& bits) {
    return (std::uint64_t{bits.high} << 32) | bits.low;
}
[[nodiscard]] inline AddressBits addressBits(std::uint64_t address, std::uint32_t rest) {
    return {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32), rest};
}

/// Rows of which any fits.
template <class Row, class RowBits>
struct NeverWide {
    using Bits = RowBits;
    [[nodiscard]] static bool fits(const Row&) { return true; }
    [[nodiscard]] static bool isWide(const Bits&) { return false; }
    static void markWide(Bits&) {}
};

/// Rows with a packed name, whose kWide says that the row lies in the list beside.
template <class RowBits, std::uint16_t RowBits::* name>
struct MarkedByName {
    using Bits = RowBits;
    [[nodiscard]] static bool isWide(const Bits& bits) { return bits.*name == kWide; }
    static void markWide(Bits& bits) { bits.*name = kWide; }
};

} // namespace packed

/// A row as it is stored. pack() may only be called for what fits().
template <class Row>
struct PackedRow : packed::NeverWide<Row, Row> {
    [[nodiscard]] static Row pack(const Row& row) { return row; }
    [[nodiscard]] static Row unpack(const Row& bits) { return bits; }
};

template <>
struct PackedRow<ContentionBegin> : packed::NeverWide<ContentionBegin, packed::AddressBits> {
    [[nodiscard]] static Bits pack(const ContentionBegin& row) {
        return packed::addressBits(row.address, row.flags);
    }
    [[nodiscard]] static ContentionBegin unpack(const Bits& bits) {
        return {packed::address(bits), bits.rest};
    }
};

template <>
struct PackedRow<ContentionEnd> : packed::NeverWide<ContentionEnd, packed::AddressBits> {
    [[nodiscard]] static Bits pack(const ContentionEnd& row) {
        return packed::addressBits(row.address, static_cast<std::uint32_t>(row.ret));
    }
    [[nodiscard]] static ContentionEnd unpack(const Bits& bits) {
        return {packed::address(bits), static_cast<std::int32_t>(bits.rest)};
    }
};

template <>
struct PackedRow<SchedSwitchRow>
    : packed::MarkedByName<packed::SwitchBits, &packed::SwitchBits::prevComm> {
    [[nodiscard]] static bool fits(const SchedSwitchRow& row) {
        return packed::fits(row.prevComm) && packed::fits(row.nextComm) &&
               packed::fits<std::int16_t>(row.prevPrio) &&
               packed::fits<std::int16_t>(row.nextPrio) &&
               packed::fits<std::uint16_t>(row.rawState);
    }
    [[nodiscard]] static Bits pack(const SchedSwitchRow& row) {
        return {row.prevTid,
                row.nextTid,
                packed::small(row.prevComm),
                packed::small(row.nextComm),
                packed::small(row.prevPrio),
                packed::small(row.nextPrio),
                static_cast<std::uint16_t>(row.rawState),
                static_cast<std::uint8_t>(row.prevState),
                row.preempted};
    }
    [[nodiscard]] static SchedSwitchRow unpack(const Bits& bits) {
        return {bits.prevTid,
                bits.prevPrio,
                bits.nextTid,
                bits.nextPrio,
                StringId{bits.prevComm},
                StringId{bits.nextComm},
                bits.rawState,
                static_cast<TaskState>(bits.state),
                bits.preempted != 0};
    }
};

template <>
struct PackedRow<SchedWakeRow> : packed::MarkedByName<packed::WakeBits, &packed::WakeBits::comm> {
    [[nodiscard]] static bool fits(const SchedWakeRow& row) {
        return packed::fits(row.comm) && packed::fits<std::int16_t>(row.prio) &&
               packed::fits<std::int16_t>(row.targetCpu);
    }
    [[nodiscard]] static Bits pack(const SchedWakeRow& row) {
        return {row.tid, packed::small(row.comm), packed::small(row.prio),
                packed::small(row.targetCpu), row.kind};
    }
    [[nodiscard]] static SchedWakeRow unpack(const Bits& bits) {
        return {bits.kind, bits.tid, bits.prio, bits.targetCpu, StringId{bits.comm}};
    }
};

template <>
struct PackedRow<PiSetprioRow>
    : packed::MarkedByName<packed::SetprioBits, &packed::SetprioBits::comm> {
    [[nodiscard]] static bool fits(const PiSetprioRow& row) {
        return packed::fits(row.comm) && packed::fits<std::int16_t>(row.oldPrio) &&
               packed::fits<std::int16_t>(row.newPrio);
    }
    [[nodiscard]] static Bits pack(const PiSetprioRow& row) {
        return {row.tid, packed::small(row.comm), packed::small(row.oldPrio),
                packed::small(row.newPrio)};
    }
    [[nodiscard]] static PiSetprioRow unpack(const Bits& bits) {
        return {bits.tid, bits.oldPrio, bits.newPrio, StringId{bits.comm}};
    }
};

template <>
struct PackedRow<SchedForkRow>
    : packed::MarkedByName<packed::ForkBits, &packed::ForkBits::parentComm> {
    [[nodiscard]] static bool fits(const SchedForkRow& row) {
        return packed::fits(row.parentComm) && packed::fits(row.childComm);
    }
    [[nodiscard]] static Bits pack(const SchedForkRow& row) {
        return {row.parentTid, row.childTid, packed::small(row.parentComm),
                packed::small(row.childComm)};
    }
    [[nodiscard]] static SchedForkRow unpack(const Bits& bits) {
        return {bits.parentTid, bits.childTid, StringId{bits.parentComm}, StringId{bits.childComm}};
    }
};

template <>
struct PackedRow<SchedExitRow> : packed::MarkedByName<packed::ExitBits, &packed::ExitBits::comm> {
    [[nodiscard]] static bool fits(const SchedExitRow& row) {
        return packed::fits(row.comm) && packed::fits<std::int16_t>(row.prio);
    }
    [[nodiscard]] static Bits pack(const SchedExitRow& row) {
        return {row.tid, packed::small(row.comm), packed::small(row.prio)};
    }
    [[nodiscard]] static SchedExitRow unpack(const Bits& bits) {
        return {bits.tid, bits.prio, StringId{bits.comm}};
    }
};

template <>
struct PackedRow<SchedMigrateRow>
    : packed::MarkedByName<packed::MigrateBits, &packed::MigrateBits::comm> {
    [[nodiscard]] static bool fits(const SchedMigrateRow& row) {
        return packed::fits(row.comm) && packed::fits<std::int16_t>(row.prio) &&
               packed::fits<std::int16_t>(row.fromCpu) && packed::fits<std::int16_t>(row.toCpu);
    }
    [[nodiscard]] static Bits pack(const SchedMigrateRow& row) {
        return {row.tid, packed::small(row.comm), packed::small(row.prio),
                packed::small(row.fromCpu), packed::small(row.toCpu)};
    }
    [[nodiscard]] static SchedMigrateRow unpack(const Bits& bits) {
        return {bits.tid, bits.prio, bits.fromCpu, bits.toCpu, StringId{bits.comm}};
    }
};

template <>
struct PackedRow<MarkerRow>
    : packed::MarkedByName<packed::MarkerBits, &packed::MarkerBits::subject> {
    [[nodiscard]] static bool fits(const MarkerRow& row) {
        return packed::fits(row.subject) && packed::fits(row.detail) &&
               packed::fits<std::uint16_t>(row.number);
    }
    [[nodiscard]] static Bits pack(const MarkerRow& row) {
        return {row.tgid,
                static_cast<std::uint32_t>(row.value),
                static_cast<std::uint32_t>(row.value >> 32),
                static_cast<std::uint16_t>(row.number),
                packed::small(row.subject),
                packed::small(row.detail),
                row.kind};
    }
    [[nodiscard]] static MarkerRow unpack(const Bits& bits) {
        return {bits.kind,
                bits.tgid,
                bits.number,
                (std::uint64_t{bits.valueHigh} << 32) | bits.valueLow,
                StringId{bits.subject},
                StringId{bits.detail}};
    }
};

/// Rows that did not fit, by their number, ascending.
template <class Row>
using WideRows = std::vector<std::pair<std::uint32_t, Row>>;

/// A column of packed rows. Rows are appended, or laid out by resize() and set from several threads
/// that keep their wide rows apart until adopt(). Reentrant once frozen.
template <class Row>
class RowColumn {
public:
    using Packing = PackedRow<Row>;

    void append(const Row& row) {
        if (Packing::fits(row)) [[likely]] {
            bits_.append(Packing::pack(row));
            return;
        }
        wide_.emplace_back(static_cast<std::uint32_t>(bits_.size()), row);
        bits_.append(wideMark());
    }
    void resize(std::size_t size) { bits_.resize(size); }
    void trim() {
        bits_.trim();
        wide_.shrink_to_fit();
    }
    void rewind() {
        bits_.rewind();
        wide_.clear();
    }
    void set(std::size_t place, const Row& row, WideRows<Row>& wide) {
        if (Packing::fits(row)) [[likely]] {
            bits_.set(place, Packing::pack(row));
            return;
        }
        wide.emplace_back(static_cast<std::uint32_t>(place), row);
        bits_.set(place, wideMark());
    }
    /// `wide` lies behind all that was adopted before.
    void adopt(const WideRows<Row>& wide) { wide_.insert(wide_.end(), wide.begin(), wide.end()); }

    [[nodiscard]] std::size_t size() const { return bits_.size(); }
    [[nodiscard]] Row operator[](std::size_t place) const {
        const auto& bits = bits_[place];
        if (Packing::isWide(bits)) [[unlikely]]
            return std::ranges::lower_bound(wide_, static_cast<std::uint32_t>(place), {},
                                            &std::pair<std::uint32_t, Row>::first)
                ->second;
        return Packing::unpack(bits);
    }

private:
    static typename Packing::Bits wideMark() {
        typename Packing::Bits bits{};
        Packing::markWide(bits);
        return bits;
    }

    SegmentedColumn<typename Packing::Bits> bits_;
    WideRows<Row> wide_;
};

} // namespace inversight
