// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace inversight {

/// Keeps the order of keys, so that a document reads as its author wrote it.
using Json = nlohmann::ordered_json;

/// Parses JSON text; a key that occurs twice in one object is an error, because one of the two
/// values would silently lose. Never throws.
[[nodiscard]] Result<Json> parseJson(std::string_view text);

/// An InvalidArgument error: "expected X" at `path`.
[[nodiscard]] Error expected(std::string_view what, std::string path);

/// Reads the members of one JSON object, each at most once, and knows which ones nobody asked for.
/// Errors name the member as a path ("threads[2].priority"). The object must outlive the reader.
/// Thread-bound.
class ObjectReader {
public:
    /// `path` is empty for the document itself.
    [[nodiscard]] static Result<ObjectReader> open(const Json& value, std::string path);

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] std::string pathOf(std::string_view key) const;

    [[nodiscard]] Result<std::int64_t> integer(std::string_view key, std::int64_t low,
                                               std::int64_t high);
    [[nodiscard]] Result<std::int64_t> integerOr(std::string_view key, std::int64_t low,
                                                 std::int64_t high, std::int64_t fallback);
    /// One line of 1 to `maxBytes` bytes without control characters.
    [[nodiscard]] Result<std::string> name(std::string_view key, std::size_t maxBytes);
    /// Any text, empty if the member is missing.
    [[nodiscard]] Result<std::string> textOrEmpty(std::string_view key);
    [[nodiscard]] Result<bool> flagOr(std::string_view key, bool fallback);
    /// An array of 1 to `maxCount` elements.
    [[nodiscard]] Result<const Json*> array(std::string_view key, std::size_t maxCount);
    /// A member of any type.
    [[nodiscard]] Result<const Json*> member(std::string_view key);

    /// An error for the first member that was never read.
    [[nodiscard]] Result<void> finish() const;

private:
    ObjectReader(const Json& object, std::string path) : object_(&object), path_(std::move(path)) {}

    const Json* object_;
    std::string path_;
    std::set<std::string, std::less<>> read_;
};

} // namespace inversight
