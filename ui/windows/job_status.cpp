// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/job_status.h"

#include "core/base/time_format.h"
#include "ui/session/trace_facts.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace inversight {

JobStatus::JobStatus(const QString& startText, QWidget* parent)
    : QWidget(parent), start_(new QPushButton(startText)), cancel_(new QPushButton(tr("Cancel"))),
      bar_(new QProgressBar), text_(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    row->addWidget(start_);
    row->addWidget(cancel_);
    column->addLayout(row);
    column->addWidget(bar_);
    column->addWidget(text_);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setAccessibleName(tr("How far it is"));
    cancel_->setToolTip(tr("Ends it now; what was recorded is kept"));
    setRunning(false);
    connect(start_, &QPushButton::clicked, this, [this] {
        text_->clear();
        setRunning(true);
        emit startRequested();
    });
    connect(cancel_, &QPushButton::clicked, &job_, &ChildJob::stop);
    connect(&job_, &ChildJob::progressed, this, &JobStatus::showProgress);
    connect(&job_, &ChildJob::warned, this,
            [this](const QString& warning) { text_->setText(tr("Warning: %1").arg(warning)); });
    connect(&job_, &ChildJob::failed, this, [this](const QString& what, const QString& remedy) {
        text_->setText(remedy.isEmpty() ? what : tr("%1\nWhat to do: %2").arg(what, remedy));
    });
    connect(&job_, &ChildJob::finished, this, [this] { text_->setText(tr("Done.")); });
    connect(&job_, &ChildJob::ended, this, [this] { setRunning(false); });
}

QString JobStatus::text() const {
    return text_->text();
}

void JobStatus::setRunning(bool running) {
    start_->setEnabled(!running);
    cancel_->setEnabled(running);
    bar_->setVisible(running);
    bar_->setRange(0, 0);
}

void JobStatus::showProgress(const ChildProgress& progress) {
    constexpr int kSteps = 1000;
    bar_->setRange(0, progress.total > 0 ? kSteps : 0);
    if (progress.total > 0)
        bar_->setValue(static_cast<int>(static_cast<double>(progress.done) /
                                        static_cast<double>(progress.total) * kSteps));
    QStringList parts{progress.policy.isEmpty()
                          ? progress.phase
                          : QStringLiteral("%1: %2").arg(progress.policy, progress.phase)};
    const auto add = [&](qint64 value, const QString& words) {
        if (value >= 0)
            parts << words.arg(groupDigits(static_cast<std::uint64_t>(value)));
    };
    add(progress.operations, tr("%1 operations"));
    if (progress.maxLatencyNs >= 0)
        parts << tr("latest maximum %1")
                     .arg(QString::fromStdString(formatDuration(progress.maxLatencyNs)));
    add(progress.events, tr("%1 events"));
    add(progress.lost, tr("%1 lost"));
    text_->setText(parts.join(tr(", ")));
}

} // namespace inversight
