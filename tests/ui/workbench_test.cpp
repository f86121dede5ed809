// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Docks of a trace: events, latency, bars over the lanes, bookmarks.
#include "tests/ui/boosted_rounds.h"
#include "ui/windows/workbench.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>
#include <qcustomplot.h>

namespace inversight {
namespace {

using test::boostedRounds;
using test::kOrigin;
using test::kRound;
using testing::HasSubstr;

constexpr int kPatienceMs = 20'000;

class Bench : public testing::Test {
protected:
    Bench() {
        const std::string path = directory.filePath(QStringLiteral("t.dat")).toStdString();
        test::writeTrace(boostedRounds(20), path);
        bench.resize(1600, 900);
        QSignalSpy finished(&bench.session(), &TraceSession::finished);
        bench.open(QString::fromStdString(path));
        EXPECT_TRUE(finished.wait(kPatienceMs));
        (void)bench.grab();
    }
    EventList& events() { return bench.events().events(); }
    void filter(const char* expression) {
        QSignalSpy scanned(&events(), &EventList::scanned);
        bench.events().filter().setText(QString::fromLatin1(expression));
        QTest::keyClick(&bench.events().filter(), Qt::Key_Return);
        if (scanned.isEmpty()) {
            ASSERT_TRUE(scanned.wait(kPatienceMs));
        }
    }

