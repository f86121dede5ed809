// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/ui/boosted_rounds.h"
#include "ui/windows/main_window.h"
#include "ui/windows/recent_files.h"

#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <gmock/gmock.h>

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
    void openAndWait(const std::string& path) {
        QSignalSpy finished(&window.session(), &TraceSession::finished);
        window.openFile(QString::fromStdString(path));
        ASSERT_TRUE(finished.wait(kPatienceMs));
    }

    QTemporaryDir directory;
    MainWindow window{ThemeKind::Light};
};

TEST_F(Window, AFailureIsASentenceInTheWindowAndNoDeadEnd) {
    openAndWait(pathOf("absent.dat"));
    EXPECT_EQ(window.session().state(), TraceSession::State::Failed);
    EXPECT_EQ(window.session().error()->code, ErrorCode::NotFound);
    EXPECT_THAT(window.startPage().error().toStdString(), HasSubstr("absent.dat"));

    // The next file opens as if nothing had happened.
    test::writeTrace(boostedRounds(3), pathOf("good.dat"));
    openAndWait(pathOf("good.dat"));
    EXPECT_EQ(window.session().state(), TraceSession::State::Ready);
    EXPECT_EQ(window.startPage().error(), QString());
    EXPECT_EQ(RecentFiles::all().front().toStdString(), pathOf("good.dat"));
}

TEST_F(Window, AFileOfAnotherKindIsNamed) {
    QFile file(QString::fromStdString(pathOf("notes.txt")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("These are not events.\n");
    file.close();
    openAndWait(pathOf("notes.txt"));
    EXPECT_EQ(window.session().state(), TraceSession::State::Failed);
    EXPECT_THAT(window.startPage().error().toStdString(), HasSubstr("notes.txt"));
}

TEST_F(Window, ARowOfTheTableFramesItsBoost) {
    test::writeTrace(boostedRounds(12), pathOf("boosts.dat"));
    openAndWait(pathOf("boosts.dat"));
    QTableView& table = window.boostTable();
    ASSERT_EQ(table.model()->rowCount(), 12);
    EXPECT_EQ(table.model()->index(7, BoostsModel::Target).data().toString(),
              QStringLiteral("low (10)"));
    EXPECT_EQ(table.model()->index(7, BoostsModel::Donor).data().toString(),
              QStringLiteral("high (30)"));
    EXPECT_EQ(table.model()->index(7, BoostsModel::Lock).data().toString(),
              QStringLiteral("i2c-2 bus lock"));

    table.selectRow(7);
    const std::int64_t start = kOrigin + 7 * kRound;
    const TimeRange visible = window.page().view().visible();
    EXPECT_EQ(visible, frameRange({start + kBoostBegin, start + kBoostEnd}));
    window.page().view().goBack();
    EXPECT_NE(window.page().view().visible(), visible);
}

TEST_F(Window, TheTableSortsNumbersAsNumbers) {
    test::writeTrace(boostedRounds(12), pathOf("boosts.dat"));
    openAndWait(pathOf("boosts.dat"));
    QTableView& table = window.boostTable();
    table.sortByColumn(BoostsModel::Begin, Qt::DescendingOrder);
    EXPECT_EQ(table.model()->index(0, BoostsModel::Begin).data().toString(),
              QStringLiteral("0.022310000"));
    EXPECT_EQ(table.model()->index(11, BoostsModel::Begin).data().toString(),
              QStringLiteral("0.000310000"));
}

TEST_F(Window, LostEventsAreSaidLoudly) {
    test::writeTrace(boostedRounds(4), pathOf("lossy.dat"), 1234);
    openAndWait(pathOf("lossy.dat"));
    auto* losses = window.findChild<QLabel*>(QStringLiteral("losses"));
    ASSERT_NE(losses, nullptr);
    EXPECT_EQ(losses->text(), QStringLiteral("1,234 EVENTS LOST"));
    EXPECT_TRUE(losses->autoFillBackground());

    test::writeTrace(boostedRounds(4), pathOf("whole.dat"));
    openAndWait(pathOf("whole.dat"));
    EXPECT_EQ(losses->text(), QStringLiteral("no events lost"));
    EXPECT_FALSE(losses->autoFillBackground());
}

TEST_F(Window, ADroppedFileIsOpened) {
    test::writeTrace(boostedRounds(3), pathOf("dropped.dat"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(pathOf("dropped.dat")))});
    QSignalSpy finished(&window.session(), &TraceSession::finished);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    ASSERT_TRUE(finished.wait(kPatienceMs));
    EXPECT_EQ(window.session().state(), TraceSession::State::Ready);
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
