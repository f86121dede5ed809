// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/ui/boosted_rounds.h"
#include "ui/windows/main_window.h"
#include "ui/windows/recent_files.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <gmock/gmock.h>
#include <qcustomplot.h>

namespace inversight {
namespace {

using test::boostedRounds;
using test::kBoostBegin;
using test::kBoostEnd;
using test::kOrigin;
using test::kRound;
using testing::HasSubstr;

constexpr int kPatienceMs = 20'000;

class Window : public testing::Test {
protected:
    std::string pathOf(const char* name) {
        return directory.filePath(QString::fromLatin1(name)).toStdString();
    }
    /// The state a file ends in; a trace that cannot be opened leaves no tab.
    void openAndWait(const std::string& path) {
        window.openFile(QString::fromStdString(path));
        Workbench* bench = window.workbench();
        ASSERT_NE(bench, nullptr);
        QSignalSpy finished(&bench->session(), &TraceSession::finished);
        ASSERT_TRUE(finished.wait(kPatienceMs));
    }
    /// Opens a trace of some boosted rounds.
    Workbench& openRounds(int rounds, const char* name = "rounds.dat", std::uint64_t lost = 0) {
        test::writeTrace(boostedRounds(rounds), pathOf(name), lost);
        openAndWait(pathOf(name));
        return *window.workbench();
    }

