// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace inversight {

/// A thing the window can do.
struct Command {
    QString text;
    QString keys; ///< "" if it has none
    std::function<void()> run;
};

/// All commands in a list that narrows while one types; Enter runs. Thread-bound.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent = nullptr);
    void popUp(std::vector<Command> commands);
    [[nodiscard]] QLineEdit& input() { return *input_; }
    [[nodiscard]] QListWidget& list() { return *list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void narrow(const QString& text);
    void runCurrent();

    std::vector<Command> commands_;
    QLineEdit* input_;
    QListWidget* list_;
};

/// Keys and gestures, from the tables that the window reads itself.
class KeyHelp final : public QDialog {
    Q_OBJECT
public:
    explicit KeyHelp(const std::vector<Command>& commands, QWidget* parent = nullptr);
};

} // namespace inversight
