// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/session/trace_session.h"
#include "ui/windows/bookmarks_panel.h"
#include "ui/windows/events_panel.h"
#include "ui/windows/inspector.h"
#include "ui/windows/lane_bar.h"
#include "ui/windows/latency_panel.h"
#include "ui/windows/table_panel.h"
#include "ui/windows/trace_page.h"

#include <QMainWindow>
#include <map>

class QDockWidget;
class QPlainTextEdit;

namespace inversight {

/// One trace: its timeline, and docks with the tables, plots and words about it. What is selected
/// in one is shown in all. The docks' layout is remembered for the next one. Thread-bound.
class Workbench final : public QMainWindow {
    Q_OBJECT
public:
    explicit Workbench(const Theme& theme, QWidget* parent = nullptr);
    ~Workbench() override;

    void open(const QString& path);
    void setTheme(const Theme& theme);

    [[nodiscard]] const TraceSession& session() const { return session_; }
    [[nodiscard]] TraceSession& session() { return session_; }
    [[nodiscard]] TracePage& page() { return *page_; }
    [[nodiscard]] TablePanel& table(const QString& id) { return *tables_.at(id); }
    [[nodiscard]] EventsPanel& events() { return *events_; }
    [[nodiscard]] LatencyPanel& latency() { return *latency_; }
    [[nodiscard]] Inspector& inspector() { return *inspector_; }
    [[nodiscard]] BookmarksPanel& bookmarks() { return *bookmarks_; }
    [[nodiscard]] LaneBar& laneBar() { return *laneBar_; }
    [[nodiscard]] QString log() const;
    /// The file's name, and for our runs scenario and policy.
    [[nodiscard]] const TraceFacts& facts() const { return facts_; }
    /// What is being done, or what went wrong; "" when all is well.
    [[nodiscard]] const QString& activity() const { return activity_; }
    [[nodiscard]] int progressPerMille() const { return progress_; } ///< -1: unknown

    /// Brings the events to the front with the cursor in the search.
    void startSearch();
    /// Brings a dock to the front, by its id.
    void raiseDock(const QString& id);
    [[nodiscard]] std::vector<QDockWidget*> docks() const;
    /// Keeps and restores what a person made of this trace, in a file beside it.
    [[nodiscard]] Result<void> saveSession() const;
    [[nodiscard]] QString sessionPath() const;

signals:
    void statusChanged();
    void noted(const QString& sentence);

private:
    void makeDocks();
    QDockWidget* addDock(const QString& id, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    void connectSession();
    void connectSelection();
    void onLoaded();
    void onResultReady(AnalysisId id);
    void onModelReady();
    void onFinished();
    void fillTables();
    void addLog(const QString& line);
    void selectItem(const TrackHit& item, SelectionState::Origin origin);
    void showItem(const TrackHit& item);
    void showThread(ThreadId thread, qlonglong time);
    void followSelection();
    void restoreLayout();
    void restoreSession();

    TraceSession session_;
    const Theme* theme_;
    TraceFacts facts_;
    QString activity_;
    int progress_ = -1;
    bool restored_ = false;
    TracePage* page_;
    LaneBar* laneBar_;
    std::map<QString, TablePanel*> tables_;
    std::map<QString, QDockWidget*> docks_;
    EventsPanel* events_;
    LatencyPanel* latency_;
    Inspector* inspector_;
    BookmarksPanel* bookmarks_;
    QPlainTextEdit* log_;
};

} // namespace inversight
