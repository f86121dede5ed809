// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "ui/session/event_list.h"
#include "ui/timeline/events_view.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace inversight {

/// The events with a filter and a search. Thread-bound.
class EventsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit EventsPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setTrace(std::shared_ptr<const LoadedTrace> trace);
    /// The event at or after `time` becomes current, without telling anybody.
    void goTo(std::int64_t time);
    void focusSearch();

    [[nodiscard]] EventList& events() { return events_; }
    [[nodiscard]] EventsView& view() { return *view_; }
    [[nodiscard]] QLineEdit& filter() { return *filter_; }
    [[nodiscard]] QLineEdit& search() { return *search_; }
    [[nodiscard]] QString status() const;

signals:
    void eventChosen(inversight::EventIndex event);

private:
    void find(EventList::Direction direction);
    void updateStatus();

    EventList events_;
    EventsView* view_;
    QLineEdit* filter_;
    QLineEdit* search_;
    QLabel* status_;
};

} // namespace inversight
