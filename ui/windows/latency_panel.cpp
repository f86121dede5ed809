// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/latency_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <limits>

namespace inversight {

LatencyPanel::LatencyPanel(QWidget* parent)
    : QWidget(parent), plot_(new LatencyPlot),
      operations_(new TablePanel(tr("Operations"), tr("No operations."))),
      distribution_(new QComboBox) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    distribution_->addItems({tr("Share done within (CDF)"), tr("Share that takes longer (CCDF)")});
    distribution_->setAccessibleName(tr("Kind of distribution"));
    auto* all = new QPushButton(tr("List all operations"));
    row->addWidget(distribution_);
    row->addWidget(new QLabel(tr("Brush bars of the histogram to list their operations.")), 1);
    row->addWidget(all);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(plot_);
    splitter->addWidget(operations_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    column->addWidget(splitter, 1);
    connect(distribution_, &QComboBox::currentIndexChanged, this, [this](int index) {
        plot_->setDistribution(index == 0 ? LatencyPlot::Distribution::Within
                                          : LatencyPlot::Distribution::Longer);
    });
    connect(plot_, &LatencyPlot::brushed, this, &LatencyPanel::brush);
    connect(all, &QPushButton::clicked, this,
            [this] { brush(0, std::numeric_limits<qlonglong>::max()); });
    connect(operations_, &TablePanel::chosen, this, &LatencyPanel::chosen);
    operations_->sortBy(static_cast<int>(OperationColumn::Length), Qt::DescendingOrder);
}

void LatencyPanel::setTheme(const Theme& theme) {
    plot_->setTheme(theme);
    operations_->setTheme(theme);
    layout()->setSpacing(theme.sizes.spacing / 2);
}

void LatencyPanel::setInputs(TableInputs inputs) {
    inputs_ = std::move(inputs);
    std::vector<std::string> names;
    if (inputs_.latency) {
        for (const ThreadLatency& each : inputs_.latency->threads)
            names.push_back(inputs_.tracks.store->threadName(each.thread));
    }
    plot_->setLatency(inputs_.latency, std::move(names));
    operations_->setContents(operationTable(inputs_));
}

void LatencyPanel::brush(qlonglong from, qlonglong to) {
    operations_->setContents(operationTable(inputs_, from, to));
}

} // namespace inversight
