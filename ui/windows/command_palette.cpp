// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/command_palette.h"

#include "ui/theme/theme.h"
#include "ui/timeline/track_keys.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace inversight {

namespace {

/// All words occur, in any order.
bool hasWords(const QString& text, const QString& words) {
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(parts.begin(), parts.end(), [&](const QString& part) {
        return text.contains(part, Qt::CaseInsensitive);
    });
}

QString tableRow(const QString& keys, const QString& text) {
    return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
}

} // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent, Qt::Popup), input_(new QLineEdit), list_(new QListWidget) {
    setAccessibleName(tr("Commands"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(input_);
    column->addWidget(list_);
    input_->setPlaceholderText(tr("Type a command"));
    input_->setAccessibleName(tr("Command"));
    list_->setAccessibleName(tr("Commands"));
    input_->installEventFilter(this);
    connect(input_, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(input_, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    const ThemeSizes& sizes = Theme::of(ThemeKind::Light).sizes;
    resize(2 * sizes.dock, 2 * sizes.findings);
}

void CommandPalette::popUp(std::vector<Command> commands) {
    commands_ = std::move(commands);
    input_->clear();
    narrow({});
    if (const QWidget* parent = parentWidget())
        move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, parent->height() / 10)));
    show();
    input_->setFocus();
}

void CommandPalette::narrow(const QString& text) {
    list_->clear();
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        const Command& command = commands_[i];
        if (!hasWords(command.text, text))
            continue;
        auto* item = new QListWidgetItem(
            command.keys.isEmpty() ? command.text
                                   : QStringLiteral("%1   [%2]").arg(command.text, command.keys),
            list_);
        item->setData(Qt::UserRole, static_cast<qulonglong>(i));
    }
    list_->setCurrentRow(0);
}

void CommandPalette::runCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    if (!item)
        return;
    const auto run = commands_[item->data(Qt::UserRole).toULongLong()].run;
    hide();
    run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == input_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

KeyHelp::KeyHelp(const std::vector<Command>& commands, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keys"));
    setAttribute(Qt::WA_DeleteOnClose);
    QString html = tr("<h3>Timeline</h3>") + QStringLiteral("<table>");
    for (const TrackGesture& gesture : trackGestures())
        html += tableRow(trackKeyWords(gesture.gesture), trackKeyWords(gesture.text));
    for (const TrackKey& row : trackKeys())
        html += tableRow(QLatin1String(row.keyText), trackKeyWords(row.commandText));
    html += QStringLiteral("</table>") + tr("<h3>Window</h3>") + QStringLiteral("<table>");
    for (const Command& command : commands) {
        if (!command.keys.isEmpty())
            html += tableRow(command.keys, command.text);
    }
    html += QStringLiteral("</table>");
    auto* label = new QLabel(html);
    label->setMargin(Theme::of(ThemeKind::Light).sizes.margin);
    label->setAccessibleName(tr("Keys"));
    auto* scroll = new QScrollArea;
    scroll->setWidget(label);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll);
    const ThemeSizes& sizes = Theme::of(ThemeKind::Light).sizes;
    resize(label->sizeHint().width() + 2 * sizes.dock / 8, 2 * sizes.dock);
}

} // namespace inversight
