// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "ui/session/lane_state.h"

#include <algorithm>

namespace inversight {

void LaneState::setSettings(LaneSettings settings) {
    if (settings == settings_)
        return;
    settings_ = std::move(settings);
    emit changed();
}

void LaneState::setFilter(LaneFilter filter) {
    LaneSettings next = settings_;
    next.filter = std::move(filter);
    setSettings(std::move(next));
}

void LaneState::setGrouping(LaneGrouping grouping) {
    LaneSettings next = settings_;
    next.grouping = grouping;
    setSettings(std::move(next));
}

bool LaneState::isPinned(const std::string& key) const {
    return std::find(settings_.pinned.begin(), settings_.pinned.end(), key) !=
           settings_.pinned.end();
}

void LaneState::togglePinned(const std::string& key) {
    LaneSettings next = settings_;
    if (std::erase(next.pinned, key) == 0)
        next.pinned.push_back(key);
    setSettings(std::move(next));
}

void LaneState::hide(const std::string& key) {
    LaneSettings next = settings_;
    std::erase(next.pinned, key);
    next.hidden.insert(key);
    setSettings(std::move(next));
}

void LaneState::showAll() {
    LaneSettings next = settings_;
    next.hidden.clear();
    next.collapsed.clear();
    next.filter = {};
    setSettings(std::move(next));
}

void LaneState::toggleCollapsed(LaneGroup group) {
    LaneSettings next = settings_;
    if (next.collapsed.erase(group) == 0)
        next.collapsed.insert(group);
    setSettings(std::move(next));
}

void LaneState::move(const std::string& key, const std::string& other,
                     std::vector<std::string> group) {
    if (key == other)
        return;
    std::erase(group, key);
    const auto place = other.empty() ? group.end() : std::find(group.begin(), group.end(), other);
    group.insert(place, key);
    LaneSettings next = settings_;
    std::vector<std::string>& order = isPinned(key) ? next.pinned : next.moved;
    std::erase_if(order, [&group](const std::string& each) {
        return std::find(group.begin(), group.end(), each) != group.end();
    });
    order.insert(order.end(), group.begin(), group.end());
    setSettings(std::move(next));
}

} // namespace inversight
