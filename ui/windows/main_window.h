// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/models/boosts_model.h"
#include "ui/plots/latency_plot.h"
#include "ui/session/trace_session.h"
#include "ui/windows/start_page.h"
#include "ui/windows/trace_page.h"

#include <QMainWindow>

class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QTabWidget;

namespace inversight {

/// The window: one trace, its timeline in the middle, tables and plots below. Thread-bound.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(ThemeKind theme, QWidget* parent = nullptr);

    void openFile(const QString& path);
    void setThemeKind(ThemeKind kind);

    [[nodiscard]] const TraceSession& session() const { return session_; }
    [[nodiscard]] TracePage& page() { return *page_; }
    [[nodiscard]] StartPage& startPage() { return *start_; }
    [[nodiscard]] QTableView& boostTable() { return *boostTable_; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeToolBar();
    void makeCentre();
    void makeDock();
    void makeStatusBar();
    void connectSession();

    void chooseFile();
    void toggleTheme();
    void onStarted();
    void onProgress(const QString& phase, qulonglong done, qulonglong total);
    void onLoaded();
    void onResultReady(AnalysisId id);
    void onModelReady();
    void onFinished();
    void showBoost(const QModelIndex& index);
    void showFailures();

    TraceSession session_;
    ThemeKind theme_;
    BoostsModel* boosts_ = nullptr;
    QSortFilterProxyModel* sortedBoosts_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    StartPage* start_ = nullptr;
    TracePage* page_ = nullptr;
    QDockWidget* dock_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QTableView* boostTable_ = nullptr;
    LatencyPlot* latency_ = nullptr;
    QAction* back_ = nullptr;
    QAction* forward_ = nullptr;
    QLabel* facts_ = nullptr;
    QLabel* losses_ = nullptr;
    QLabel* activity_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QPushButton* cancel_ = nullptr;
};

} // namespace inversight
