// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/workbench.h"

#include "ui/session/session_file.h"
#include "ui/windows/file_saver.h"
#include "ui/windows/recent_files.h"

#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QSettings>
#include <limits>

namespace inversight {

namespace {

constexpr int kLayoutVersion = 1;
QString layoutKey() {
    return QStringLiteral("workbench/layout");
}

/// Where a row of the table of analyses feeds which docks is not repeated: all tables are made
/// anew when any result arrives that a table may need, which costs little (they read in place).
bool feedsTables(AnalysisId id) {
    return id != AnalysisId::SchedRuns && id != AnalysisId::LockEvents;
}

} // namespace

Workbench::Workbench(const Theme& theme, QWidget* parent)
    : QMainWindow(parent, Qt::Widget), theme_(&theme), page_(new TracePage(this)),
      laneBar_(new LaneBar(page_->state(), this)), events_(new EventsPanel),
      latency_(new LatencyPanel), inspector_(new Inspector(page_->state())),
      bookmarks_(new BookmarksPanel(page_->state())), log_(new QPlainTextEdit) {
    setCentralWidget(page_);
    setDockNestingEnabled(true);
    addToolBar(laneBar_);
    makeDocks();
    connectSession();
    connectSelection();
    setTheme(theme);
    restoreLayout();
}

Workbench::~Workbench() {
    QSettings().setValue(layoutKey(), saveState(kLayoutVersion));
}

QDockWidget* Workbench::addDock(const QString& id, const QString& title, QWidget* content,
                                Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setWidget(content);
    addDockWidget(area, dock);
    docks_[id] = dock;
    return dock;
}

void Workbench::makeDocks() {
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDock(QStringLiteral("inspector"), tr("Inspector"), inspector_, Qt::RightDockWidgetArea);
    QDockWidget* first = nullptr;
    const auto below = [&](const QString& id, const QString& title, QWidget* content) {
        QDockWidget* dock = addDock(id, title, content, Qt::BottomDockWidgetArea);
        if (first)
            tabifyDockWidget(first, dock);
        first = first ? first : dock;
    };
    for (const ResultTableInfo& info : resultTables()) {
        auto* panel = new TablePanel(tableWords(info.title), tableWords(info.empty));
        panel->sortBy(info.sortColumn, info.order);
        const QString id = QLatin1String(info.id);
        tables_[id] = panel;
        below(id, tableWords(info.title), panel);
        connect(panel, &TablePanel::chosen, this, [this](const TrackHit& item) { showItem(item); });
        connect(panel, &TablePanel::countChanged, this, [this, id, title = info.title](int rows) {
            docks_[id]->setWindowTitle(
                rows > 0 ? tr("%1 (%2)").arg(tableWords(title),
                                             groupDigits(static_cast<std::uint64_t>(rows)))
                         : tableWords(title));
        });
    }
    below(QStringLiteral("latency"), tr("Latency"), latency_);
    below(QStringLiteral("events"), tr("Events"), events_);
    below(QStringLiteral("bookmarks"), tr("Bookmarks"), bookmarks_);
    below(QStringLiteral("log"), tr("Log"), log_);
    log_->setReadOnly(true);
    log_->setAccessibleName(tr("Log"));
    docks_[QStringLiteral("boosts")]->raise();
    resizeDocks({docks_[QStringLiteral("inspector")]}, {theme_->sizes.dock}, Qt::Horizontal);
    resizeDocks({first}, {theme_->sizes.findings}, Qt::Vertical);
}

void Workbench::restoreLayout() {
    const QByteArray layout = QSettings().value(layoutKey()).toByteArray();
    if (!layout.isEmpty())
        restoreState(layout, kLayoutVersion);
}

void Workbench::setTheme(const Theme& theme) {
    theme_ = &theme;
    page_->setTheme(theme);
    for (auto& [id, panel] : tables_)
        panel->setTheme(theme);
    events_->setTheme(theme);
    latency_->setTheme(theme);
    inspector_->setTheme(theme);
}

void Workbench::connectSession() {
    connect(&session_, &TraceSession::progress, this,
            [this](const QString& phase, qulonglong done, qulonglong total) {
                constexpr double kSteps = 1000;
                progress_ = total > 0 ? static_cast<int>(static_cast<double>(done) /
                                                         static_cast<double>(total) * kSteps)
                                      : -1;
                activity_ = phase;
                emit statusChanged();
            });
    connect(&session_, &TraceSession::loaded, this, &Workbench::onLoaded);
    connect(&session_, &TraceSession::resultReady, this, &Workbench::onResultReady);
    connect(&session_, &TraceSession::modelReady, this, &Workbench::onModelReady);
    connect(&session_, &TraceSession::finished, this, &Workbench::onFinished);
}

void Workbench::connectSelection() {
    connect(&page_->tracks(), &TrackView::noted, this, &Workbench::noted);
    connect(latency_, &LatencyPanel::chosen, this, &Workbench::showItem);
    connect(inspector_, &Inspector::threadWanted, this, &Workbench::showThread);
    connect(&page_->state().selection, &SelectionState::changed, this, &Workbench::followSelection);
    connect(events_, &EventsPanel::eventChosen, this, [this](EventIndex event) {
        const TraceStore& store = *session_.trace()->store;
        showThread(store.thread(event), store.time(event));
    });
}

void Workbench::open(const QString& path) {
    activity_ = tr("loading");
    progress_ = -1;
    session_.open(path);
    addLog(tr("Opening %1").arg(path));
    emit statusChanged();
}

void Workbench::addLog(const QString& line) {
    log_->appendPlainText(line);
}

QString Workbench::log() const {
    return log_->toPlainText();
}

void Workbench::onLoaded() {
    facts_ = traceFacts(*session_.trace());
    RecentFiles::add(session_.path());
    page_->setFacts(facts_);
    events_->setTrace(session_.trace());
    for (const QString& warning : facts_.warnings)
        addLog(tr("Warning: %1").arg(warning));
    addLog(QStringList{facts_.events, facts_.clock, facts_.losses}.join(QStringLiteral(", ")));
    activity_ = tr("analysing");
    emit statusChanged();
}

void Workbench::onResultReady(AnalysisId id) {
    if (id == AnalysisId::Boosts)
        page_->setBoosts(session_.results()->get<Boosts>().get());
    if (feedsTables(id))
        fillTables();
}

void Workbench::fillTables() {
    const TableInputs inputs{TrackInputs::from(session_.trace()->store, *session_.results()),
                             session_.results()->get<Latency>()};
    for (const ResultTableInfo& info : resultTables()) {
        TablePanel& panel = *tables_[QLatin1String(info.id)];
        if (panel.table().contents().columns.empty() || panel.table().contents().rowCount == 0)
            panel.setContents(info.make(inputs));
    }
    if (inputs.latency)
        latency_->setInputs(inputs);
}

void Workbench::onModelReady() {
    const auto latency = session_.results()->get<Latency>();
    page_->setModel(session_.model(), latency.get());
    laneBar_->setModel(session_.model());
    inspector_->setModel(session_.model(), latency);
    bookmarks_->setModel(session_.model());
    if (!std::exchange(restored_, true)) {
        restoreSession();
        page_->tracks().setFocus();
    }
    emit statusChanged();
}

/// Analyses that failed leave their part out of the picture; log and status bar say which.
void Workbench::onFinished() {
    activity_.clear();
    if (session_.error())
        addLog(QString::fromStdString(session_.error()->sentence()));
    QStringList failed;
    for (const AnalysisRow& row : analyses()) {
        const auto error = session_.results() ? session_.results()->error(row.id) : std::nullopt;
        if (error)
            failed << tr("%1: %2").arg(
                QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size())),
                QString::fromStdString(error->sentence()));
    }
    for (const QString& line : failed)
        addLog(line);
    activity_ = failed.join(QStringLiteral("; "));
    emit statusChanged();
}

