// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "trace/view/track_model.h"
#include "ui/session/timeline_state.h"
#include "ui/windows/parts_bar.h"

#include <QWidget>
#include <memory>

class QLabel;

namespace inversight {

/// Everything about the selection: the item in words, exact to the ns, with links to who is
/// concerned; what a wait's owner did meanwhile; or the figures of a selected range. Thread-bound.
class Inspector final : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(TimelineState& state, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(std::shared_ptr<const TrackModel> model, std::shared_ptr<const Latency> latency);
    [[nodiscard]] QString text() const;
    [[nodiscard]] const PartsBar& parts() const { return *parts_; }

signals:
    /// A link was followed: bring this thread's lane and time into sight.
    void threadWanted(inversight::ThreadId thread, qlonglong time);

private:
    void refresh();
    void showItem(const TrackHit& item);
    void showRange(TimeRange range);
    void showParts(ThreadId thread, TimeRange range, const QString& title);
    [[nodiscard]] QString links(const TrackHit& item) const;
    [[nodiscard]] QString threadLink(ThreadId thread, std::int64_t time, const QString& what) const;
    void follow(const QString& link);

    TimelineState& state_;
    const Theme* theme_;
    std::shared_ptr<const TrackModel> model_;
    std::shared_ptr<const Latency> latency_;
    QLabel* text_;
    QLabel* partsTitle_;
    PartsBar* parts_;
};

} // namespace inversight
