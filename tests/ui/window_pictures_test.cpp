// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Pictures of the window with everything in it, kept as build output for people to look at; the
// tests themselves look only for what would be wrong in any window.
#include "ui/windows/main_window.h"

#include <QDir>
#include <QDockWidget>
#include <QProcess>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace inversight {
namespace {

constexpr int kPatienceMs = 60'000;

struct Picture {
    const char* name;
    QSize size;
    ThemeKind theme;
};

class Pictured : public testing::TestWithParam<Picture> {
protected:
    void open(MainWindow& window, const QString& path) {
        window.openFile(path);
        ASSERT_NE(window.workbench(), nullptr);
        QSignalSpy finished(&window.workbench()->session(), &TraceSession::finished);
        ASSERT_TRUE(finished.wait(kPatienceMs));
    }
    /// A recording in virtual time.
    QString run(const char* scenario, const char* policy) {
        QProcess program;
        const QString out = directory.filePath(QString::fromLatin1(scenario));
        program.start(
            ChildJob::findProgram(),
            {QStringLiteral("run"), QString::fromLatin1(scenario), QStringLiteral("--policy"),
             QString::fromLatin1(policy), QStringLiteral("--engine"), QStringLiteral("virtual"),
             QStringLiteral("--loops"), QStringLiteral("200"), QStringLiteral("-o"), out});
        EXPECT_TRUE(program.waitForFinished(kPatienceMs));
        return QDir(out).filePath(QLatin1String(policy) + QStringLiteral(".dat"));
    }
    void keep(QWidget& window, const QString& what) {
        const QDir folder(QStringLiteral(INVERSIGHT_PICTURES));
        folder.mkpath(QStringLiteral("."));
        QTest::qWait(50);
        const QImage image = window.grab().toImage();
        EXPECT_EQ(image.size(), GetParam().size);
        EXPECT_TRUE(image.save(
            folder.filePath(QLatin1String(GetParam().name) + what + QStringLiteral(".png"))));
    }

    QTemporaryDir directory;
};

TEST_P(Pictured, TheWindowWithATraceItsPanelsAndAComparison) {
    MainWindow window(GetParam().theme);
    window.resize(GetParam().size);
    window.show();
    keep(window, QStringLiteral("-start"));
    open(window, run("i2c-bus-2009", "rt_mutex"));
    Workbench& bench = *window.workbench();
    TablePanel& boosts = bench.table(QStringLiteral("boosts"));
    boosts.view().selectRow(4);
    const TimeRange visible = bench.page().view().visible();
    bench.page().view().setVisible(
        {visible.begin - 3 * visible.length(), visible.end + 3 * visible.length()});
    bench.page().state().marks.setMarker(TimelineMarks::Marker::A, visible.begin);
    bench.page().state().marks.setMarker(TimelineMarks::Marker::B, visible.end);
    keep(window, QStringLiteral("-boosts"));
    bench.table(QStringLiteral("waits")).view().selectRow(0);
    bench.raiseDock(QStringLiteral("waits"));
    keep(window, QStringLiteral("-waits"));
    bench.raiseDock(QStringLiteral("latency"));
    bench.page().state().selection.selectRange(visible);
    QTest::qWait(100);
    keep(window, QStringLiteral("-latency"));
    bench.raiseDock(QStringLiteral("events"));
    window.findChild<QDockWidget*>(QStringLiteral("run"))->show();
    keep(window, QStringLiteral("-run-events"));
    window.findChild<QDockWidget*>(QStringLiteral("run"))->hide();
    open(window, run("i2c-bus-2009", "mutex-2009"));
    window.compareOpenTraces();
    keep(window, QStringLiteral("-comparison"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pictured,
                         testing::Values(Picture{"light", {1600, 900}, ThemeKind::Light},
                                         Picture{"small-dark", {1280, 800}, ThemeKind::Dark},
                                         Picture{"large", {2560, 1440}, ThemeKind::Light}),
                         [](const auto& info) {
                             QString name = QLatin1String(info.param.name);
                             return name.replace(QLatin1Char('-'), QLatin1Char('_')).toStdString();
                         });

} // namespace
} // namespace inversight
