// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/json_document.h"

#include <fmt/format.h>

namespace inversight {

Json JsonDocument::toJson() const {
    Json json;
    json["schema"] = schema;
    json["tool"] = tool;
    json["origin_ns"] = std::to_string(originNs);
    json["clock"] = clock ? Json(*clock) : Json(nullptr);
    json["complete"] = complete;
    json["warnings"] = warnings;
    json["data"] = data;
    return json;
}

std::string JsonDocument::toText() const {
    return toJson().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string jsonAddress(std::uint64_t address) {
    return fmt::format("{:#x}", address);
}

std::int64_t relativeTime(std::int64_t time, std::int64_t origin) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) -
                                     static_cast<std::uint64_t>(origin));
}

} // namespace inversight
