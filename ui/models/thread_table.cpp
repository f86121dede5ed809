// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/view/lane_order.h"
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

namespace inversight {

namespace {

/// The sum of some states, as one column.
TableColumn totalColumn(const TableWords& words, std::shared_ptr<const ThreadStates> states,
                        std::shared_ptr<const std::vector<LaneInfo>> lanes, const char* title,
                        std::vector<ThreadState> summed) {
    const auto total = [states = std::move(states), lanes = std::move(lanes),
                        summed = std::move(summed)](std::size_t row) {
        const auto& totals = states->totals[(*lanes)[row].thread.index()];
        std::int64_t sum = 0;
        for (const ThreadState state : summed)
            sum += totals[static_cast<std::size_t>(state)];
        return sum;
    };
    return numberColumn(
        tableWords(title), [words, total](std::size_t row) { return words.span(total(row)); },
        total);
}

} // namespace

TableContents threadTable(const TableInputs& inputs) {
    TableContents table;
    const auto states = inputs.tracks.states;
    if (!states)
        return table;
    const auto lanes =
        std::make_shared<const std::vector<LaneInfo>>(orderLanes(inputs.tracks, {}).lanes);
    const TableWords words(inputs.tracks);
    table.rowCount = lanes->size();
    const TimeRange whole = inputs.tracks.store->range();
    table.item = [lanes, states](std::size_t row) {
        const ThreadId thread = (*lanes)[row].thread;
        const auto& intervals = states->byThread[thread.index()];
        return intervals.empty() ? TrackHit{thread, {}} : TrackHit{thread, intervals.front()};
    };
    table.range = [whole](std::size_t) { return whole; };
    table.thread = [lanes](std::size_t row) { return (*lanes)[row].thread; };
    using enum ThreadState;
    const auto total = [&](const char* title, std::vector<ThreadState> summed) {
        return totalColumn(words, states, lanes, title, std::move(summed));
    };
    table.columns = {
        textColumn(tableWords("Thread"),
                   [lanes](std::size_t row) { return QString::fromStdString((*lanes)[row].name); }),
        numberColumn(
            tableWords("Id"),
            [lanes](std::size_t row) { return QString::number((*lanes)[row].tid); },
            [lanes](std::size_t row) { return (*lanes)[row].tid; }),
        textColumn(tableWords("Class"),
                   [lanes](std::size_t row) { return QString::fromStdString((*lanes)[row].chip); }),
        total("Running", {Running}),
        total("Waits for a CPU", {RunnableWoken, RunnablePreempted}),
        total("Blocked on locks", {BlockedLock}),
        total("On the bus", {Wire}),
        total("Uninterruptible", {Uninterruptible}),
        total("Sleeping", {Sleeping, Idle, Stopped}),
    };
    return table;
}

} // namespace inversight
