// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The one envelope of every JSON document the program writes (docs/architecture.md, "JSON
/// documents"). Keys keep the order they are written in.
namespace inversight {

using Json = nlohmann::ordered_json;

/// {"schema": "inversight.NAME/VERSION", "tool": .., "origin_ns": "..", "clock": .., "complete":
/// ..,
///  "warnings": [..], "data": {..}}
///
///     JsonDocument document{"inversight.list/1", "inversight 0.1.0"};
///     document.data["policies"] = ...;
///     std::cout << document.toText();
struct JsonDocument {
    std::string schema;
    std::string tool;                 ///< "inversight 0.1.0"
    std::int64_t originNs = 0;        ///< what times in `data` are relative to
    std::optional<std::string> clock; ///< none where no time is meant (null)
    bool complete = true;             ///< false: evidence is missing, warnings say which
    std::vector<std::string> warnings;
    Json data = Json::object();

    [[nodiscard]] Json toJson() const;
    /// Indented, ends in a newline. Bytes that are not UTF-8 (task names are bytes) become U+FFFD.
    [[nodiscard]] std::string toText() const;
};

/// A 64-bit address as a string: JSON readers keep integers exact only up to 2^53.
[[nodiscard]] std::string jsonAddress(std::uint64_t address);

/// `time` relative to `origin`; exact, wrapping, for any two times of a hostile file.
[[nodiscard]] std::int64_t relativeTime(std::int64_t time, std::int64_t origin);

} // namespace inversight
