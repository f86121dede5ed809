// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/windows/job_status.h"
#include "ui/windows/run_form.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;
class QTableWidget;

namespace inversight {

/// Runs a workload: scenario, policies, engine, length, overrides; then its traces are opened, and
/// compared when there are several. Thread-bound.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(QWidget* parent = nullptr);
    ~RunPanel() override;

    void chooseScenario(const QString& name);
    void choosePolicies(const QStringList& names);
    void chooseEngine(const QString& name);
    void setLoops(int loops);
    void setOutput(const QString& folder);
    [[nodiscard]] RunChoice choice() const;
    [[nodiscard]] JobStatus& status() { return *status_; }

signals:
    /// The recordings of a run that is over, in the order of its policies.
    void recorded(const QStringList& traces);

private:
    void showScenario();
    void fillPolicies();
    void onFinished(const QJsonObject& document);

    QProcess lister_; ///< asks the program for its policies
    std::vector<ScenarioFacts> scenarios_;
    QComboBox* scenario_;
    QLabel* description_;
    QListWidget* policies_;
    QComboBox* engine_;
    QSpinBox* loops_;
    QDoubleSpinBox* seconds_;
    QTableWidget* overrides_;
    QLineEdit* output_;
    JobStatus* status_;
    QLabel* result_;
};

} // namespace inversight
