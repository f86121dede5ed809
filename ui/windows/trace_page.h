// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/latency.h"
#include "ui/session/timeline_state.h"
#include "ui/session/trace_facts.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/track_view.h"

#include <QWidget>
#include <memory>

namespace inversight {

/// What a trace is, in two lines, with losses and boosts as chips. Thread-bound.
class TraceHeader final : public QWidget {
    Q_OBJECT
public:
    explicit TraceHeader(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setFacts(TraceFacts facts);
    /// `any`: whether the statement is of boosts, and so to be seen.
    void setBoosts(const QString& statement, bool any);
    /// Which part is shown and why; "" when nothing special.
    void setFocusNote(const QString& note);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme* theme_;
    TraceFacts facts_;
    QString boosts_;
    bool anyBoosts_ = false;
    QString focus_;
};

/// A trace's picture: header, overview, timeline, legend. The same in a window and in a shot.
/// Thread-bound.
class TracePage final : public QWidget {
    Q_OBJECT
public:
    explicit TracePage(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setFacts(TraceFacts facts);
    void setBoosts(const Boosts* boosts);
    /// Shows `model` from the focus on (null: nothing); another model of the same trace where a
    /// person has gone meanwhile.
    void setModel(const std::shared_ptr<const TrackModel>& model, const Latency* latency);

    [[nodiscard]] TimelineState& state() { return state_; }
    [[nodiscard]] ViewState& view() { return state_.view; }
    [[nodiscard]] TrackView& tracks() { return *tracks_; }

private:
    void dropFocusNote();
    void showFocus(const TrackModel& model, const Latency* latency);

    TimelineState state_;
    TraceHeader* header_;
    OverviewStrip* overview_;
    TrackView* tracks_;
    Legend* legend_;
    TimeRange focus_;
};

} // namespace inversight
