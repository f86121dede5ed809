// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/analysis/analyzed_script.h"
#include "tests/ui/boosted_rounds.h"
#include "ui/models/result_tables.h"
#include "ui/models/table_words.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::AnalyzedStore;
using test::boostedRounds;

/// Rows with the numbers n - 1 .. 0, and their names.
TableContents countdown(std::size_t rows) {
    TableContents table;
    table.rowCount = rows;
    const auto number = [rows](std::size_t row) {
        return static_cast<std::int64_t>(rows - 1 - row);
    };
    table.columns = {
        numberColumn(
            QStringLiteral("number"), [=](std::size_t row) { return QString::number(number(row)); },
            number),
        textColumn(QStringLiteral("a, \"name\""),
                   [=](std::size_t row) { return QStringLiteral("n%1").arg(number(row)); }),
    };
    table.item = [](std::size_t) { return TrackHit{}; };
    table.range = [=](std::size_t row) { return TimeRange{number(row), number(row) + 1}; };
    table.thread = [](std::size_t) { return ThreadId{0}; };
    return table;
}

TEST(ResultTable, KeepsTheRulesOfModelsWhateverIsDoneToIt) {
    ResultTable table;
    const QAbstractItemModelTester tester(&table,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    table.setContents(countdown(50));
    table.sort(0, Qt::AscendingOrder);
    table.setFilterText(QStringLiteral("n1"));
    EXPECT_EQ(table.rowCount(), 11);
    table.sort(1, Qt::DescendingOrder);
    table.setFilterText({});
    table.setContents(countdown(3));
    table.setContents({});
    EXPECT_EQ(table.rowCount(), 0);
}

TEST(ResultTable, TablesOfEveryKindKeepThem) {
    const AnalyzedStore trace(boostedRounds(5));
    const TableInputs inputs{TrackInputs::from(trace.store, trace.results),
                             trace.results.get<Latency>()};
    for (const ResultTableInfo& info : resultTables()) {
        ResultTable table;
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::Fatal);
        table.setContents(info.make(inputs));
        table.sort(info.sortColumn, info.order);
        for (int row = 0; row < table.rowCount(); ++row) {
            EXPECT_TRUE(table.item(row).thread.valid()) << info.id;
            for (int column = 0; column < table.columnCount(); ++column)
                EXPECT_FALSE(table.index(row, column).data().toString().isEmpty()) << info.id;
        }
        // And without any result.
        TableInputs none;
        none.tracks.store = trace.store;
        table.setContents(info.make(none));
        EXPECT_EQ(table.rowCount(), 0) << info.id;
    }
}

TEST(ResultTable, BigTablesAreArrangedInTheBackground) {
    ResultTable table;
    QSignalSpy arranged(&table, &ResultTable::arranged);
    table.setContents(countdown(ResultTable::kSortedAtOnce + 1));
    EXPECT_TRUE(table.busy());
    table.sort(0, Qt::AscendingOrder); // the first order is dropped
    ASSERT_TRUE(arranged.wait(20'000));
    EXPECT_EQ(arranged.count(), 1);
    EXPECT_FALSE(table.busy());
    EXPECT_EQ(table.index(0, 0).data().toString(), QStringLiteral("0"));
    EXPECT_EQ(table.rowOf(ThreadId{0}, {7, 8}), 7);
    EXPECT_EQ(table.rowOf(ThreadId{1}, {7, 8}), -1);
}

TEST(ResultTable, CsvQuotesWhatNeedsIt) {
    ResultTable table;
    table.setContents(countdown(2));
    EXPECT_EQ(table.toCsv().toStdString(), "number,\"a, \"\"name\"\"\"\r\n1,n1\r\n0,n0\r\n");
}

} // namespace
} // namespace inversight
