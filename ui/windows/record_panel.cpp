// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/record_panel.h"

#include <QDir>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace inversight {

namespace {
constexpr int kMostKib = 1 << 20;
constexpr double kLongest = 7 * 24 * 3600;
} // namespace

RecordPanel::RecordPanel(QWidget* parent)
    : QWidget(parent), events_(new QLineEdit), buffer_(new QSpinBox), seconds_(new QDoubleSpinBox),
      command_(new QLineEdit),
      output_(new QLineEdit(QDir::home().filePath(QStringLiteral("recording.dat")))),
      status_(new JobStatus(tr("Record"))) {
    auto* form = new QFormLayout(this);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto add = [form](const QString& label, QWidget* widget) {
        widget->setAccessibleName(label);
        form->addRow(label, widget);
    };
    add(tr("Events"), events_);
    add(tr("Buffer per CPU"), buffer_);
    add(tr("Seconds"), seconds_);
    add(tr("Command"), command_);
    add(tr("File"), output_);
    form->addRow(status_);
    events_->setPlaceholderText(tr("scheduling, lock contention and futex calls"));
    buffer_->setRange(0, kMostKib);
    buffer_->setSuffix(tr(" KiB"));
    buffer_->setSpecialValueText(tr("the usual size"));
    seconds_->setRange(0, kLongest);
    seconds_->setSpecialValueText(tr("until it is cancelled or the command ends"));
    command_->setPlaceholderText(tr("none"));
    connect(status_, &JobStatus::startRequested, this,
            [this] { status_->job().start(recordArguments(choice())); });
    connect(&status_->job(), &ChildJob::finished, this, [this](const QJsonObject& document) {
        emit recorded({document[u"data"][u"trace"].toString()});
    });
}

RecordChoice RecordPanel::choice() const {
    return {output_->text(), events_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts),
            buffer_->value(), seconds_->value(), QProcess::splitCommand(command_->text())};
}

} // namespace inversight
