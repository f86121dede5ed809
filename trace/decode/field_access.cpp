// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/field_access.h"

#include <fmt/format.h>

#include <algorithm>

namespace inversight {

std::string_view TextField::loadLocated(std::span<const std::byte> record, ByteOrder order) const {
    const auto word = loadInteger<std::uint32_t>(record.data() + offset, order);
    const std::size_t length = word >> 16;
    std::size_t begin = word & 0xffff;
    if (placement == FieldPlacement::RelativeLocation)
        begin += offset + sizeof word;
    if (begin > record.size() || length > record.size() - begin)
        return {};
    return terminated(record, begin, length);
}

void FieldFinder::complain(std::string_view name, std::string_view what) {
    if (complaint_.empty())
        complaint_ = fmt::format("field \"{}\" {}", name, what);
}

const EventField* FieldFinder::require(std::string_view name) {
    const EventField* field = format_.find(name);
    if (field == nullptr)
        complain(name, "is missing");
    return field;
}

IntegerField FieldFinder::integer(std::string_view name) {
    return require(name) != nullptr ? optionalInteger(name) : IntegerField{};
}

IntegerField FieldFinder::optionalInteger(std::string_view name) {
    const EventField* field = format_.find(name);
    if (field == nullptr)
        return {};
    const bool plainSize =
        field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
    if (field->isArray || !plainSize) {
        complain(name, fmt::format("has {} bytes{}, expected an integer of 1, 2, 4 or 8",
                                   field->size, field->isArray ? " and is an array" : ""));
        return {};
    }
    cover(field->offset + field->size);
    return {field->offset, static_cast<std::uint8_t>(field->size), field->isSigned};
}

TextField FieldFinder::text(std::string_view name) {
    const EventField* field = require(name);
    if (field == nullptr)
        return {};
    if (!field->isArray || field->type.find("char") == std::string_view::npos) {
        complain(name, "is no array of char");
        return {};
    }
    cover(field->offset + field->size);
    return {field->offset, field->size, field->placement};
}

TextField FieldFinder::trailingText(std::string_view name) {
    const EventField* field = require(name);
    if (field == nullptr)
        return {};
    cover(field->offset);
    return {field->offset, 0, FieldPlacement::Fixed};
}

Result<std::uint32_t> FieldFinder::minimumSize() const {
    if (complaint_.empty())
        return minimumSize_;
    return std::unexpected(Error{ErrorCode::Corrupt, complaint_});
}

} // namespace inversight
