// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/model/trace_store.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

namespace inversight {

/// Visits the rows of several typed tables in trace order, without touching other events. Example:
///
///     TableWalk<SchedSwitchRow, SchedWakeRow> walk(store);
///     TRY(walk.run(job, "priorities", visitor)); // visitor.on(EventIndex, const Row&) per type
///
/// Complexity: O(rows * number of tables). Thread-bound.
template <class... Rows>
class TableWalk {
public:
    explicit TableWalk(const TraceStore& store) : tables_(&store.table<Rows>()...) {
        loadAll(std::index_sequence_for<Rows...>{});
    }

    template <class Visitor>
    [[nodiscard]] Result<void> run(const JobContext& job, std::string_view phase,
                                   Visitor& visitor) {
        for (std::size_t count = 0;; ++count) {
            if ((count & 0xffff) == 0)
                TRY(job.check(phase));
            const auto first = std::min_element(next_.begin(), next_.end());
            if (!first->valid())
                return {};
            const auto which = static_cast<std::size_t>(first - next_.begin());
            dispatch(which, visitor, std::index_sequence_for<Rows...>{});
        }
    }

private:
    template <std::size_t... Index>
    void loadAll(std::index_sequence<Index...>) {
        (load<Index>(), ...);
    }

    template <std::size_t Index>
    void load() {
        const auto& table = *std::get<Index>(tables_);
        next_[Index] = rows_[Index] < table.size() ? table.event(rows_[Index]) : EventIndex::none();
    }

    template <class Visitor, std::size_t... Index>
    void dispatch(std::size_t which, Visitor& visitor, std::index_sequence<Index...>) {
        ((which == Index ? visit<Index>(visitor) : void()), ...);
    }

    template <std::size_t Index, class Visitor>
    void visit(Visitor& visitor) {
        visitor.on(next_[Index], (*std::get<Index>(tables_))[rows_[Index]]);
        ++rows_[Index];
        load<Index>();
    }

    std::tuple<const EventTable<Rows>*...> tables_;
    std::array<std::size_t, sizeof...(Rows)> rows_{};
    std::array<EventIndex, sizeof...(Rows)> next_{}; // none() sorts last: the end of a table
};

} // namespace inversight
