// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

namespace inversight {

TableContents inversionTable(const TableInputs& inputs) {
    const auto marks = std::make_shared<const std::vector<InversionMark>>(
        inputs.tracks.store ? inversionMarks(inputs.tracks) : std::vector<InversionMark>{});
    const TableWords words(inputs.tracks);
    TableContents table;
    table.rowCount = marks->size();
    table.item = [marks](std::size_t row) {
        const InversionMark& mark = (*marks)[row];
        ThreadStateInterval interval;
        interval.range = mark.range;
        interval.state = ThreadState::BlockedLock;
        return TrackHit{mark.victim, interval};
    };
    table.range = [marks](std::size_t row) { return (*marks)[row].range; };
    table.thread = [marks](std::size_t row) { return (*marks)[row].victim; };
    const auto begin = [marks](std::size_t row) { return (*marks)[row].range.begin; };
    const auto length = [marks](std::size_t row) { return (*marks)[row].range.length(); };
    table.columns = {
        numberColumn(
            tableWords("From start"), [=](std::size_t row) { return words.time(begin(row)); },
            begin),
        numberColumn(
            tableWords("Lasted"), [=](std::size_t row) { return words.span(length(row)); }, length),
        textColumn(tableWords("Thread that waited"),
                   [=](std::size_t row) { return words.thread((*marks)[row].victim); }),
        textColumn(tableWords("Because of"),
                   [=](std::size_t row) { return words.thread((*marks)[row].responsible); }),
        textColumn(tableWords("Lock"),
                   [=](std::size_t row) { return words.lock((*marks)[row].lock); }),
        textColumn(tableWords("Kind"),
                   [=](std::size_t row) {
                       return (*marks)[row].unbounded ? tableWords("unbounded")
                                                      : tableWords("bounded");
                   }),
    };
    return table;
}

} // namespace inversight
