// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/comparison_page.h"

#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

namespace inversight {

namespace {

/// When the operations of a run began, ascending.
std::vector<std::int64_t> operationBegins(const ComparedRun& run) {
    std::vector<std::int64_t> begins;
    if (run.latency) {
        for (const ThreadLatency& thread : run.latency->threads) {
            for (const Operation& operation : thread.operations)
                begins.push_back(operation.range.begin);
        }
    }
    std::sort(begins.begin(), begins.end());
    return begins;
}

} // namespace

ComparisonPage::ComparisonPage(std::vector<ComparedRun> runs, const Theme& theme, QWidget* parent)
    : QWidget(parent), operation_(new QSpinBox), plot_(new LatencyPlot) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* bar = new QHBoxLayout;
    outer->addLayout(bar);
    auto* label = new QLabel(tr("Aligned at"));
    label->setBuddy(operation_);
    bar->addWidget(label);
    bar->addWidget(operation_);
    bar->addStretch(1);
    auto* splitter = new QSplitter(Qt::Vertical);
    outer->addWidget(splitter, 1);
    auto* lanes = new QWidget;
    auto* column = new QVBoxLayout(lanes);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    rows_.reserve(runs.size());
    for (ComparedRun& run : runs)
        addRow(std::move(run), *column);
    splitter->addWidget(lanes);
    splitter->addWidget(plot_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    operation_->setAccessibleName(tr("Operation at which the runs are aligned"));
    operation_->setSpecialValueText(tr("the start"));
    operation_->setPrefix(tr("operation "));
    operation_->setRange(0, mostOperations());
    connect(operation_, &QSpinBox::valueChanged, this, &ComparisonPage::alignAt);
    setTheme(theme);
    fillPlot();
    alignAt(0);
}

ComparisonPage::~ComparisonPage() {
    // The views look at the states until they are gone.
    for (Row& row : rows_)
        delete row.tracks;
}

void ComparisonPage::addRow(ComparedRun run, QVBoxLayout& column) {
    Row row{std::move(run), std::make_unique<TimelineState>(), new QLabel, nullptr, 0};
    row.tracks = new TrackView(*row.state);
    row.title->setText(row.run.title);
    column.addWidget(row.title);
    column.addWidget(row.tracks, 1);
    // What matters in a comparison is the workload: the rest is a click away.
    LaneSettings settings;
    settings.collapsed = {{LaneGroupKind::Threads, -1}, {LaneGroupKind::Cpus, -1}};
    row.state->lanes.setSettings(std::move(settings));
    row.tracks->setModel(row.run.model);
    row.state->view.reset(row.run.model->wholeRange(), row.run.model->wholeRange());
    const std::size_t index = rows_.size();
    connect(&row.state->view, &ViewState::visibleChanged, this, [this, index] { follow(index); });
    rows_.push_back(std::move(row));
}

void ComparisonPage::setTheme(const Theme& theme) {
    for (Row& row : rows_) {
        row.tracks->setTheme(theme);
        row.title->setFont(theme.font(theme.sizes.bodyFont, QFont::Bold));
        row.title->setMargin(theme.sizes.spacing);
    }
    plot_->setTheme(theme);
    plot_->setMinimumHeight(theme.sizes.latency);
}

ViewState& ComparisonPage::view(std::size_t run) {
    return rows_[run].state->view;
}

TrackView& ComparisonPage::tracks(std::size_t run) {
    return *rows_[run].tracks;
}

int ComparisonPage::mostOperations() const {
    std::size_t most = 0;
    for (const Row& row : rows_)
        most = std::max(most, operationBegins(row.run).size());
    return static_cast<int>(most);
}

std::int64_t ComparisonPage::originOf(const ComparedRun& run, int operation) {
    const std::vector<std::int64_t> begins = operationBegins(run);
    if (operation <= 0 || begins.empty())
        return run.model->wholeRange().begin;
    return begins[std::min(static_cast<std::size_t>(operation), begins.size()) - 1];
}

void ComparisonPage::alignAt(int operation) {
    for (Row& row : rows_)
        row.origin = originOf(row.run, operation);
    if (rows_.empty())
        return;
    if (operation > 0) {
        const TimeRange visible = rows_.front().state->view.visible();
        rows_.front().state->view.setVisible(
            panRange(visible, rows_.front().origin - visible.begin - visible.length() / 3));
    }
    follow(0);
}

/// The others show the same stretch, from their own origin.
void ComparisonPage::follow(std::size_t leader) {
    if (std::exchange(following_, true))
        return;
    const Row& leading = rows_[leader];
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (i != leader)
            rows_[i].state->view.setVisible(
                panRange(leading.state->view.visible(), rows_[i].origin - leading.origin),
                ViewState::Change::Continuous);
    }
    following_ = false;
}

void ComparisonPage::fillPlot() {
    auto all = std::make_shared<Latency>();
    std::vector<std::string> names;
    for (const Row& row : rows_) {
        if (!row.run.latency)
            continue;
        for (const ThreadLatency& thread : row.run.latency->threads) {
            ThreadLatency copy;
            copy.thread = thread.thread;
            copy.latency = thread.latency;
            all->threads.push_back(std::move(copy));
            names.push_back(row.run.title.toStdString() + ": " +
                            row.run.model->threadName(thread.thread));
        }
    }
    plot_->setLatency(std::move(all), std::move(names));
}

} // namespace inversight