    QTemporaryDir directory;
    Workbench bench{Theme::of(ThemeKind::Light)};
};

TEST_F(Bench, TheEventsAreAllThere) {
    EXPECT_EQ(events().rowCount(), bench.session().trace()->store->eventCount());
    const EventLine line = events().line(0);
    EXPECT_EQ(line.time, QStringLiteral("0.000000000"));
    EXPECT_EQ(line.name, QStringLiteral("sched_switch"));
    EXPECT_THAT(line.text.toStdString(), HasSubstr("next_comm=low"));
}

TEST_F(Bench, AFilterShowsWhatMatches) {
    filter("name=sched_pi_setprio");
    EXPECT_EQ(events().rowCount(), 40u);
    EXPECT_EQ(events().line(5).name, QStringLiteral("sched_pi_setprio"));
    EXPECT_THAT(bench.events().status().toStdString(), HasSubstr("40 events"));
    filter("text~newprio=0");
    EXPECT_EQ(events().rowCount(), 20u);
    bench.events().filter().clear();
    EXPECT_EQ(events().rowCount(), bench.session().trace()->store->eventCount());
}

TEST_F(Bench, AFilterThatCannotBeReadSaysWhy) {
    bench.events().filter().setText(QStringLiteral("cpu="));
    QTest::keyClick(&bench.events().filter(), Qt::Key_Return);
    EXPECT_THAT(bench.events().status().toStdString(), HasSubstr("a value"));
    EXPECT_EQ(events().rowCount(), bench.session().trace()->store->eventCount());
}

TEST_F(Bench, FindGoesFromHitToHitAndBack) {
    QSignalSpy found(&events(), &EventList::found);
    bench.events().search().setText(QStringLiteral("name=sched_pi_setprio"));
    QTest::keyClick(&bench.events().search(), Qt::Key_Return);
    ASSERT_TRUE(found.wait(kPatienceMs));
    const std::size_t first = *bench.events().view().current();
    EXPECT_EQ(events().line(first).name, QStringLiteral("sched_pi_setprio"));
    QTest::keyClick(&bench.events().search(), Qt::Key_Return);
    ASSERT_TRUE(found.wait(kPatienceMs));
    const std::size_t second = *bench.events().view().current();
    EXPECT_GT(second, first);
    events().find(QStringLiteral("name=sched_pi_setprio"), second, EventList::Direction::Backward);
    ASSERT_TRUE(found.wait(kPatienceMs));
    EXPECT_EQ(*bench.events().view().current(), first);
    QSignalSpy notFound(&events(), &EventList::notFound);
    events().find(QStringLiteral("tid=4711"), 0, EventList::Direction::Forward);
    EXPECT_TRUE(notFound.wait(kPatienceMs));
}

TEST_F(Bench, EventsAreChosenAndCopiedByKeys) {
    EventsView& view = bench.events().view();
    view.setCurrent(0);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(view.current(), 2u);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    EXPECT_EQ(copied.count(QLatin1Char('\n')), 2);
    EXPECT_THAT(copied.toStdString(), HasSubstr(events().line(1).text.toStdString()));
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(view.current(), events().rowCount() - 1);
    // The timeline goes where the event is.
    const EventIndex last = events().event(events().rowCount() - 1);
    const std::int64_t time = bench.session().trace()->store->time(last);
    const TimeRange visible = bench.page().view().visible();
    EXPECT_TRUE(visible.begin <= time && time <= visible.end);
}

TEST_F(Bench, ABrushedBarListsItsOperations) {
    LatencyPanel& panel = bench.latency();
    const int all = panel.operations().table().rowCount();
    ASSERT_EQ(all, 40);
    const auto latency = bench.session().results()->get<Latency>();
    const std::int64_t longest = latency->threads[1].operations[0].range.length();
    panel.brush(longest - 1, longest + 1);
    EXPECT_LT(panel.operations().table().rowCount(), all);
    EXPECT_GT(panel.operations().table().rowCount(), 0);
    panel.operations().view().selectRow(0);
    EXPECT_EQ(bench.page().view().visible().length(), 3 * longest);
    EXPECT_FALSE(bench.inspector().parts().parts().empty());
}

TEST_F(Bench, TheComplementaryDistributionIsLogarithmic) {
    bench.latency().distribution().setCurrentIndex(1);
    const QCustomPlot& plot = bench.latency().plot().cumulativePlot();
    EXPECT_EQ(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_GT(plot.yAxis->range().lower, 0);
    for (int i = 0; i < plot.graphCount(); ++i) {
        for (const QCPGraphData& point : *plot.graph(i)->data())
            EXPECT_GT(point.value, 0);
    }
}

TEST_F(Bench, ARangesFiguresStandInTheInspector) {
    bench.page().state().selection.selectRange({kOrigin, kOrigin + 2 * kRound});
    QTest::qWait(150);
    const std::string text = bench.inspector().text().toStdString();
    EXPECT_THAT(text, HasSubstr("Range of 4.000 ms"));
    EXPECT_THAT(text, HasSubstr("2 boosts"));
    EXPECT_THAT(text, HasSubstr("high"));
    EXPECT_THAT(text, HasSubstr("blocked on a lock"));
    EXPECT_THAT(text, HasSubstr("operations: avg"));
}

TEST_F(Bench, AWaitSaysWhatItsOwnerDidMeanwhile) {
    TablePanel& waits = bench.table(QStringLiteral("waits"));
    waits.filter().setText(QStringLiteral("high"));
    ASSERT_GT(waits.table().rowCount(), 0);
    waits.view().selectRow(0);
    const std::vector<TimePart>& parts = bench.inspector().parts().parts();
    ASSERT_FALSE(parts.empty());
    std::int64_t sum = 0;
    for (const TimePart& part : parts)
        sum += part.length;
    EXPECT_EQ(sum, waits.table().item(0).range().length());
    EXPECT_THAT(bench.inspector().text().toStdString(), HasSubstr("Go to the owner"));
}

TEST_F(Bench, TheBarFiltersLanesAndMeasures) {
    LaneBar& bar = bench.laneBar();
    bar.text().setText(QStringLiteral("high"));
    EXPECT_EQ(bench.page().state().lanes.settings().filter.text, "high");
    bar.text().clear();
    bar.priorityClass().setCurrentIndex(1);
    EXPECT_EQ(bench.page().state().lanes.settings().filter.priorityClass, PriorityClass::RealTime);
    // The other way: what keys change is shown.
    bench.page().state().lanes.showAll();
    EXPECT_EQ(bar.priorityClass().currentIndex(), 0);
    bench.page().state().marks.setMarker(TimelineMarks::Marker::A, kOrigin);
    bench.page().state().marks.setMarker(TimelineMarks::Marker::B, kOrigin + 1'282'000);
    EXPECT_THAT(bar.measures().toStdString(), HasSubstr("B - A: 1.282 ms"));
}

TEST_F(Bench, BookmarksAreNotedAndRemoved) {
    TimelineMarks& marks = bench.page().state().marks;
    marks.addBookmark({kOrigin + 30'000'000, {}});
    QTableWidget& table = bench.bookmarks().table();
    ASSERT_EQ(table.rowCount(), 1);
    table.item(0, 1)->setText(QStringLiteral("strange"));
    EXPECT_EQ(marks.bookmarks()[0].note, QStringLiteral("strange"));
    table.setCurrentCell(0, 0);
    QTest::keyClick(&table, Qt::Key_Return);
    EXPECT_TRUE(bench.page().view().visible().contains(kOrigin + 30'000'000));
    QTest::keyClick(&table, Qt::Key_Delete);
    EXPECT_TRUE(marks.bookmarks().empty());
}

TEST_F(Bench, ThreadsHaveTheirTotals) {
    ResultTable& table = bench.table(QStringLiteral("threads")).table();
    ASSERT_EQ(table.rowCount(), 2);
    const auto cell = [&](ThreadColumn column) {
        return table.index(0, static_cast<int>(column)).data().toString();
    };
    EXPECT_FALSE(cell(ThreadColumn::Name).isEmpty());
    EXPECT_NE(cell(ThreadColumn::Running), cell(ThreadColumn::Sleeping));
}

TEST_F(Bench, TheLogHasWhatWasRead) {
    EXPECT_THAT(bench.log().toStdString(), HasSubstr("no events lost"));
}

TEST_F(Bench, SelectedRowsAreCopied) {
    TablePanel& boosts = bench.table(QStringLiteral("boosts"));
    boosts.view().selectRow(1);
    QTest::keyClick(&boosts.view(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr("low (10)\tnice 0"));
    const QString csv = boosts.table().toCsv();
    EXPECT_TRUE(csv.startsWith(QStringLiteral("From start,Lasted,Boosted thread")));
    EXPECT_EQ(csv.count(QStringLiteral("\r\n")), 21);
}

} // namespace
} // namespace inversight
