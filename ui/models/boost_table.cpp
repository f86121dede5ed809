// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/time_format.h"
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

namespace inversight {

namespace {

QString priorityText(std::int32_t prio) {
    return QString::fromStdString(formatKernelPriority(prio));
}

QString evidenceText(const Boost& boost) {
    const QString confidence = QString::fromLatin1(confidenceName(boost.confidence));
    return boost.nominal ? tableWords("%1, nominal: no scheduling effect").arg(confidence)
                         : confidence;
}

} // namespace

TableContents boostTable(const TableInputs& inputs) {
    TableContents table;
    const auto boosts = inputs.tracks.boosts;
    if (!boosts)
        return table;
    const TableWords words(inputs.tracks);
    const auto at = [boosts](std::size_t row) -> const Boost& { return boosts->boosts[row]; };
    table.rowCount = boosts->boosts.size();
    table.item = [at](std::size_t row) { return TrackHit{at(row).target, at(row)}; };
    table.range = [at](std::size_t row) { return at(row).range; };
    table.thread = [at](std::size_t row) { return at(row).target; };
    table.columns = {
        numberColumn(
            tableWords("From start"),
            [=](std::size_t row) {
                return at(row).beginSeen ? words.time(at(row).range.begin)
                                         : tableWords("before the trace");
            },
            [at](std::size_t row) { return at(row).range.begin; }),
        numberColumn(
            tableWords("Lasted"),
            [=](std::size_t row) { return words.span(at(row).range.length()); },
            [at](std::size_t row) { return at(row).range.length(); }),
        textColumn(tableWords("Boosted thread"),
                   [=](std::size_t row) { return words.thread(at(row).target); }),
        numberColumn(
            tableWords("From"), [at](std::size_t row) { return priorityText(at(row).fromPrio); },
            [at](std::size_t row) { return at(row).fromPrio; }),
        numberColumn(
            tableWords("To"), [at](std::size_t row) { return priorityText(at(row).toPrio); },
            [at](std::size_t row) { return at(row).toPrio; }),
        textColumn(tableWords("Because of"),
                   [=](std::size_t row) { return words.thread(at(row).donor); }),
        textColumn(tableWords("Lock"), [=](std::size_t row) { return words.lock(at(row).lock); }),
        textColumn(tableWords("Evidence"), [at](std::size_t row) { return evidenceText(at(row)); }),
    };
    return table;
}

} // namespace inversight
