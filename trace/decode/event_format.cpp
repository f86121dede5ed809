// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/event_format.h"

#include "trace/file/field_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace inversight {

namespace {

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The lines of a text one by one, with their number.
class Lines {
public:
    explicit Lines(std::string_view text)
        : rest_(text.substr(0, std::min(text.find('\0'), text.size()))) {}

    std::optional<std::string_view> next() {
        if (rest_.empty())
            return std::nullopt;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        return trimBlanks(line);
    }
    /// Everything from the line that next() just returned on, behind `prefix`.
    [[nodiscard]] std::string_view fromHere(std::string_view line) const {
        return {line.data(), static_cast<std::size_t>(rest_.data() + rest_.size() - line.data())};
    }
    [[nodiscard]] std::unexpected<Error> corrupt(std::string_view what) const {
        return std::unexpected(Error{ErrorCode::Corrupt, std::string(what),
                                     fmt::format("event format, line {}", number_)});
    }

private:
    std::string_view rest_;
    int number_ = 0;
};

Result<std::string_view> labelled(Lines& lines, std::string_view label) {
    const std::optional<std::string_view> line = lines.next();
    if (!line || !line->starts_with(label))
        return lines.corrupt(fmt::format("expected \"{}\"", label));
    return trimBlanks(line->substr(label.size()));
}

Result<std::string_view> readName(Lines& lines) {
    const std::string_view name = TRY(labelled(lines, "name:"));
    constexpr std::size_t kLongestName = 128;
    if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, [](char c) {
            return std::isgraph(static_cast<unsigned char>(c)) != 0;
        }))
        return lines.corrupt("expected an event name of printable characters");
    return name;
}

Result<std::uint16_t> readId(Lines& lines) {
    const std::string_view digits = TRY(labelled(lines, "ID:"));
    std::uint16_t id = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
    if (failure != std::errc() || end != digits.data() + digits.size())
        return lines.corrupt("expected a number from 0 to 65535 after \"ID:\"");
    return id;
}

/// Removes "[...]" from the end of `text`; false if there is none. Nested ones come one by one.
bool dropBrackets(std::string_view& text) {
    if (!text.ends_with(']'))
        return false;
    const std::size_t open = text.rfind('[');
    if (open == std::string_view::npos)
        return false;
    text = trimBlanks(text.substr(0, open));
    return true;
}

/// The keyword's placement, which is removed from the declaration.
FieldPlacement takePlacement(std::string_view& declaration) {
    constexpr std::string_view kDataLocation = "__data_loc ";
    constexpr std::string_view kRelativeLocation = "__rel_loc ";
    if (declaration.starts_with(kDataLocation)) {
        declaration = trimBlanks(declaration.substr(kDataLocation.size()));
        return FieldPlacement::DataLocation;
    }
    if (declaration.starts_with(kRelativeLocation)) {
        declaration = trimBlanks(declaration.substr(kRelativeLocation.size()));
        return FieldPlacement::RelativeLocation;
    }
    return FieldPlacement::Fixed;
}

/// Splits "TYPE NAME", "TYPE NAME[N]" and "TYPE[] NAME".
Result<EventField> parseDeclaration(std::string_view declaration) {
    EventField field;
    field.placement = takePlacement(declaration);
    while (dropBrackets(declaration))
        field.isArray = true;
    const auto last = std::find_if_not(declaration.rbegin(), declaration.rend(), isNameCharacter);
    const auto nameSize = static_cast<std::size_t>(last - declaration.rbegin());
    field.name = declaration.substr(declaration.size() - nameSize);
    field.type = trimBlanks(declaration.substr(0, declaration.size() - nameSize));
    while (dropBrackets(field.type))
        field.isArray = true;
    if (field.name.empty() || field.type.empty())
        return std::unexpected(
            Error{ErrorCode::Corrupt, "expected a type and a name after \"field:\""});
    return field;
}

Result<EventField> parseField(std::string_view text) {
    const FieldLine line = TRY(parseFieldLine(text));
    EventField field = TRY(parseDeclaration(line.declaration));
    field.offset = line.offset;
    field.size = line.size;
    field.isSigned = line.isSigned;
    if (field.placement != FieldPlacement::Fixed) {
        field.isArray = true;
        if (field.size != 4)
            return std::unexpected(Error{
                ErrorCode::Corrupt, "expected a size of 4 for a __data_loc or __rel_loc field"});
    }
    return field;
}

Result<void> addField(Lines& lines, std::string_view line, EventFormat& format) {
    const Result<EventField> field = parseField(line);
    if (!field)
        return lines.corrupt(field.error().what);
    if (format.fields.size() == kMaxEventFields)
        return lines.corrupt(fmt::format("expected at most {} fields", kMaxEventFields));
    format.fields.push_back(*field);
    return {};
}

/// Whether every string in a print format ends.
bool stringsAreClosed(std::string_view text) {
    bool inside = false;
    for (std::size_t index = 0; index < text.size(); ++index) {
        if (inside && text[index] == '\\')
            ++index;
        else if (text[index] == '"')
            inside = !inside;
    }
    return !inside;
}

void takePrintFormat(std::string_view text, EventFormat& format) {
    while (text.ends_with('\n') || text.ends_with(' '))
        text.remove_suffix(1);
    format.printFormatDamaged = !stringsAreClosed(text);
    if (!format.printFormatDamaged)
        format.printFormat = trimBlanks(text);
}

} // namespace

const EventField* EventFormat::find(std::string_view fieldName) const {
    const auto found = std::ranges::find(fields, fieldName, &EventField::name);
    return found == fields.end() ? nullptr : &*found;
}

Result<EventFormat> parseEventFormat(std::string_view text) {
    Lines lines(text);
    EventFormat format;
    format.name = TRY(readName(lines));
    format.id = TRY(readId(lines));
    TRY(labelled(lines, "format:"));
    while (const std::optional<std::string_view> line = lines.next()) {
        constexpr std::string_view kPrint = "print fmt:";
        if (line->starts_with(kPrint)) {
            // The last line of a format, but its strings may hold newlines.
            takePrintFormat(lines.fromHere(line->substr(kPrint.size())), format);
            break;
        }
        if (!line->empty())
            TRY(addField(lines, *line, format));
    }
    if (format.fields.empty())
        return lines.corrupt("expected at least one \"field:\" line");
    return format;
}

} // namespace inversight
