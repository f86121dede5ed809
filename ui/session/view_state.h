// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <QElapsedTimer>
#include <QObject>
#include <vector>

namespace inversight {

/// Which part of a trace a window shows, and which parts it showed before. Everything that changes
/// the view goes through here, so that every change can be undone. Thread-bound (GUI).
class ViewState final : public QObject {
    Q_OBJECT
public:
    /// A Step is one entry of the history; Continuous changes (wheel, drag) that follow each other
    /// within half a second are one entry together.
    enum class Change { Step, Continuous };

    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    /// A new trace: forgets the history. `visible` is clamped as by setVisible.
    void reset(TimeRange whole, TimeRange visible);
    /// The shortest range that may be shown: one time unit per pixel column.
    void setMinLength(std::int64_t length);

    [[nodiscard]] TimeRange whole() const { return whole_; }
    [[nodiscard]] TimeRange visible() const { return visible_; }

    void setVisible(TimeRange range, Change change = Change::Step);
    void zoomAt(std::int64_t anchor, double factor, Change change = Change::Continuous);
    void pan(std::int64_t offset, Change change = Change::Continuous);
    void fitAll() { setVisible(whole_); }
    /// Shows `item` in the middle third.
    void frame(TimeRange item);

    [[nodiscard]] bool canGoBack() const { return !back_.empty(); }
    [[nodiscard]] bool canGoForward() const { return !forward_.empty(); }
    void goBack();
    void goForward();

signals:
    void visibleChanged();
    void historyChanged();

private:
    void remember(Change change);

    static constexpr std::size_t kMaxHistory = 500;
    TimeRange whole_{0, 1};
    TimeRange visible_{0, 1};
    std::int64_t minLength_ = 1;
    std::vector<TimeRange> back_;
    std::vector<TimeRange> forward_;
    QElapsedTimer lastContinuous_;
};

} // namespace inversight
