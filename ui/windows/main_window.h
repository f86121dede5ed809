// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/windows/command_palette.h"
#include "ui/windows/comparison_page.h"
#include "ui/windows/record_panel.h"
#include "ui/windows/run_panel.h"
#include "ui/windows/start_page.h"
#include "ui/windows/workbench.h"

#include <QMainWindow>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace inversight {

/// The window: a tab per trace or comparison, the Run and Record panels at the side, one status
/// bar. Errors are sentences in a bar on top. Thread-bound.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(ThemeKind theme, QWidget* parent = nullptr);

    /// In a tab of its own; a file that is open already comes to the front.
    void openFile(const QString& path);
    void setThemeKind(ThemeKind kind);
    /// A tab with all traces that are open and ready.
    void compareOpenTraces();
    void closeTab(int index);

    /// The trace in front; null on the start page and in a comparison.
    [[nodiscard]] Workbench* workbench() const;
    [[nodiscard]] ComparisonPage* comparison() const;
    [[nodiscard]] int tabCount() const;
    [[nodiscard]] StartPage& startPage() { return *start_; }
    [[nodiscard]] RunPanel& runPanel() { return *run_; }
    [[nodiscard]] RecordPanel& recordPanel() { return *record_; }
    [[nodiscard]] CommandPalette& commandPalette() { return *palette_; }
    [[nodiscard]] QString notice() const;
    [[nodiscard]] std::vector<Command> commands();
    /// Draws the timeline in front into a file.
    [[nodiscard]] Result<void> exportView(const QString& path);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    // main_window.cpp: how it is put together
    void makeCentre();
    void makeNotice(QWidget* parent);
    void makeToolBar();
    void makeSideDocks();
    void makeStatusBar();
    QAction* addCommand(const QString& text, const QList<QKeySequence>& keys,
                        const std::function<void()>& run);

    // main_window_tabs.cpp: traces and their tabs
    void chooseFiles();
    void chooseExport();
    void saveSession();
    void onFinished(Workbench* bench);
    void onRecorded(const QStringList& traces);
    void compareWhenReady();
    void showNotice(const QString& sentence);
    void updateTab(Workbench* bench);
    void updateStatus();
    void toggleTheme();
    void showKeys();

    ThemeKind theme_;
    std::vector<QAction*> actions_; ///< every command of the window, for list and help
    QStringList awaited_;           ///< traces of a run that are to be compared when loaded
    QStackedWidget* stack_ = nullptr;
    StartPage* start_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QLabel* notice_ = nullptr;
    QWidget* noticeBar_ = nullptr;
    RunPanel* run_ = nullptr;
    RecordPanel* record_ = nullptr;
    QDockWidget* runDock_ = nullptr;
    QDockWidget* recordDock_ = nullptr;
    CommandPalette* palette_ = nullptr;
    QAction* back_ = nullptr;
    QAction* forward_ = nullptr;
    QLabel* facts_ = nullptr;
    QLabel* losses_ = nullptr;
    QLabel* activity_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton* cancel_ = nullptr;
};

} // namespace inversight
