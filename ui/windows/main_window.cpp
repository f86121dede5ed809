// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// How the window is put together; what happens in it is main_window_tabs.cpp.
#include "ui/windows/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace inversight {

namespace {
QString geometryKey() {
    return QStringLiteral("window/geometry");
}
} // namespace

MainWindow::MainWindow(ThemeKind theme, QWidget* parent)
    : QMainWindow(parent), theme_(theme), palette_(new CommandPalette(this)) {
    setWindowTitle(tr("Inversight"));
    setAcceptDrops(true);
    makeCentre();
    makeSideDocks();
    makeToolBar();
    makeStatusBar();
    setThemeKind(theme);
    const QSize wanted(Theme::of(theme).sizes.windowWidth, Theme::of(theme).sizes.windowHeight);
    resize(wanted.boundedTo(screen()->availableSize()));
    restoreGeometry(QSettings().value(geometryKey()).toByteArray());
    updateStatus();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    QSettings().setValue(geometryKey(), saveGeometry());
    QMainWindow::closeEvent(event);
}

void MainWindow::makeCentre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeNotice(centre);
    stack_ = new QStackedWidget(centre);
    column->addWidget(noticeBar_);
    column->addWidget(stack_, 1);
    start_ = new StartPage(stack_);
    tabs_ = new QTabWidget(stack_);
    tabs_->setTabsClosable(true);
    tabs_->setMovable(true);
    tabs_->setDocumentMode(true);
    stack_->addWidget(start_);
    stack_->addWidget(tabs_);
    setCentralWidget(centre);
    connect(start_, &StartPage::openRequested, this, &MainWindow::chooseFiles);
    connect(start_, &StartPage::fileRequested, this, &MainWindow::openFile);
    connect(start_, &StartPage::runRequested, this, [this] {
        runDock_->setVisible(true);
        runDock_->raise();
    });
    connect(start_, &StartPage::recordRequested, this, [this] {
        recordDock_->setVisible(true);
        recordDock_->raise();
    });
    connect(tabs_, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
    connect(tabs_, &QTabWidget::currentChanged, this, &MainWindow::updateStatus);
}

void MainWindow::makeNotice(QWidget* parent) {
    noticeBar_ = new QWidget(parent);
    noticeBar_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(noticeBar_);
    notice_ = new QLabel;
    notice_->setWordWrap(true);
    notice_->setAccessibleName(tr("Notice"));
    auto* dismiss = new QPushButton(tr("Dismiss"));
    row->addWidget(notice_, 1);
    row->addWidget(dismiss);
    connect(dismiss, &QPushButton::clicked, noticeBar_, &QWidget::hide);
    noticeBar_->hide();
}

void MainWindow::makeSideDocks() {
    run_ = new RunPanel;
    record_ = new RecordPanel;
    const auto add = [this](const QString& name, const QString& title, QWidget* panel) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(panel);
        addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->hide();
        return dock;
    };
    runDock_ = add(QStringLiteral("run"), tr("Run a workload"), run_);
    recordDock_ = add(QStringLiteral("record"), tr("Record"), record_);
    tabifyDockWidget(runDock_, recordDock_);
    resizeDocks({runDock_}, {Theme::of(theme_).sizes.dock}, Qt::Horizontal);
    connect(run_, &RunPanel::recorded, this, &MainWindow::onRecorded);
    connect(record_, &RecordPanel::recorded, this, &MainWindow::onRecorded);
}

