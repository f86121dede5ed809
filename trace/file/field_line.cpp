// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/field_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace inversight {

namespace {

/// The part before the next ';', which is removed from `rest` with it.
std::optional<std::string_view> nextClause(std::string_view& rest) {
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view clause = trimBlanks(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    return clause;
}

Result<std::uint32_t> numberClause(std::string_view& rest, std::string_view name) {
    const std::optional<std::string_view> clause = nextClause(rest);
    const std::size_t colon = clause ? clause->find(':') : std::string_view::npos;
    if (colon == std::string_view::npos || trimBlanks(clause->substr(0, colon)) != name)
        return corrupt(fmt::format("expected \"{}:NUMBER;\"", name));
    const std::string_view digits = trimBlanks(clause->substr(colon + 1));
    std::uint32_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc() || end != digits.data() + digits.size() || value > kMaxFieldExtent)
        return corrupt(
            fmt::format("expected a number up to {} after \"{}:\"", kMaxFieldExtent, name));
    return value;
}

} // namespace

std::string_view trimBlanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

Result<FieldLine> parseFieldLine(std::string_view line) {
    std::string_view rest = trimBlanks(line);
    const std::size_t colon = rest.find(':');
    const std::string_view keyword = trimBlanks(rest.substr(0, std::min(colon, rest.size())));
    if (colon == std::string_view::npos || (keyword != "field" && keyword != "field special"))
        return corrupt("expected \"field:\"");
    rest.remove_prefix(colon + 1);

    FieldLine field;
    field.declaration = nextClause(rest).value_or(std::string_view());
    if (field.declaration.empty())
        return corrupt("expected a declaration that ends with ';' after \"field:\"");
    field.offset = TRY(numberClause(rest, "offset"));
    field.size = TRY(numberClause(rest, "size"));
    rest = trimBlanks(rest);
    if (!rest.empty())
        field.isSigned = TRY(numberClause(rest, "signed")) != 0;
    if (!trimBlanks(rest).empty())
        return corrupt("expected the end of the line after \"signed:NUMBER;\"");
    return field;
}

} // namespace inversight
