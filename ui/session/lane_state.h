// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/view/lane_arrangement.h"

#include <QObject>

namespace inversight {

/// How the lanes are arranged, and how they were before. Thread-bound (GUI).
class LaneState final : public QObject {
    Q_OBJECT
public:
    explicit LaneState(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const LaneSettings& settings() const { return settings_; }
    void setSettings(LaneSettings settings);

    void setFilter(LaneFilter filter);
    void setGrouping(LaneGrouping grouping);
    void togglePinned(const std::string& key);
    void hide(const std::string& key);
    void showAll();
    void toggleCollapsed(LaneGroup group);
    /// Puts `key` before `other` ("" = behind all that were moved). `group` gives the keys of its
    /// group as they stand: all of them get their place.
    void move(const std::string& key, const std::string& other, std::vector<std::string> group);

    [[nodiscard]] bool isPinned(const std::string& key) const;

signals:
    void changed();

private:
    LaneSettings settings_;
};

} // namespace inversight
