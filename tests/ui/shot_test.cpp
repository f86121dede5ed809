// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Pictures without a display: the library's parts, and the program end to end.
#include "tests/ui/boosted_rounds.h"
#include "ui/windows/shot.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <gmock/gmock.h>

#include <set>

namespace inversight {
namespace {

using test::boostedRounds;
using testing::HasSubstr;

TEST(ShotRange, SecondsOrUnits) {
    EXPECT_EQ(parseShotRange("0.5:1.25").value(), (TimeRange{500'000'000, 1'250'000'000}));
    EXPECT_EQ(parseShotRange("120ms:150ms").value(), (TimeRange{120'000'000, 150'000'000}));
    EXPECT_EQ(parseShotRange("1500us:2s").value(), (TimeRange{1'500'000, 2'000'000'000}));
    EXPECT_EQ(parseShotRange("10ns:20ns").value(), (TimeRange{10, 20}));
}

TEST(ShotRange, RefusesWhatIsNoRange) {
    for (const char* text :
         {"", "5", "1:", ":2", "a:b", "1:2:3", "1min:2min", "nan:1", "1:1e300"}) {
        const Result<TimeRange> range = parseShotRange(text);
        ASSERT_FALSE(range.has_value()) << text;
        EXPECT_EQ(range.error().code, ErrorCode::InvalidArgument);
    }
    EXPECT_THAT(parseShotRange("2:1").error().what, HasSubstr("ends before it begins"));
    EXPECT_THAT(parseShotRange("1:1").error().what, HasSubstr("ends before it begins"));
}

TEST(ShotSize, InPixelsWithinReason) {
    EXPECT_EQ(parseShotSize("1600x900").value(), QSize(1600, 900));
    for (const char* text :
         {"", "1600", "x900", "1600x", "0x0", "-5x900", "99999x900", "1600x900px"})
        EXPECT_FALSE(parseShotSize(text).has_value()) << text;
}

class Shot : public testing::Test {
protected:
    std::string pathOf(const char* name) {
        return directory.filePath(QString::fromLatin1(name)).toStdString();
    }
    static int coloursOf(const QImage& image) {
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); y += 2) {
            for (int x = 0; x < image.width(); x += 2)
                colours.insert(image.pixel(x, y));
        }
        return static_cast<int>(colours.size());
    }
    static int pixelsOf(const QImage& image, const QColor& colour) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == colour;
        }
        return count;
    }
    QTemporaryDir directory;
};

TEST_F(Shot, ShowsStatesAndBoostsInEveryThemeAndSize) {
    test::writeTrace(boostedRounds(40), pathOf("t.dat"));
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        for (const QSize size : {QSize(640, 400), QSize(1280, 800), QSize(2560, 1440)}) {
            const ShotOptions options{.file = pathOf("t.dat"),
                                      .output = pathOf("t.png"),
                                      .size = size,
                                      .range = {},
                                      .theme = kind};
            const Result<ShotReport> report = takeShot(options, JobContext());
            ASSERT_TRUE(report.has_value()) << report.error().sentence();
            EXPECT_TRUE(report->complete);
            const QImage image(QString::fromStdString(options.output));
            ASSERT_EQ(image.size(), size);
            const Theme& theme = Theme::of(kind);
            EXPECT_GT(coloursOf(image), 20);
            EXPECT_GT(pixelsOf(image, theme.role(ThemeRole::Running).fill), 500);
            EXPECT_GT(pixelsOf(image, theme.role(ThemeRole::BlockedLock).fill), 500);
            EXPECT_GT(pixelsOf(image, theme.role(ThemeRole::Boost).edge), 50);
        }
    }
    EXPECT_FALSE(QFile::exists(QString::fromStdString(pathOf("t.png.partial"))));
}

TEST_F(Shot, ARangeOutsideOfTheTraceIsRefused) {
    test::writeTrace(boostedRounds(3), pathOf("t.dat"));
    ShotOptions options{.file = pathOf("t.dat"), .output = pathOf("t.png"), .range = {}};
    options.range = TimeRange{60'000'000'000, 61'000'000'000};
    const Result<ShotReport> report = takeShot(options, JobContext());
    ASSERT_FALSE(report.has_value());
    EXPECT_THAT(report.error().what, HasSubstr("outside of the trace"));
    EXPECT_FALSE(QFile::exists(QString::fromStdString(options.output)));
}

TEST_F(Shot, ARangeChangesThePicture) {
    test::writeTrace(boostedRounds(40), pathOf("t.dat"));
    const auto shoot = [&](std::optional<TimeRange> range) {
        const ShotOptions options{
            .file = pathOf("t.dat"), .output = pathOf("t.png"), .range = range};
        EXPECT_TRUE(takeShot(options, JobContext()).has_value());
        return QImage(QString::fromStdString(options.output));
    };
    EXPECT_NE(shoot(TimeRange{0, 3'000'000}), shoot(TimeRange{30'000'000, 60'000'000}));
}

/// The program as a shell without a display starts it.
class Program : public Shot {
protected:
    struct Outcome {
        int code = -1;
        std::string error;
    };
    Outcome run(const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name :
             {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
            environment.remove(QString::fromLatin1(name));
        environment.insert(QStringLiteral("TMPDIR"), temporary());
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(INVERSIGHT_GUI_PROGRAM), arguments);
        if (!process.waitForFinished(60'000)) {
            process.kill();
            process.waitForFinished();
            return {};
        }
        return {process.exitCode(), process.readAllStandardError().toStdString()};
    }
    QString temporary() {
        QDir().mkpath(directory.filePath(QStringLiteral("tmp")));
        return directory.filePath(QStringLiteral("tmp"));
    }
    QString qpath(const char* name) { return QString::fromStdString(pathOf(name)); }
};

TEST_F(Program, WritesAPictureAndLeavesNothingElse) {
    test::writeTrace(boostedRounds(10), pathOf("t.dat"));
    const Outcome done = run({"--shot", qpath("t.dat"), "-o", qpath("t.png"), "--size", "1280x800",
                              "--range", "1ms:9ms", "--theme", "dark"});
    EXPECT_EQ(done.code, 0) << done.error;
    EXPECT_EQ(done.error, "");
    EXPECT_EQ(QImage(qpath("t.png")).size(), QSize(1280, 800));
    EXPECT_TRUE(QDir(temporary()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

TEST_F(Program, LostEventsAreExitCodeThree) {
    test::writeTrace(boostedRounds(10), pathOf("t.dat"), 55);
    const Outcome done = run({"--shot", qpath("t.dat"), "-o", qpath("t.png")});
    EXPECT_EQ(done.code, 3);
    EXPECT_THAT(done.error, HasSubstr("55 EVENTS LOST"));
    EXPECT_EQ(QImage(qpath("t.png")).size(), QSize(1600, 900));
}

TEST_F(Program, FailuresAreOneLine) {
    const Outcome absent = run({"--shot", qpath("absent.dat"), "-o", qpath("t.png")});
    EXPECT_EQ(absent.code, 1);
    EXPECT_THAT(absent.error, HasSubstr("absent.dat"));
    EXPECT_EQ(std::count(absent.error.begin(), absent.error.end(), '\n'), 1);

    test::writeTrace(boostedRounds(2), pathOf("t.dat"));
    const Outcome unwritable = run({"--shot", qpath("t.dat"), "-o", qpath("no/such/folder/t.png")});
    EXPECT_EQ(unwritable.code, 1);
    EXPECT_THAT(unwritable.error, HasSubstr("no/such/folder"));

    const Outcome noDisplay = run({qpath("t.dat")});
    EXPECT_EQ(noDisplay.code, 1);
    EXPECT_THAT(noDisplay.error, HasSubstr("no display"));
}

TEST_F(Program, WrongUsageIsTwo) {
    EXPECT_EQ(run({"--shot", qpath("t.dat")}).code, 2);
    EXPECT_EQ(run({"--no-such-option"}).code, 2);
    EXPECT_EQ(run({"--shot", "a", "-o", "b", "--size", "big"}).code, 2);
    EXPECT_EQ(run({"--shot", "a", "-o", "b", "--range", "5:1"}).code, 2);
    EXPECT_EQ(run({"--shot", "a", "-o", "b", "--theme", "pink"}).code, 2);
    EXPECT_EQ(run({"--help"}).code, 0);
}

} // namespace
} // namespace inversight
