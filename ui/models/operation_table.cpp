// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

#include <limits>

namespace inversight {

namespace {

struct OperationRow {
    ThreadId thread;
    Operation operation;
};

} // namespace

TableContents operationTable(const TableInputs& inputs, std::int64_t from, std::int64_t to) {
    TableContents table;
    if (!inputs.latency)
        return table;
    const auto rows = std::make_shared<std::vector<OperationRow>>();
    for (const ThreadLatency& thread : inputs.latency->threads) {
        for (const Operation& operation : thread.operations) {
            if (operation.range.length() >= from && operation.range.length() < to)
                rows->push_back({thread.thread, operation});
        }
    }
    const TableWords words(inputs.tracks);
    const auto at = [rows](std::size_t row) -> const OperationRow& { return (*rows)[row]; };
    table.rowCount = rows->size();
    table.item = [at](std::size_t row) {
        // An operation is no item of a lane: its wait and transfer are. It is selected as a
        // stretch.
        ThreadStateInterval stretch;
        stretch.range = at(row).operation.range;
        stretch.state = ThreadState::Unknown;
        return TrackHit{at(row).thread, stretch};
    };
    table.range = [at](std::size_t row) { return at(row).operation.range; };
    table.thread = [at](std::size_t row) { return at(row).thread; };
    table.columns = {
        numberColumn(
            tableWords("From start"),
            [=](std::size_t row) { return words.time(at(row).operation.range.begin); },
            [at](std::size_t row) { return at(row).operation.range.begin; }),
        numberColumn(
            tableWords("Latency"),
            [=](std::size_t row) { return words.span(at(row).operation.range.length()); },
            [at](std::size_t row) { return at(row).operation.range.length(); }),
        textColumn(tableWords("Thread"),
                   [=](std::size_t row) { return words.thread(at(row).thread); }),
        numberColumn(
            tableWords("Waited"),
            [=](std::size_t row) { return words.span(at(row).operation.waitNs); },
            [at](std::size_t row) { return at(row).operation.waitNs; }),
    };
    return table;
}

TableContents operationTable(const TableInputs& inputs) {
    return operationTable(inputs, 0, std::numeric_limits<std::int64_t>::max());
}

} // namespace inversight
