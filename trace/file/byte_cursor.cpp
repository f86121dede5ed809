// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/byte_cursor.h"

#include <fmt/format.h>

#include <cstring>

namespace inversight {

Error ByteCursor::error(ErrorCode code, std::string_view what) const {
    return {code, fmt::format("section \"{}\": {}", section_, what),
            fmt::format("offset {}", offset_)};
}

Error ByteCursor::truncated(std::uint64_t size, std::string_view what) const {
    return error(ErrorCode::Truncated, fmt::format("expected {} ({} bytes), the {} has {} left",
                                                   what, size, container_, remaining()));
}

Result<std::string_view> ByteCursor::text(std::uint64_t size, std::string_view what) {
    if (remaining() < size)
        return std::unexpected(truncated(size, what));
    const auto* begin = reinterpret_cast<const char*>(bytes_.data() + offset_);
    offset_ += size;
    return std::string_view(begin, size);
}

Result<std::string_view> ByteCursor::terminatedText(std::string_view what) {
    const auto* begin = reinterpret_cast<const char*>(bytes_.data() + offset_);
    const auto* end =
        remaining() == 0 ? nullptr : static_cast<const char*>(std::memchr(begin, 0, remaining()));
    if (end == nullptr)
        return std::unexpected(
            error(ErrorCode::Truncated,
                  fmt::format("expected {}, which ends with a zero byte; none follows", what)));
    const auto size = static_cast<std::uint64_t>(end - begin);
    offset_ += size + 1;
    return std::string_view(begin, size);
}

Result<void> ByteCursor::expect(std::string_view literal, std::string_view what) {
    const std::uint64_t begin = offset_;
    if (TRY(text(literal.size(), what)) == literal)
        return {};
    offset_ = begin;
    return std::unexpected(error(ErrorCode::Corrupt, fmt::format("expected {}", what)));
}

Result<void> ByteCursor::seek(std::uint64_t offset, std::string_view what) {
    if (offset > bytes_.size())
        return std::unexpected(
            error(ErrorCode::Truncated, fmt::format("expected {} at offset {}, the {} has {} bytes",
                                                    what, offset, container_, bytes_.size())));
    offset_ = offset;
    return {};
}

} // namespace inversight
