// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/windows/job_status.h"
#include "ui/windows/run_form.h"

#include <QWidget>

class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace inversight {

/// Records the whole machine: events, size of the buffers, a command or a length. Thread-bound.
class RecordPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RecordPanel(QWidget* parent = nullptr);
    [[nodiscard]] RecordChoice choice() const;
    [[nodiscard]] JobStatus& status() { return *status_; }
    [[nodiscard]] QLineEdit& output() { return *output_; }
    [[nodiscard]] QLineEdit& command() { return *command_; }

signals:
    void recorded(const QStringList& traces);

private:
    QLineEdit* events_;
    QSpinBox* buffer_;
    QDoubleSpinBox* seconds_;
    QLineEdit* command_;
    QLineEdit* output_;
    JobStatus* status_;
};

} // namespace inversight
