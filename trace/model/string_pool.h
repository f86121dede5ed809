// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/ids.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace inversight {

/// Interned strings: equal text, equal StringId. Views stay valid for the pool's life.
/// Thread-bound while it grows, reentrant once frozen.
class StringPool {
public:
    StringPool() = default;
    StringPool(StringPool&&) = default;
    StringPool& operator=(StringPool&&) = default;

    StringId intern(std::string_view text);
    [[nodiscard]] StringId find(std::string_view text) const; ///< none() if absent
    /// "" for none().
    [[nodiscard]] std::string_view text(StringId id) const;
    [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
    std::deque<std::string> texts_; // a deque: elements never move, so views into them stay valid
    std::unordered_map<std::string_view, StringId> ids_;
};

} // namespace inversight
