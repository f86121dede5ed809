// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/session/child_job.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace inversight {

/// Starts and cancels a child job and shows how far it is, what it warned of and how it ended.
/// Thread-bound.
class JobStatus final : public QWidget {
    Q_OBJECT
public:
    explicit JobStatus(const QString& startText, QWidget* parent = nullptr);

    [[nodiscard]] ChildJob& job() { return job_; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton& startButton() { return *start_; }
    [[nodiscard]] QPushButton& cancelButton() { return *cancel_; }

signals:
    void startRequested();

private:
    void showProgress(const ChildProgress& progress);
    void setRunning(bool running);

    ChildJob job_;
    QPushButton* start_;
    QPushButton* cancel_;
    QProgressBar* bar_;
    QLabel* text_;
};

} // namespace inversight
