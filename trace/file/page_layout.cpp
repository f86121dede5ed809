// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_layout.h"

#include "trace/file/field_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace inversight {

namespace {

constexpr std::uint32_t kSmallestPage = 128;
constexpr std::uint32_t kLargestPage = 1 << 23;

struct HeaderFields {
    std::optional<FieldLine> timestamp;
    std::optional<FieldLine> commit;
    std::optional<FieldLine> data;
};

Result<HeaderFields> readFields(std::string_view text) {
    HeaderFields fields;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimBlanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '\0')
            continue;
        const FieldLine field = TRY(parseFieldLine(line));
        const std::string_view name =
            field.declaration.substr(field.declaration.find_last_of(" \t") + 1);
        if (name == "timestamp")
            fields.timestamp = field;
        else if (name == "commit")
            fields.commit = field;
        else if (name == "data")
            fields.data = field;
    }
    return fields;
}

} // namespace

Result<PageLayout> PageLayout::parse(std::string_view headerPage, ByteOrder order,
                                     std::uint32_t pageSize) {
    const HeaderFields fields = TRY(readFields(headerPage));
    if (!fields.timestamp || fields.timestamp->offset != 0 || fields.timestamp->size != 8)
        return corrupt("expected a field \"timestamp\" of 8 bytes at offset 0");
    if (!fields.commit || (fields.commit->size != 4 && fields.commit->size != 8))
        return corrupt("expected a field \"commit\" of 4 or 8 bytes");
    if (!fields.data || fields.data->offset < 8)
        return corrupt("expected a field \"data\" behind the time stamp");

    PageLayout layout{order, pageSize, fields.commit->offset, fields.commit->size,
                      fields.data->offset};
    const std::uint32_t described = fields.data->offset + fields.data->size;
    if (std::has_single_bit(described) && described >= kSmallestPage)
        layout.pageSize = described;
    return layout.checked();
}

Result<PageLayout> PageLayout::withoutHeader(ByteOrder order, std::uint32_t pageSize,
                                             std::uint32_t longSize) {
    return PageLayout{order, pageSize, 8, longSize, 8 + longSize}.checked();
}

Result<PageLayout> PageLayout::withPageSize(std::uint32_t size) const {
    PageLayout other = *this;
    other.pageSize = size;
    return other.checked();
}

Result<PageLayout> PageLayout::checked() const {
    if (pageSize < kSmallestPage || pageSize > kLargestPage)
        return corrupt(fmt::format("expected a page size from {} to {} bytes, found {}",
                                   kSmallestPage, kLargestPage, pageSize));
    if (dataOffset % 4 != 0 || dataOffset + 8 > pageSize || commitOffset + commitSize > dataOffset)
        return corrupt("expected the commit word before the data, and the data inside the page");
    return *this;
}

} // namespace inversight
