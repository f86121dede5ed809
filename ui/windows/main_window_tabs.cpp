// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Traces and their tabs in MainWindow.
#include "ui/windows/main_window.h"
#include "ui/windows/picture_export.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>

namespace inversight {

Workbench* MainWindow::workbench() const {
    return stack_->currentWidget() == tabs_ ? qobject_cast<Workbench*>(tabs_->currentWidget())
                                            : nullptr;
}

ComparisonPage* MainWindow::comparison() const {
    return qobject_cast<ComparisonPage*>(tabs_->currentWidget());
}

int MainWindow::tabCount() const {
    return tabs_->count();
}

QString MainWindow::notice() const {
    return noticeBar_->isHidden() ? QString() : notice_->text();
}

void MainWindow::showNotice(const QString& sentence) {
    notice_->setText(sentence);
    noticeBar_->setVisible(!sentence.isEmpty());
}

void MainWindow::chooseFiles() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open traces"), {},
        tr("Traces (*.dat *.txt *.trace *.html *.gz *.zst *.xz);;All files (*)"));
    for (const QString& path : paths)
        openFile(path);
}

void MainWindow::openFile(const QString& path) {
    showNotice({});
    start_->setError({});
    for (int i = 0; i < tabs_->count(); ++i) {
        auto* open = qobject_cast<Workbench*>(tabs_->widget(i));
        if (open && open->session().path() == path) {
            tabs_->setCurrentIndex(i);
            if (open->session().state() != TraceSession::State::Loading)
                open->open(path);
            return;
        }
    }
    auto* bench = new Workbench(Theme::of(theme_));
    connect(bench, &Workbench::statusChanged, this, [this, bench] {
        updateTab(bench);
        updateStatus();
    });
    connect(bench, &Workbench::noted, this, &MainWindow::showNotice);
    connect(&bench->session(), &TraceSession::finished, this, [this, bench] { onFinished(bench); });
    connect(&bench->page().view(), &ViewState::historyChanged, this, &MainWindow::updateStatus);
    tabs_->setCurrentIndex(tabs_->addTab(bench, QFileInfo(path).fileName()));
    stack_->setCurrentWidget(tabs_);
    bench->open(path);
}

void MainWindow::closeTab(int index) {
    QWidget* widget = tabs_->widget(index);
    if (!widget)
        return;
    tabs_->removeTab(index);
    widget->deleteLater();
    if (tabs_->count() == 0) {
        start_->refreshRecentFiles();
        stack_->setCurrentWidget(start_);
    }
    updateStatus();
}

void MainWindow::onFinished(Workbench* bench) {
    if (bench->session().state() == TraceSession::State::Ready) {
        compareWhenReady();
        return;
    }
    const auto& error = bench->session().error();
    const QString sentence = error ? QString::fromStdString(error->sentence())
                                   : tr("Loading %1 was cancelled.").arg(bench->session().path());
    awaited_.removeAll(bench->session().path());
    // What was read until a cancel is still to be looked at.
    if (!bench->session().model())
        closeTab(tabs_->indexOf(bench));
    start_->setError(sentence);
    if (tabs_->count() > 0)
        showNotice(sentence);
}

void MainWindow::onRecorded(const QStringList& traces) {
    awaited_ = traces.size() > 1 ? traces : QStringList();
    for (const QString& trace : traces)
        openFile(trace);
}

/// Several runs of one Start are compared as soon as all of them are there.
void MainWindow::compareWhenReady() {
    if (awaited_.isEmpty())
        return;
    qsizetype ready = 0;
    for (int i = 0; i < tabs_->count(); ++i) {
        const auto* bench = qobject_cast<Workbench*>(tabs_->widget(i));
        ready += bench && awaited_.contains(bench->session().path()) &&
                         bench->session().state() == TraceSession::State::Ready
                     ? 1
                     : 0;
    }
    if (ready < awaited_.size())
        return;
    awaited_.clear();
    compareOpenTraces();
}

