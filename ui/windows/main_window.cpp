// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/main_window.h"

#include "ui/session/trace_facts.h"
#include "ui/windows/recent_files.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>

namespace inversight {

MainWindow::MainWindow(ThemeKind theme, QWidget* parent) : QMainWindow(parent), theme_(theme) {
    setWindowTitle(tr("Inversight"));
    setAcceptDrops(true);
    makeCentre();
    makeToolBar();
    makeDock();
    makeStatusBar();
    connectSession();
    setThemeKind(theme);
    const QSize wanted(Theme::of(theme).sizes.windowWidth, Theme::of(theme).sizes.windowHeight);
    resize(wanted.boundedTo(screen()->availableSize()));
}

void MainWindow::makeCentre() {
    stack_ = new QStackedWidget(this);
    start_ = new StartPage(stack_);
    page_ = new TracePage(stack_);
    stack_->addWidget(start_);
    stack_->addWidget(page_);
    setCentralWidget(stack_);
    connect(start_, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(start_, &StartPage::fileRequested, this, &MainWindow::openFile);
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    QAction* open = bar->addAction(tr("Open"), this, &MainWindow::chooseFile);
    open->setShortcut(QKeySequence::Open);
    bar->addSeparator();
    back_ = bar->addAction(tr("\u25c0 Back"), &page_->view(), &ViewState::goBack);
    back_->setShortcuts({QKeySequence::Back, QKeySequence::Undo});
    forward_ = bar->addAction(tr("Forward \u25b6"), &page_->view(), &ViewState::goForward);
    forward_->setShortcuts({QKeySequence::Forward, QKeySequence::Redo});
    QAction* fit = bar->addAction(tr("Whole trace"), &page_->view(), &ViewState::fitAll);
    fit->setToolTip(tr("Show the whole trace (F)"));
    bar->addSeparator();
    bar->addAction(tr("Light or dark"), this, &MainWindow::toggleTheme);
    const auto update = [this] {
        back_->setEnabled(page_->view().canGoBack());
        forward_->setEnabled(page_->view().canGoForward());
    };
    connect(&page_->view(), &ViewState::historyChanged, this, update);
    update();
}

void MainWindow::makeDock() {
    boosts_ = new BoostsModel(this);
    sortedBoosts_ = new QSortFilterProxyModel(this);
    sortedBoosts_->setSourceModel(boosts_);
    sortedBoosts_->setSortRole(BoostsModel::kSortRole);
    boostTable_ = new QTableView;
    boostTable_->setModel(sortedBoosts_);
    boostTable_->setSortingEnabled(true);
    boostTable_->sortByColumn(BoostsModel::Begin, Qt::AscendingOrder);
    boostTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
    boostTable_->setSelectionMode(QAbstractItemView::SingleSelection);
    boostTable_->setAlternatingRowColors(true);
    boostTable_->setShowGrid(false);
    boostTable_->verticalHeader()->hide();
    boostTable_->horizontalHeader()->setStretchLastSection(true);
    boostTable_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    // Selection by keyboard frames too, as a click does.
    connect(boostTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &MainWindow::showBoost);
    connect(boostTable_, &QTableView::clicked, this, &MainWindow::showBoost);
    latency_ = new LatencyPlot;
    tabs_ = new QTabWidget;
    tabs_->addTab(boostTable_, tr("Boosts"));
    tabs_->addTab(latency_, tr("Latency"));
    dock_ = new QDockWidget(tr("Findings"), this);
    dock_->setObjectName(QStringLiteral("findings"));
    dock_->setWidget(tabs_);
    addDockWidget(Qt::BottomDockWidgetArea, dock_);
    dock_->setVisible(false);
}

void MainWindow::makeStatusBar() {
    facts_ = new QLabel;
    losses_ = new QLabel;
    losses_->setObjectName(QStringLiteral("losses"));
    activity_ = new QLabel;
    progress_ = new QProgressBar;
    cancel_ = new QPushButton(tr("Cancel"));
    statusBar()->addWidget(facts_);
    statusBar()->addWidget(losses_);
    statusBar()->addPermanentWidget(activity_);
    statusBar()->addPermanentWidget(progress_);
    statusBar()->addPermanentWidget(cancel_);
    progress_->setVisible(false);
    cancel_->setVisible(false);
    connect(cancel_, &QPushButton::clicked, &session_, &TraceSession::cancel);
}

void MainWindow::connectSession() {
    connect(&session_, &TraceSession::started, this, &MainWindow::onStarted);
    connect(&session_, &TraceSession::progress, this, &MainWindow::onProgress);
    connect(&session_, &TraceSession::loaded, this, &MainWindow::onLoaded);
    connect(&session_, &TraceSession::resultReady, this, &MainWindow::onResultReady);
    connect(&session_, &TraceSession::modelReady, this, &MainWindow::onModelReady);
    connect(&session_, &TraceSession::finished, this, &MainWindow::onFinished);
}

void MainWindow::setThemeKind(ThemeKind kind) {
    theme_ = kind;
    const Theme& theme = Theme::of(kind);
    applyTheme(theme);
    start_->setTheme(theme);
    page_->setTheme(theme);
    latency_->setTheme(theme);
    QPalette loud = theme.palette();
    loud.setColor(QPalette::Window, theme.colours.danger);
    loud.setColor(QPalette::WindowText, theme.colours.dangerText);
    losses_->setPalette(loud);
    losses_->setMargin(theme.sizes.chipPadding / 2);
}

void MainWindow::toggleTheme() {
    setThemeKind(theme_ == ThemeKind::Light ? ThemeKind::Dark : ThemeKind::Light);
}

void MainWindow::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"), {},
                                                      tr("Traces (*.dat);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openFile(const QString& path) {
    setWindowTitle(tr("%1 - Inversight").arg(QFileInfo(path).fileName()));
    session_.open(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    openFile(event->mimeData()->urls().front().toLocalFile());
    event->acceptProposedAction();
}

void MainWindow::onStarted() {
    start_->setError({});
    page_->setModel(nullptr, nullptr);
    page_->setFacts({});
    page_->setBoosts(nullptr);
    boosts_->setInputs({});
    latency_->setLatency(nullptr, {});
    facts_->setText(QFileInfo(session_.path()).fileName());
    losses_->clear();
    losses_->setAutoFillBackground(false);
    progress_->setRange(0, 0);
    progress_->setVisible(true);
    cancel_->setVisible(true);
    activity_->setText(tr("loading"));
}

void MainWindow::onProgress(const QString& phase, qulonglong done, qulonglong total) {
    // A progress bar counts in int: per mille of it.
    constexpr int kSteps = 1000;
    progress_->setRange(0, total > 0 ? kSteps : 0);
    if (total > 0)
        progress_->setValue(
            static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * kSteps));
    activity_->setText(phase);
}

void MainWindow::onLoaded() {
    const TraceFacts facts = traceFacts(*session_.trace());
    RecentFiles::add(session_.path());
    page_->setFacts(facts);
    stack_->setCurrentWidget(page_);
    dock_->setVisible(true);
    resizeDocks({dock_}, {Theme::of(theme_).sizes.latency}, Qt::Vertical);
    facts_->setText(
        QStringList{facts.fileName, facts.clock, facts.events}.join(QStringLiteral("  \u00b7  ")));
    losses_->setText(facts.losses);
    losses_->setAutoFillBackground(facts.incomplete);
    losses_->setForegroundRole(facts.incomplete ? QPalette::WindowText : QPalette::Text);
    losses_->setToolTip(facts.warnings.join(QLatin1Char('\n')));
    activity_->setText(tr("analysing"));
}

void MainWindow::onResultReady(AnalysisId id) {
    const auto& store = session_.trace()->store;
    if (id == AnalysisId::Boosts) {
        const TrackInputs inputs = TrackInputs::from(store, *session_.results());
        page_->setBoosts(inputs.boosts.get());
        boosts_->setInputs(inputs);
        boostTable_->resizeColumnsToContents();
        tabs_->setTabText(0, tr("Boosts (%1)").arg(boosts_->rowCount()));
    } else if (id == AnalysisId::Latency) {
        const auto latency = session_.results()->get<Latency>();
        std::vector<std::string> names;
        if (latency) {
            for (const ThreadLatency& each : latency->threads)
                names.push_back(store->threadName(each.thread));
        }
        latency_->setLatency(latency, std::move(names));
    }
}

void MainWindow::onModelReady() {
    const auto latency = session_.results()->get<Latency>();
    page_->setModel(session_.model(), latency.get());
    page_->tracks().setFocus();
}

void MainWindow::onFinished() {
    progress_->setVisible(false);
    cancel_->setVisible(false);
    activity_->clear();
    if (session_.state() == TraceSession::State::Ready) {
        showFailures();
        return;
    }
    start_->setError(session_.error() ? QString::fromStdString(session_.error()->sentence())
                                      : tr("Loading %1 was cancelled.").arg(session_.path()));
    start_->refreshRecentFiles();
    dock_->setVisible(false);
    stack_->setCurrentWidget(start_);
}

/// Analyses that failed leave their part out of the picture; the status bar says which.
void MainWindow::showFailures() {
    QStringList failed;
    for (const AnalysisRow& row : analyses()) {
        if (const std::optional<Error> error = session_.results()->error(row.id))
            failed << tr("%1: %2").arg(
                QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size())),
                QString::fromStdString(error->sentence()));
    }
    activity_->setText(failed.join(QStringLiteral("; ")));
}

void MainWindow::showBoost(const QModelIndex& index) {
    if (!index.isValid() || !session_.model())
        return;
    const Boost& boost = boosts_->boost(sortedBoosts_->mapToSource(index).row());
    page_->view().frame(boost.range);
    if (const auto lane = session_.model()->laneOf(boost.target))
        page_->state().selection.selectItem({boost.target, boost},
                                            session_.model()->lane(*lane).key(),
                                            SelectionState::Origin::Table);
}

} // namespace inversight
