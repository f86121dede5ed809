// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// inversight-gui: the window, and pictures without one.
#include "ui/windows/main_window.h"
#include "ui/windows/shot.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <QIcon>
#include <QTemporaryDir>
#include <csignal>
#include <cstdio>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace inversight;

enum ExitCode { Done = 0, Failed = 1, Usage = 2, Incomplete = 3, Interrupted = 130 };

/// Turns SIGINT and SIGTERM into a stop request, so that an interrupted shot cleans up after
/// itself. Make it before any other thread: they inherit the blocked signals.
class InterruptWatch {
public:
    InterruptWatch() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        watcher_ = std::jthread([this](const std::stop_token& end) {
            constexpr timespec slice{.tv_sec = 0, .tv_nsec = 50'000'000};
            while (!end.stop_requested()) {
                if (sigtimedwait(&signals_, nullptr, &slice) > 0)
                    stop_.request_stop();
            }
        });
    }
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

private:
    sigset_t signals_{};
    std::stop_source stop_;
    std::jthread watcher_;
};

struct Arguments {
    std::vector<std::string> files;
    std::string shot;
    std::string output;
    std::string size = "1600x900";
    std::string range;
    std::string theme = "light";
};

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

int fail(ExitCode code, const std::string& sentence) {
    std::fprintf(stderr, "inversight-gui: %s\n", sentence.c_str());
    return code;
}

/// Pictures are drawn off screen whatever display there is: the same picture everywhere. Qt wants a
/// runtime directory of its own even then; without one it complains into the output.
std::unique_ptr<QTemporaryDir> prepareOffscreen() {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        return nullptr;
    auto directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", directory->path().toLocal8Bit());
    return directory;
}

int runShot(const Arguments& arguments) {
    const InterruptWatch interrupt;
    ShotOptions options{.file = arguments.shot, .output = arguments.output, .range = {}};
    options.theme = arguments.theme == "dark" ? ThemeKind::Dark : ThemeKind::Light;
    const Result<QSize> size = parseShotSize(arguments.size);
    if (!size)
        return fail(Usage, size.error().sentence());
    options.size = *size;
    if (!arguments.range.empty()) {
        const Result<TimeRange> range = parseShotRange(arguments.range);
        if (!range)
            return fail(Usage, range.error().sentence());
        options.range = *range;
    }
    const Result<ShotReport> report = takeShot(options, JobContext{interrupt.token()});
    if (!report && report.error().code == ErrorCode::Cancelled)
        return Interrupted;
    if (!report)
        return fail(Failed, report.error().sentence());
    for (const QString& warning : report->warnings)
        std::fprintf(stderr, "inversight-gui: %s\n", qPrintable(warning));
    return report->complete ? Done : Incomplete;
}

int runWindows(const Arguments& arguments) {
    MainWindow window(arguments.theme == "dark" ? ThemeKind::Dark : ThemeKind::Light);
    window.show();
    for (const std::string& file : arguments.files)
        window.openFile(QString::fromLocal8Bit(file));
    return QApplication::exec();
}

void declare(CLI::App& app, Arguments& arguments) {
    app.add_option("FILE", arguments.files, "traces to open, a tab each");
    auto* shot = app.add_option("--shot", arguments.shot, "draw FILE into a PNG and end");
    app.add_option("-o,--output", arguments.output, "the PNG to write")->needs(shot);
    app.add_option("--size", arguments.size, "WxH of the picture in pixels")
        ->needs(shot)
        ->capture_default_str();
    app.add_option("--range", arguments.range,
                   "A:B, seconds from the first event or with units (120ms:150ms)")
        ->needs(shot);
    app.add_option("--theme", arguments.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
}

} // namespace

int main(int argc, char** argv) {
    CLI::App cli{"Inversight: why a high-priority thread waited", "inversight-gui"};
    Arguments arguments;
    declare(cli, arguments);
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return cli.exit(error) == 0 ? Done : Usage;
    }
    const bool shot = !arguments.shot.empty();
    if (shot && arguments.output.empty())
        return fail(Usage, "where to write the picture is missing; add -o FILE.png");
    if (!shot && !hasDisplay() && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        return fail(Failed, "there is no display to open a window on; use inversight shot FILE -o "
                            "PNG for a picture, or set DISPLAY");
    const std::unique_ptr<QTemporaryDir> runtimeDirectory = shot ? prepareOffscreen() : nullptr;

    int qtArgumentCount = 1; // CLI11 has read the rest
    QApplication application(qtArgumentCount, argv);
    QApplication::setApplicationName(QStringLiteral("inversight"));
    QApplication::setOrganizationName(QStringLiteral("inversight"));
    QApplication::setApplicationVersion(QStringLiteral(INVERSIGHT_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("inversight"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/inversight.svg")));
    return shot ? runShot(arguments) : runWindows(arguments);
}
