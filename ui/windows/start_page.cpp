// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/start_page.h"

#include "ui/windows/recent_files.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace inversight {

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), theme_(&Theme::of(ThemeKind::Light)), column_(new QVBoxLayout) {
    auto* outer = new QHBoxLayout(this);
    outer->addStretch(1);
    outer->addLayout(column_, 2);
    outer->addStretch(1);
    column_->setSpacing(2 * theme_->sizes.spacing);
    column_->addStretch(1);
    error_ = addText({});
    error_->setObjectName(QStringLiteral("error"));
    error_->setVisible(false);
    title_ = addText(tr("Why did the important thread wait?"));
    connect(addAction(tr("Open a trace..."), tr("or drop a trace.dat file here.")),
            &QPushButton::clicked, this, &StartPage::openRequested);
    connect(addAction(tr("Run a workload..."),
                      tr("Threads that share a bus, under the lock policies you choose.")),
            &QPushButton::clicked, this, &StartPage::runRequested);
    connect(addAction(tr("Record this machine..."),
                      tr("Scheduling, locks and buses, while a command runs.")),
            &QPushButton::clicked, this, &StartPage::recordRequested);
    addCommand(tr("The same in a terminal:"),
               QStringLiteral("inversight run i2c-bus-2009 --policy mutex-2009,rt_mutex -o out"));
    recentTitle_ = addText(tr("Opened before"));
    recent_ = addText({});
    recent_->setTextFormat(Qt::RichText);
    recent_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(recent_, &QLabel::linkActivated, this,
            [this](const QString& link) { emit fileRequested(QUrl(link).toLocalFile()); });
    column_->addStretch(2);
    setTheme(*theme_);
}

QPushButton* StartPage::addAction(const QString& text, const QString& words) {
    auto* button = new QPushButton(text, this);
    button->setMinimumHeight(theme_->sizes.overview);
    column_->addWidget(button);
    (void)addText(words);
    actions_.push_back(button);
    return button;
}

QLabel* StartPage::addText(const QString& text) {
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    column_->addWidget(label);
    return label;
}

void StartPage::addCommand(const QString& words, const QString& command) {
    (void)addText(words);
    QLabel* label = addText(command);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setMargin(theme_->sizes.spacing);
    label->setAutoFillBackground(true);
    commands_.push_back(label);
}

void StartPage::setTheme(const Theme& theme) {
    theme_ = &theme;
    title_->setFont(theme.font(theme.sizes.titleFont, QFont::Bold));
    for (QPushButton* button : actions_)
        button->setFont(theme.font(theme.sizes.titleFont));
    recentTitle_->setFont(theme.font(theme.sizes.bodyFont, QFont::Bold));
    QPalette danger = theme.palette();
    danger.setColor(QPalette::Window, theme.colours.danger);
    danger.setColor(QPalette::WindowText, theme.colours.dangerText);
    error_->setPalette(danger);
    error_->setAutoFillBackground(true);
    error_->setMargin(theme.sizes.margin);
    QPalette command = theme.palette();
    command.setColor(QPalette::Window, theme.colours.panel);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPixelSize(theme.sizes.bodyFont);
    for (QLabel* label : commands_) {
        label->setPalette(command);
        label->setFont(fixed);
    }
    refreshRecentFiles(); // links carry their colour
}

void StartPage::setError(const QString& sentence) {
    error_->setText(sentence);
    error_->setVisible(!sentence.isEmpty());
}

QString StartPage::error() const {
    return error_->isHidden() ? QString() : error_->text();
}

void StartPage::refreshRecentFiles() {
    QStringList links;
    for (const QString& path : RecentFiles::all()) {
        if (QFileInfo::exists(path))
            links << QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                         .arg(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded),
                              theme_->colours.accent.name(), path.toHtmlEscaped());
    }
    recent_->setText(links.join(QStringLiteral("<br>")));
    recent_->setVisible(!links.isEmpty());
    recentTitle_->setVisible(!links.isEmpty());
}

} // namespace inversight
