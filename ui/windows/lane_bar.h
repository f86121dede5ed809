// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/track_model.h"
#include "ui/session/timeline_state.h"

#include <QToolBar>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace inversight {

/// Which lanes are shown and how they are grouped; the visible range, and the difference between
/// the markers. Thread-bound.
class LaneBar final : public QToolBar {
    Q_OBJECT
public:
    explicit LaneBar(TimelineState& state, QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const TrackModel> model);
    void focusFilter();

    [[nodiscard]] QLineEdit& text() { return *text_; }
    [[nodiscard]] QComboBox& priorityClass() { return *class_; }
    [[nodiscard]] QComboBox& cpu() { return *cpu_; }
    [[nodiscard]] QComboBox& process() { return *process_; }
    [[nodiscard]] QComboBox& grouping() { return *grouping_; }
    [[nodiscard]] QCheckBox& inverted() { return *inverted_; }
    [[nodiscard]] QString measures() const;

private:
    void apply();
    void show();
    void updateMeasures();

    TimelineState& state_;
    std::shared_ptr<const TrackModel> model_;
    QLineEdit* text_;
    QComboBox* class_;
    QComboBox* cpu_;
    QComboBox* process_;
    QComboBox* grouping_;
    QCheckBox* inverted_;
    QLabel* measures_;
    bool showing_ = false; ///< the state is being shown: nothing is to be applied
};

} // namespace inversight
