// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

namespace inversight {

namespace {

QString waitEvidence(const LockWait& wait) {
    if (!wait.evidence)
        return wait.contended ? tableWords("owner not known") : tableWords("not contended");
    return tableWords("%1, %2").arg(QLatin1String(ownerEvidenceName(*wait.evidence)),
                                    QLatin1String(confidenceName(wait.confidence)));
}

QString waitEnd(const LockWait& wait) {
    return !wait.endSeen   ? tableWords("not in the trace")
           : wait.acquired ? tableWords("acquired")
                           : tableWords("given up");
}

} // namespace

TableContents waitTable(const TableInputs& inputs) {
    TableContents table;
    const auto waits = inputs.tracks.waits;
    if (!waits)
        return table;
    const TableWords words(inputs.tracks);
    const auto at = [waits](std::size_t row) -> const LockWait& { return waits->waits[row]; };
    table.rowCount = waits->waits.size();
    table.item = [at](std::size_t row) { return TrackHit{at(row).thread, at(row)}; };
    table.range = [at](std::size_t row) { return at(row).range; };
    table.thread = [at](std::size_t row) { return at(row).thread; };
    table.columns = {
        numberColumn(
            tableWords("From start"),
            [=](std::size_t row) { return words.time(at(row).range.begin); },
            [at](std::size_t row) { return at(row).range.begin; }),
        numberColumn(
            tableWords("Lasted"),
            [=](std::size_t row) { return words.span(at(row).range.length()); },
            [at](std::size_t row) { return at(row).range.length(); }),
        textColumn(tableWords("Thread"),
                   [=](std::size_t row) { return words.thread(at(row).thread); }),
        textColumn(tableWords("Lock"), [=](std::size_t row) { return words.lock(at(row).lock); }),
        textColumn(tableWords("Held by"),
                   [=](std::size_t row) { return words.thread(at(row).owner); }),
        textColumn(tableWords("Evidence"), [at](std::size_t row) { return waitEvidence(at(row)); }),
        textColumn(tableWords("End"), [at](std::size_t row) { return waitEnd(at(row)); }),
    };
    return table;
}

} // namespace inversight
