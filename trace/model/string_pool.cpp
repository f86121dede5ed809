// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/string_pool.h"

namespace inversight {

StringId StringPool::intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end())
        return found->second;
    const StringId id{static_cast<std::uint32_t>(texts_.size())};
    const std::string& kept = texts_.emplace_back(text);
    ids_.emplace(kept, id);
    return id;
}

StringId StringPool::find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? StringId::none() : found->second;
}

std::string_view StringPool::text(StringId id) const {
    return id.index() < texts_.size() ? std::string_view(texts_[id.index()]) : std::string_view();
}

} // namespace inversight