    QTemporaryDir directory;
    MainWindow window{ThemeKind::Light};
};

TEST_F(Window, AFailureIsASentenceInTheWindowAndNoDeadEnd) {
    openAndWait(pathOf("absent.dat"));
    EXPECT_EQ(window.tabCount(), 0);
    EXPECT_THAT(window.startPage().error().toStdString(), HasSubstr("absent.dat"));

    // The next file opens as if nothing had happened.
    Workbench& bench = openRounds(3, "good.dat");
    EXPECT_EQ(bench.session().state(), TraceSession::State::Ready);
    EXPECT_EQ(window.startPage().error(), QString());
    EXPECT_EQ(RecentFiles::all().front().toStdString(), pathOf("good.dat"));

    // A failure beside an open trace is said above it.
    openAndWait(pathOf("absent.dat"));
    EXPECT_EQ(window.tabCount(), 1);
    EXPECT_THAT(window.notice().toStdString(), HasSubstr("absent.dat"));
}

TEST_F(Window, AFileOfAnotherKindIsNamed) {
    QFile file(QString::fromStdString(pathOf("notes.txt")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("These are not events.\n");
    file.close();
    openAndWait(pathOf("notes.txt"));
    EXPECT_THAT(window.startPage().error().toStdString(), HasSubstr("notes.txt"));
}

TEST_F(Window, ARowOfTheTableFramesItsBoost) {
    Workbench& bench = openRounds(12);
    TablePanel& panel = bench.table(QStringLiteral("boosts"));
    const ResultTable& table = panel.table();
    ASSERT_EQ(table.rowCount(), 12);
    const auto cell = [&](BoostColumn column) {
        return table.index(7, static_cast<int>(column)).data().toString().toStdString();
    };
    EXPECT_EQ(cell(BoostColumn::Target), "low (10)");
    EXPECT_EQ(cell(BoostColumn::Donor), "high (30)");
    EXPECT_EQ(cell(BoostColumn::Lock), "i2c-2 bus lock");

    panel.view().selectRow(7);
    const std::int64_t start = kOrigin + 7 * kRound;
    const TimeRange visible = bench.page().view().visible();
    EXPECT_EQ(visible, frameRange({start + kBoostBegin, start + kBoostEnd}));
    bench.page().view().goBack();
    EXPECT_NE(bench.page().view().visible(), visible);
}

TEST_F(Window, WhatTheTimelineSelectsIsSelectedInTheTable) {
    Workbench& bench = openRounds(12);
    TablePanel& panel = bench.table(QStringLiteral("boosts"));
    panel.view().selectRow(2);
    const TrackHit third = panel.table().item(3);
    bench.page().state().selection.selectItem(third, "thread:10:low",
                                              SelectionState::Origin::Timeline);
    EXPECT_EQ(panel.view().currentIndex().row(), 3);
    EXPECT_THAT(bench.inspector().text().toStdString(), HasSubstr("because of high"));
    EXPECT_EQ(bench.events().view().current(), bench.events().events().rowAt(third.range().begin));
}

TEST_F(Window, TheTableSortsNumbersAsNumbers) {
    TablePanel& panel = openRounds(12).table(QStringLiteral("boosts"));
    const auto begins = [&](int row) {
        return panel.table().index(row, static_cast<int>(BoostColumn::Begin)).data().toString();
    };
    panel.sortBy(static_cast<int>(BoostColumn::Begin), Qt::DescendingOrder);
    EXPECT_EQ(begins(0), QStringLiteral("0.022310000"));
    EXPECT_EQ(begins(11), QStringLiteral("0.000310000"));
}

TEST_F(Window, LostEventsAreSaidLoudly) {
    (void)openRounds(4, "lossy.dat", 1234);
    auto* losses = window.findChild<QLabel*>(QStringLiteral("losses"));
    ASSERT_NE(losses, nullptr);
    EXPECT_EQ(losses->text(), QStringLiteral("1,234 EVENTS LOST"));
    EXPECT_TRUE(losses->autoFillBackground());

    (void)openRounds(4, "whole.dat");
    EXPECT_EQ(losses->text(), QStringLiteral("no events lost"));
    EXPECT_FALSE(losses->autoFillBackground());
    EXPECT_EQ(window.tabCount(), 2);
}

TEST_F(Window, ADroppedFileIsOpened) {
    test::writeTrace(boostedRounds(3), pathOf("dropped.dat"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(pathOf("dropped.dat")))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    ASSERT_NE(window.workbench(), nullptr);
    QSignalSpy finished(&window.workbench()->session(), &TraceSession::finished);
    ASSERT_TRUE(finished.wait(kPatienceMs));
    EXPECT_EQ(window.workbench()->session().state(), TraceSession::State::Ready);
}

TEST_F(Window, AFileThatIsOpenComesToTheFront) {
    (void)openRounds(3, "first.dat");
    Workbench* first = window.workbench();
    (void)openRounds(3, "second.dat");
    EXPECT_NE(window.workbench(), first);
    openAndWait(pathOf("first.dat"));
    EXPECT_EQ(window.workbench(), first);
    EXPECT_EQ(window.tabCount(), 2);
    window.closeTab(0);
    window.closeTab(0);
    EXPECT_EQ(window.workbench(), nullptr);
}

TEST_F(Window, TwoTracesAreComparedWithOneZoom) {
    (void)openRounds(3, "first.dat");
    window.compareOpenTraces();
    EXPECT_THAT(window.notice().toStdString(), HasSubstr("needs two"));
    (void)openRounds(5, "second.dat");
    window.compareOpenTraces();
    ComparisonPage* page = window.comparison();
    ASSERT_NE(page, nullptr);
    ASSERT_EQ(page->runCount(), 2u);
    page->view(0).setVisible({kOrigin + 1'000'000, kOrigin + 3'000'000});
    EXPECT_EQ(page->view(1).visible(), page->view(0).visible());
    page->view(1).zoomAt(kOrigin + 2'000'000, 0.5);
    EXPECT_EQ(page->view(0).visible(), (TimeRange{kOrigin + 1'500'000, kOrigin + 2'500'000}));
    EXPECT_EQ(page->latency().histogramPlot().isHidden(), false);
    // Closing the traces leaves the comparison: what it shows is shared.
    window.closeTab(0);
    window.closeTab(0);
    EXPECT_EQ(window.comparison(), page);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    (void)page->grab();
}

TEST_F(Window, AlignedAtAnOperationTheRunsBeginThere) {
    (void)openRounds(3, "first.dat");
    (void)openRounds(5, "second.dat");
    window.compareOpenTraces();
    ComparisonPage* page = window.comparison();
    ASSERT_NE(page, nullptr);
    page->view(0).setVisible({kOrigin, kOrigin + 1'000'000});
    page->alignAt(3); // low's second: both runs are the same there
    EXPECT_EQ(page->view(0).visible(), page->view(1).visible());
    EXPECT_GT(page->view(0).visible().begin, kOrigin);
}

TEST_F(Window, EveryViewIsExportedAsPngSvgAndPdf) {
    (void)openRounds(3);
    (void)window.grab();
    const auto bytesOf = [&](const char* name) {
        const QString path = QString::fromStdString(pathOf(name));
        const Result<void> done = window.exportView(path);
        EXPECT_TRUE(done.has_value());
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    EXPECT_TRUE(bytesOf("view.png").startsWith("\x89PNG"));
    const QByteArray svg = bytesOf("view.svg");
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(svg.contains("high")); // text stays text
    EXPECT_TRUE(bytesOf("view.pdf").startsWith("%PDF"));
    const Result<void> refused = window.exportView(QStringLiteral("view.bmp"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
}

TEST_F(Window, ThePaletteListsEveryCommandAndRunsIt) {
    Workbench& bench = openRounds(3);
    const TimeRange before = bench.page().view().visible();
    window.commandPalette().popUp(window.commands());
    window.commandPalette().input().setText(QStringLiteral("whole trace show"));
    ASSERT_EQ(window.commandPalette().list().count(), 1);
    QTest::keyClick(&window.commandPalette().input(), Qt::Key_Return);
    EXPECT_NE(bench.page().view().visible(), before);
    EXPECT_EQ(bench.page().view().visible(), bench.page().tracks().model()->wholeRange());
}

TEST_F(Window, ASessionIsSavedBesideTheTraceAndRestored) {
    Workbench& bench = openRounds(12);
    TimelineState& state = bench.page().state();
    state.view.setVisible({kOrigin + 2'000'000, kOrigin + 5'000'000});
    state.marks.setMarker(TimelineMarks::Marker::A, kOrigin + 3'000'000);
    state.marks.addBookmark({kOrigin + 4'000'000, QStringLiteral("here")});
    state.lanes.togglePinned("thread:10:low");
    bench.events().events().setFilter(QStringLiteral("cpu=0"));
    const Result<void> saved = bench.saveSession();
    ASSERT_TRUE(saved.has_value());
    const LaneSettings lanes = state.lanes.settings();
    window.closeTab(0);

    openAndWait(pathOf("rounds.dat"));
    Workbench& again = *window.workbench();
    EXPECT_EQ(again.page().view().visible(), (TimeRange{kOrigin + 2'000'000, kOrigin + 5'000'000}));
    EXPECT_EQ(again.page().state().marks.marker(TimelineMarks::Marker::A), kOrigin + 3'000'000);
    EXPECT_EQ(again.page().state().marks.bookmarks(),
              (std::vector<Bookmark>{{kOrigin + 4'000'000, QStringLiteral("here")}}));
    EXPECT_EQ(again.page().state().lanes.settings(), lanes);
    EXPECT_EQ(again.events().events().filter(), QStringLiteral("cpu=0"));
    EXPECT_THAT(again.log().toStdString(), HasSubstr("session.json"));
}

TEST_F(Window, EveryControlHasANameForScreenReaders) {
    (void)openRounds(3);
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QLineEdit*>(widget) ||
                             qobject_cast<const QComboBox*>(widget) ||
                             qobject_cast<const QAbstractSpinBox*>(widget) ||
                             qobject_cast<const QTableView*>(widget);
        const QWidget* parent = widget->parentWidget();
        const bool inner =
            qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent);
        if (control && !inner) {
            EXPECT_FALSE(widget->accessibleName().isEmpty())
                << widget->metaObject()->className() << " in "
                << (parent ? parent->metaObject()->className() : "");
            EXPECT_NE(widget->focusPolicy(), Qt::NoFocus);
        }
    }
}

TEST(Session, OpeningAnotherFileDropsTheFirstOnesReports) {
    QTemporaryDir directory;
    const std::string first = directory.filePath(QStringLiteral("first.dat")).toStdString();
    const std::string second = directory.filePath(QStringLiteral("second.dat")).toStdString();
    test::writeTrace(boostedRounds(200), first);
    test::writeTrace(boostedRounds(2), second);
    TraceSession session;
    QSignalSpy finished(&session, &TraceSession::finished);
    QSignalSpy loaded(&session, &TraceSession::loaded);
    session.open(QString::fromStdString(first));
    session.open(QString::fromStdString(second));
    ASSERT_TRUE(finished.wait(kPatienceMs));
    QTest::qWait(50);
    EXPECT_EQ(finished.count(), 1);
    EXPECT_EQ(loaded.count(), 1);
    EXPECT_EQ(session.state(), TraceSession::State::Ready);
    EXPECT_EQ(session.trace()->info.path, second);
    ASSERT_NE(session.model(), nullptr);
    EXPECT_EQ(session.results()->get<Boosts>()->boosts.size(), 2u);
}

TEST(Session, CancelledIsNotFailed) {
    QTemporaryDir directory;
    const std::string path = directory.filePath(QStringLiteral("big.dat")).toStdString();
    test::writeTrace(boostedRounds(3000), path);
    TraceSession session;
    QSignalSpy finished(&session, &TraceSession::finished);
    session.open(QString::fromStdString(path));
    session.cancel();
    ASSERT_TRUE(finished.wait(kPatienceMs));
    EXPECT_EQ(session.state(), TraceSession::State::Cancelled);
    EXPECT_EQ(session.model(), nullptr);
    EXPECT_FALSE(session.error().has_value());
}

} // namespace
} // namespace inversight
