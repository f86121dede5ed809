// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace inversight {

/// The row types that have a table of their own, in the order of EventKind. One row type per table:
/// a new one is added here, in EventKind and in CpuEventSink.
template <template <class> class Column>
using PerRowType = std::tuple<Column<SchedSwitchRow>, Column<SchedWakeRow>, Column<PiSetprioRow>,
                              Column<SchedForkRow>, Column<SchedExitRow>, Column<SchedMigrateRow>,
                              Column<ContentionBegin>, Column<ContentionEnd>, Column<FutexEnter>,
                              Column<FutexExit>, Column<MarkerRow>, Column<BusEvent>>;

template <class Row>
using Identity = std::type_identity<Row>;

inline constexpr std::size_t kTableCount = std::tuple_size_v<PerRowType<Identity>>;

namespace detail {

template <class Row, std::size_t Index = 0>
constexpr std::size_t tableOf() {
    if constexpr (std::is_same_v<std::tuple_element_t<Index, PerRowType<Identity>>, Identity<Row>>)
        return Index;
    else
        return tableOf<Row, Index + 1>();
}

} // namespace detail

/// The place of a row type's table.
template <class Row>
inline constexpr std::size_t kTableOf = detail::tableOf<Row>();

/// Calls visitor(std::type_identity<Row>) for the row type whose table is at `table`.
template <class Visitor, std::size_t Index = 0>
void visitRowType(std::size_t table, Visitor&& visitor) {
    if constexpr (Index < kTableCount) {
        if (table == Index)
            visitor(std::tuple_element_t<Index, PerRowType<Identity>>());
        else
            visitRowType<Visitor, Index + 1>(table, std::forward<Visitor>(visitor));
    }
}

} // namespace inversight