void Workbench::selectItem(const TrackHit& item, SelectionState::Origin origin) {
    const auto lane = session_.model() ? session_.model()->laneOf(item.thread) : std::nullopt;
    page_->state().selection.selectItem(
        item, lane ? session_.model()->lane(*lane).key() : std::string(), origin);
}

void Workbench::showItem(const TrackHit& item) {
    if (!session_.model())
        return;
    selectItem(item, SelectionState::Origin::Table);
    if (item.range().length() > 0)
        page_->view().frame(item.range());
}

void Workbench::showThread(ThreadId thread, qlonglong time) {
    const auto& model = session_.model();
    if (!model)
        return;
    const TimeRange visible = page_->view().visible();
    if (!visible.contains(time))
        page_->view().pan(time - visible.begin - visible.length() / 2, ViewState::Change::Step);
    const auto lane = thread.valid() ? model->laneOf(thread) : std::nullopt;
    if (!lane)
        return;
    const TrackHit state = model->previous(*lane, time + 1);
    if (state.range().length() > 0)
        selectItem(state, SelectionState::Origin::Inspector);
}

/// What the timeline selects is selected in the tables and events, too.
void Workbench::followSelection() {
    const SelectionState& selection = page_->state().selection;
    if (!selection.item() || selection.origin() == SelectionState::Origin::Inspector)
        return;
    for (auto& [id, panel] : tables_)
        panel->follow(selection.item()->thread, selection.item()->range());
    events_->goTo(selection.item()->range().begin);
}

void Workbench::startSearch() {
    raiseDock(QStringLiteral("events"));
    events_->focusSearch();
}

void Workbench::raiseDock(const QString& id) {
    const auto dock = docks_.find(id);
    if (dock == docks_.end())
        return;
    dock->second->setVisible(true);
    dock->second->raise();
}

std::vector<QDockWidget*> Workbench::docks() const {
    std::vector<QDockWidget*> all;
    for (const auto& [id, dock] : docks_)
        all.push_back(dock);
    return all;
}

QString Workbench::sessionPath() const {
    return session_.path() + QStringLiteral(".session.json");
}

Result<void> Workbench::saveSession() const {
    if (!session_.model())
        return std::unexpected(Error{ErrorCode::Unavailable, "no trace is open"});
    const std::int64_t origin = session_.model()->wholeRange().begin;
    return saveFile(sessionPath(),
                    sessionToJson(page_->state(), events_->events().filter(), origin));
}

void Workbench::restoreSession() {
    QFile file(sessionPath());
    if (!file.exists())
        return;
    QString filter;
    const Result<void> restored =
        file.open(QIODevice::ReadOnly)
            ? sessionFromJson(file.readAll(), session_.model()->wholeRange().begin, page_->state(),
                              filter)
            : std::unexpected(Error{ErrorCode::Io, "the session file could not be read",
                                    sessionPath().toStdString()});
    if (!restored) {
        addLog(QString::fromStdString(restored.error().sentence()));
        emit noted(QString::fromStdString(restored.error().sentence()));
        return;
    }
    events_->filter().setText(filter);
    events_->events().setFilter(filter);
    addLog(tr("View, lanes and marks are those of %1").arg(sessionPath()));
}

} // namespace inversight
