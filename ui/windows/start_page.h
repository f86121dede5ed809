// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace inversight {

/// What an empty window shows: how to get a trace into it, files opened before, and, after a
/// failure, what went wrong in a sentence. Thread-bound.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// "" hides it.
    void setError(const QString& sentence);
    [[nodiscard]] QString error() const;
    void refreshRecentFiles();

signals:
    void openRequested();
    void runRequested();
    void recordRequested();
    void fileRequested(const QString& path);

private:
    [[nodiscard]] QLabel* addText(const QString& text);
    [[nodiscard]] QPushButton* addAction(const QString& text, const QString& words);
    void addCommand(const QString& words, const QString& command);

    const Theme* theme_;
    QVBoxLayout* column_;
    QLabel* error_;
    QLabel* title_;
    QLabel* recentTitle_;
    QLabel* recent_;
    std::vector<QPushButton*> actions_;
    std::vector<QLabel*> commands_;
};

} // namespace inversight