QAction* MainWindow::addCommand(const QString& text, const QList<QKeySequence>& keys,
                                const std::function<void()>& run) {
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    actions_.push_back(action);
    return action;
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    const auto onView = [this](void (ViewState::*change)()) {
        return [this, change] {
            if (Workbench* bench = workbench())
                (bench->page().view().*change)();
        };
    };
    bar->addAction(addCommand(tr("Open"), {QKeySequence::Open}, [this] { chooseFiles(); }));
    bar->addAction(addCommand(tr("Run"), {QKeySequence(Qt::CTRL | Qt::Key_R)}, [this] {
        runDock_->setVisible(!runDock_->isVisible());
        runDock_->raise();
    }));
    bar->addAction(
        addCommand(tr("Record"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, [this] {
            recordDock_->setVisible(!recordDock_->isVisible());
            recordDock_->raise();
        }));
    bar->addAction(addCommand(tr("Compare"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
                              [this] { compareOpenTraces(); }));
    bar->addSeparator();
    back_ = addCommand(tr("\u25c0 Back"), {QKeySequence::Undo, QKeySequence::Back},
                       onView(&ViewState::goBack));
    forward_ = addCommand(tr("Forward \u25b6"), {QKeySequence::Redo, QKeySequence::Forward},
                          onView(&ViewState::goForward));
    bar->addAction(back_);
    bar->addAction(forward_);
    bar->addAction(addCommand(tr("Whole trace"), {}, onView(&ViewState::fitAll)));
    bar->addSeparator();
    bar->addAction(
        addCommand(tr("Search"), {QKeySequence::Find, QKeySequence(Qt::Key_Slash)}, [this] {
            if (Workbench* bench = workbench())
                bench->startSearch();
        }));
    (void)addCommand(tr("Filter lanes"), {QKeySequence(Qt::CTRL | Qt::Key_L)}, [this] {
        if (Workbench* bench = workbench())
            bench->laneBar().focusFilter();
    });
    bar->addAction(addCommand(tr("Save session"), {QKeySequence::Save}, [this] { saveSession(); }));
    bar->addAction(addCommand(tr("Export view"), {QKeySequence(Qt::CTRL | Qt::Key_E)},
                              [this] { chooseExport(); }));
    bar->addSeparator();
    bar->addAction(addCommand(tr("Light or dark"), {}, [this] { toggleTheme(); }));
    bar->addAction(addCommand(tr("Commands"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
                              [this] { palette_->popUp(commands()); }));
    bar->addAction(
        addCommand(tr("Keys"), {QKeySequence(Qt::Key_Question)}, [this] { showKeys(); }));
    (void)addCommand(tr("Close tab"), {QKeySequence::Close},
                     [this] { closeTab(tabs_->currentIndex()); });
}

void MainWindow::makeStatusBar() {
    facts_ = new QLabel;
    losses_ = new QLabel;
    losses_->setObjectName(QStringLiteral("losses"));
    activity_ = new QLabel;
    progress_ = new QProgressBar;
    progress_->setAccessibleName(tr("Progress"));
    cancel_ = new QPushButton(tr("Cancel"));
    statusBar()->addWidget(facts_);
    statusBar()->addWidget(losses_);
    statusBar()->addPermanentWidget(activity_);
    statusBar()->addPermanentWidget(progress_);
    statusBar()->addPermanentWidget(cancel_);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (Workbench* bench = workbench())
            bench->session().cancel();
    });
}

void MainWindow::setThemeKind(ThemeKind kind) {
    theme_ = kind;
    const Theme& theme = Theme::of(kind);
    applyTheme(theme);
    start_->setTheme(theme);
    for (int i = 0; i < tabs_->count(); ++i) {
        if (auto* bench = qobject_cast<Workbench*>(tabs_->widget(i)))
            bench->setTheme(theme);
        else if (auto* page = qobject_cast<ComparisonPage*>(tabs_->widget(i)))
            page->setTheme(theme);
    }
    QPalette loud = theme.palette();
    loud.setColor(QPalette::Window, theme.colours.danger);
    loud.setColor(QPalette::WindowText, theme.colours.dangerText);
    losses_->setPalette(loud);
    losses_->setMargin(theme.sizes.chipPadding / 2);
    QPalette chip = theme.palette();
    chip.setColor(QPalette::Window, theme.colours.chip);
    chip.setColor(QPalette::WindowText, theme.colours.chipText);
    noticeBar_->setPalette(chip);
}

std::vector<Command> MainWindow::commands() {
    std::vector<Command> all;
    for (QAction* action : actions_) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        all.push_back({action->text(), keys.join(tr(" or ")), [action] { action->trigger(); }});
    }
    Workbench* bench = workbench();
    if (!bench)
        return all;
    for (const TrackKey& row : trackKeys())
        all.push_back(
            {trackKeyWords(row.commandText), QLatin1String(row.keyText),
             [bench, command = row.command] { bench->page().tracks().perform(command); }});
    for (const QDockWidget* dock : bench->docks())
        all.push_back({tr("Show %1").arg(dock->windowTitle()),
                       {},
                       [bench, id = dock->objectName()] { bench->raiseDock(id); }});
    return all;
}

} // namespace inversight
