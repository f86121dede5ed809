// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/view_state.h"

#include "trace/view/time_scale.h"

#include <algorithm>

namespace inversight {

namespace {
constexpr qint64 kOneGestureMs = 500;
}

void ViewState::reset(TimeRange whole, TimeRange visible) {
    whole_ = whole;
    visible_ = clampRange(visible, whole_, minLength_);
    back_.clear();
    forward_.clear();
    lastContinuous_.invalidate();
    emit visibleChanged();
    emit historyChanged();
}

void ViewState::setMinLength(std::int64_t length) {
    minLength_ = std::max<std::int64_t>(length, 1);
    const TimeRange clamped = clampRange(visible_, whole_, minLength_);
    if (clamped != visible_) {
        visible_ = clamped;
        emit visibleChanged();
    }
}

void ViewState::setVisible(TimeRange range, Change change) {
    const TimeRange clamped = clampRange(range, whole_, minLength_);
    if (clamped == visible_)
        return;
    remember(change);
    visible_ = clamped;
    emit visibleChanged();
    emit historyChanged();
}

void ViewState::zoomAt(std::int64_t anchor, double factor, Change change) {
    // At a limit the clamp would keep the middle, and so move the time under the cursor.
    const auto length = static_cast<double>(visible_.length());
    const auto shortest = static_cast<double>(minLength_);
    const auto longest = std::max(static_cast<double>(whole_.length()), shortest);
    const double limited = std::clamp(factor, shortest / length, longest / length);
    setVisible(zoomRange(visible_, anchor, limited), change);
}

void ViewState::pan(std::int64_t offset, Change change) {
    setVisible(panRange(visible_, offset), change);
}

void ViewState::frame(TimeRange item) {
    setVisible(frameRange(item));
}

void ViewState::remember(Change change) {
    const bool sameGesture = change == Change::Continuous && lastContinuous_.isValid() &&
                             lastContinuous_.elapsed() < kOneGestureMs;
    if (change == Change::Continuous)
        lastContinuous_.start();
    else
        lastContinuous_.invalidate();
    forward_.clear();
    if (sameGesture)
        return;
    if (back_.size() == kMaxHistory)
        back_.erase(back_.begin());
    back_.push_back(visible_);
}

void ViewState::goBack() {
    if (back_.empty())
        return;
    forward_.push_back(visible_);
    visible_ = back_.back();
    back_.pop_back();
    lastContinuous_.invalidate();
    emit visibleChanged();
    emit historyChanged();
}

void ViewState::goForward() {
    if (forward_.empty())
        return;
    back_.push_back(visible_);
    visible_ = forward_.back();
    forward_.pop_back();
    lastContinuous_.invalidate();
    emit visibleChanged();
    emit historyChanged();
}

} // namespace inversight