void MainWindow::compareOpenTraces() {
    std::vector<ComparedRun> runs;
    for (int i = 0; i < tabs_->count(); ++i) {
        const auto* bench = qobject_cast<Workbench*>(tabs_->widget(i));
        if (!bench || !bench->session().model())
            continue;
        const auto& manifest = bench->session().trace()->report.manifest;
        const QString name = QFileInfo(bench->session().path()).completeBaseName();
        runs.push_back({manifest ? QString::fromStdString(manifest->policy) : name,
                        bench->session().model(), bench->session().results()->get<Latency>()});
    }
    if (runs.size() < 2) {
        showNotice(tr("A comparison needs two open traces."));
        return;
    }
    auto* page = new ComparisonPage(std::move(runs), Theme::of(theme_));
    tabs_->setCurrentIndex(tabs_->addTab(page, tr("Comparison")));
}

void MainWindow::chooseExport() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the view"), QStringLiteral("view.png"),
                                     tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty())
        return;
    const Result<void> done = exportView(path);
    showNotice(done ? tr("Written: %1").arg(path)
                    : QString::fromStdString(done.error().sentence()));
}

Result<void> MainWindow::exportView(const QString& path) {
    if (Workbench* bench = workbench())
        return exportPicture(bench->page(), path);
    if (ComparisonPage* page = comparison())
        return exportPicture(*page, path);
    return std::unexpected(
        Error{ErrorCode::Unavailable, "no trace is open", path.toStdString(), "open one first"});
}

void MainWindow::saveSession() {
    Workbench* bench = workbench();
    if (!bench)
        return;
    const Result<void> saved = bench->saveSession();
    showNotice(saved ? tr("The session is saved in %1").arg(bench->sessionPath())
                     : QString::fromStdString(saved.error().sentence()));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile())
            openFile(url.toLocalFile());
    }
    event->acceptProposedAction();
}

void MainWindow::updateTab(Workbench* bench) {
    const int index = tabs_->indexOf(bench);
    if (index >= 0 && !bench->facts().title.isEmpty())
        tabs_->setTabToolTip(index, bench->facts().title);
}

void MainWindow::updateStatus() {
    Workbench* bench = workbench();
    const TraceFacts facts = bench ? bench->facts() : TraceFacts();
    const bool loading = bench && bench->session().state() == TraceSession::State::Loading;
    setWindowTitle(bench ? tr("%1 - Inversight").arg(QFileInfo(bench->session().path()).fileName())
                         : tr("Inversight"));
    QStringList parts{facts.fileName, facts.clock, facts.events};
    parts.removeAll(QString());
    facts_->setText(parts.join(QStringLiteral("  \u00b7  ")));
    losses_->setText(facts.losses);
    losses_->setAutoFillBackground(facts.incomplete);
    losses_->setForegroundRole(facts.incomplete ? QPalette::WindowText : QPalette::Text);
    losses_->setToolTip(facts.warnings.join(QLatin1Char('\n')));
    activity_->setText(bench ? bench->activity() : QString());
    constexpr int kSteps = 1000;
    progress_->setVisible(loading);
    cancel_->setVisible(loading);
    progress_->setRange(0, bench && bench->progressPerMille() >= 0 ? kSteps : 0);
    if (bench && bench->progressPerMille() >= 0)
        progress_->setValue(bench->progressPerMille());
    back_->setEnabled(bench && bench->page().view().canGoBack());
    forward_->setEnabled(bench && bench->page().view().canGoForward());
}

void MainWindow::toggleTheme() {
    setThemeKind(theme_ == ThemeKind::Light ? ThemeKind::Dark : ThemeKind::Light);
}

void MainWindow::showKeys() {
    std::vector<Command> own;
    for (const QAction* action : actions_)
        own.push_back({action->text(), action->shortcut().toString(QKeySequence::NativeText), {}});
    (new KeyHelp(own, this))->show();
}

} // namespace inversight
