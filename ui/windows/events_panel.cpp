// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/windows/events_panel.h"

#include "ui/session/trace_facts.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace inversight {

EventsPanel::EventsPanel(QWidget* parent)
    : QWidget(parent), view_(new EventsView(events_, this)), filter_(new QLineEdit(this)),
      search_(new QLineEdit(this)), status_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    column->addLayout(row);
    column->addWidget(view_, 1);
    auto* previous = new QPushButton(tr("Find previous"), this);
    auto* next = new QPushButton(tr("Find next"), this);
    for (QWidget* each : std::initializer_list<QWidget*>{filter_, search_, previous, next, status_})
        row->addWidget(each);
    row->setStretch(0, 3);
    row->setStretch(1, 2);
    filter_->setPlaceholderText(tr("Filter: name=sched_switch cpu=0 or text~\"low\""));
    filter_->setToolTip(tr("Fields: name, cpu, tid, thread, time, text. Operators: = != < <= > >= "
                           "~ (contains). and, or, not, parentheses. Enter applies."));
    filter_->setAccessibleName(tr("Filter of events"));
    filter_->setClearButtonEnabled(true);
    search_->setPlaceholderText(tr("Find"));
    search_->setAccessibleName(tr("Find an event"));
    search_->setClearButtonEnabled(true);
    connect(filter_, &QLineEdit::returnPressed, this,
            [this] { events_.setFilter(filter_->text()); });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            events_.setFilter({});
    });
    connect(search_, &QLineEdit::returnPressed, this,
            [this] { find(EventList::Direction::Forward); });
    connect(next, &QPushButton::clicked, this, [this] { find(EventList::Direction::Forward); });
    connect(previous, &QPushButton::clicked, this,
            [this] { find(EventList::Direction::Backward); });
    connect(&events_, &EventList::rowsChanged, this, &EventsPanel::updateStatus);
    connect(&events_, &EventList::scanned, this, &EventsPanel::updateStatus);
    connect(&events_, &EventList::failed, status_, &QLabel::setText);
    connect(&events_, &EventList::notFound, this, [this] { status_->setText(tr("Not found.")); });
    connect(&events_, &EventList::found, this, [this](qulonglong found) {
        updateStatus();
        view_->setCurrent(found);
        emit eventChosen(events_.event(found));
    });
    connect(view_, &EventsView::chosen, this,
            [this](qulonglong chosen) { emit eventChosen(events_.event(chosen)); });
}

void EventsPanel::setTheme(const Theme& theme) {
    view_->setTheme(theme);
    layout()->setSpacing(theme.sizes.spacing / 2);
}

void EventsPanel::setTrace(std::shared_ptr<const LoadedTrace> trace) {
    filter_->clear();
    events_.setTrace(std::move(trace));
    updateStatus();
}

void EventsPanel::goTo(std::int64_t time) {
    view_->setCurrent(events_.rowAt(time));
}

void EventsPanel::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void EventsPanel::find(EventList::Direction direction) {
    if (search_->text().isEmpty())
        return;
    status_->setText(tr("Looking..."));
    events_.find(search_->text(), view_->current().value_or(view_->firstRow()), direction);
}

QString EventsPanel::status() const {
    return status_->text();
}

void EventsPanel::updateStatus() {
    const QString count = groupDigits(events_.rowCount());
    status_->setText(events_.scanning() ? tr("%1 events, looking...").arg(count)
                                        : tr("%1 events").arg(count));
}

} // namespace inversight
