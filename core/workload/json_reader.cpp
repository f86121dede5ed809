// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/json_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace inversight {

namespace {

/// Notices keys that occur twice in one object; nlohmann::json keeps only one of them.
class DuplicateKeyWatch {
public:
    bool operator()(int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start)
            open_.emplace_back();
        else if (event == Json::parse_event_t::object_end)
            open_.pop_back();
        else if (event == Json::parse_event_t::key)
            note(parsed.get_ref<const std::string&>());
        return true;
    }
    [[nodiscard]] const std::optional<std::string>& duplicate() const { return duplicate_; }

private:
    void note(const std::string& key) {
        if (!open_.back().insert(key).second && !duplicate_)
            duplicate_ = key;
    }

    std::vector<std::set<std::string>> open_;
    std::optional<std::string> duplicate_;
};

/// nlohmann's words without its "[json.exception.parse_error.101] " in front.
std::string plainWords(const std::exception& exception) {
    const std::string_view text = exception.what();
    const std::size_t end = text.starts_with('[') ? text.find("] ") : std::string_view::npos;
    return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

/// The integer value of `value`, if it is one and fits.
std::optional<std::int64_t> integerOf(const Json& value) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > kMax)
        return std::nullopt;
    if (!value.is_number_integer())
        return std::nullopt;
    return value.get<std::int64_t>();
}

bool isControl(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

} // namespace

Result<Json> parseJson(std::string_view text) {
    DuplicateKeyWatch watch;
    try {
        Json json = Json::parse(text, std::ref(watch));
        if (watch.duplicate())
            return std::unexpected(expected("every key once", *watch.duplicate()));
        return json;
    } catch (const Json::exception& exception) {
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "not valid JSON: " + plainWords(exception)});
    }
}

Error expected(std::string_view what, std::string path) {
    return {ErrorCode::InvalidArgument, fmt::format("expected {}", what), std::move(path)};
}

Result<ObjectReader> ObjectReader::open(const Json& value, std::string path) {
    if (!value.is_object())
        return std::unexpected(
            expected("an object", path.empty() ? "the document" : std::move(path)));
    return ObjectReader(value, std::move(path));
}

bool ObjectReader::has(std::string_view key) const {
    return object_->contains(key);
}

std::string ObjectReader::pathOf(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

Result<const Json*> ObjectReader::member(std::string_view key) {
    const auto found = object_->find(key);
    if (found == object_->end())
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, fmt::format("\"{}\" is missing", key), pathOf(key)});
    read_.emplace(key);
    return &*found;
}

Result<std::int64_t> ObjectReader::integer(std::string_view key, std::int64_t low,
                                           std::int64_t high) {
    const Json* value = TRY(member(key));
    const std::optional<std::int64_t> number = integerOf(*value);
    if (!number || *number < low || *number > high)
        return std::unexpected(
            expected(fmt::format("an integer from {} to {}", low, high), pathOf(key)));
    return *number;
}

Result<std::int64_t> ObjectReader::integerOr(std::string_view key, std::int64_t low,
                                             std::int64_t high, std::int64_t fallback) {
    return has(key) ? integer(key, low, high) : Result<std::int64_t>(fallback);
}

Result<std::string> ObjectReader::name(std::string_view key, std::size_t maxBytes) {
    const Json* value = TRY(member(key));
    const std::string* text = value->get_ptr<const std::string*>();
    if (!text || text->empty() || text->size() > maxBytes || std::ranges::any_of(*text, isControl))
        return std::unexpected(
            expected(fmt::format("a text of 1 to {} bytes without control characters", maxBytes),
                     pathOf(key)));
    return *text;
}

Result<std::string> ObjectReader::textOrEmpty(std::string_view key) {
    if (!has(key))
        return std::string();
    const Json* value = TRY(member(key));
    if (!value->is_string())
        return std::unexpected(expected("a text", pathOf(key)));
    return value->get<std::string>();
}

Result<bool> ObjectReader::flagOr(std::string_view key, bool fallback) {
    if (!has(key))
        return fallback;
    const Json* value = TRY(member(key));
    if (!value->is_boolean())
        return std::unexpected(expected("true or false", pathOf(key)));
    return value->get<bool>();
}

Result<const Json*> ObjectReader::array(std::string_view key, std::size_t maxCount) {
    const Json* value = TRY(member(key));
    if (!value->is_array() || value->empty() || value->size() > maxCount)
        return std::unexpected(
            expected(fmt::format("an array of 1 to {} elements", maxCount), pathOf(key)));
    return value;
}

Result<void> ObjectReader::finish() const {
    for (const auto& item : object_->items()) {
        if (!read_.contains(item.key()))
            return std::unexpected(Error{ErrorCode::InvalidArgument,
                                         fmt::format("unknown key \"{}\"", item.key()),
                                         pathOf(item.key())});
    }
    return {};
}

} // namespace inversight
