// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "raw_fields.h"

#include <fmt/format.h>

namespace inversight::test {

namespace {

/// Bytes as code points, up to the first NUL: how the expected files write texts.
std::string latin1(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        const auto c = std::to_integer<unsigned char>(byte);
        if (c == 0)
            break;
        if (c < 0x80) {
            text += static_cast<char>(c);
        } else {
            text += static_cast<char>(0xc0 | c >> 6);
            text += static_cast<char>(0x80 | (c & 0x3f));
        }
    }
    return text;
}

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes)
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

std::uint64_t number(std::span<const std::byte> bytes, ByteOrder order) {
    std::uint64_t value = 0;
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        const std::size_t at = order == ByteOrder::Big ? index : bytes.size() - 1 - index;
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[at]);
    }
    return value;
}

std::uint64_t number(const nlohmann::json& value) {
    if (value.is_string())
        return std::stoull(value.get<std::string>(), nullptr, 0);
    return value.is_number_unsigned() ? value.get<std::uint64_t>()
                                      : static_cast<std::uint64_t>(value.get<std::int64_t>());
}

} // namespace

RawFields::RawFields(const DatFile& file) : file_(file) {
    for (const FormatText& text : file.formats) {
        if (auto format = parseEventFormat(text.text))
            formats_.try_emplace(format->id, *std::move(format));
    }
}

std::span<const std::byte> RawFields::bytes(const EventField& field,
                                            std::span<const std::byte> record) const {
    std::size_t begin = field.offset;
    std::size_t size = field.size != 0 ? field.size : record.size() - begin;
    if (field.placement != FieldPlacement::Fixed) {
        const auto word = loadInteger<std::uint32_t>(record.data() + begin, file_.order);
        begin =
            (field.placement == FieldPlacement::RelativeLocation ? begin + 4 : 0) + (word & 0xffff);
        size = word >> 16;
    }
    return record.subspan(begin, std::min(size, record.size() - begin));
}

bool RawFields::equal(const EventField& field, std::span<const std::byte> record,
                      const nlohmann::json& expected) const {
    // The independent reader's words for an array whose format claims more than the record has.
    if (expected == "?out of record")
        return field.offset + field.size > record.size();
    const auto value = bytes(field, record);
    if (field.isArray)
        return expected == latin1(value) || expected == hex(value);
    const std::uint64_t mask =
        value.size() >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << value.size() * 8) - 1;
    return (number(value, file_.order) & mask) == (number(expected) & mask);
}

std::string RawFields::differences(std::uint16_t rawId, std::uint64_t offset,
                                   const nlohmann::json& expected) const {
    const auto record = file_.records->record(file_.order, offset);
    if (!record)
        return record.error().sentence();
    std::string found;
    const EventFormat& format = formats_.at(rawId);
    for (const auto& [name, value] : expected.items()) {
        const EventField* field = format.find(name);
        if (field == nullptr || !equal(*field, record->data, value))
            found += fmt::format("{} is not {}; ", name, value.dump());
    }
    return found;
}

} // namespace inversight::test
