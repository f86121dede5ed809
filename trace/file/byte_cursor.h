// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_order.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace inversight {

/// Walks over the bytes of a file, checking every step. Whatever the bytes are, a read yields a
/// value inside them or an error that names the section, the offset and what was expected there;
/// nothing is copied or allocated for a size the bytes claim. Thread-bound; views it returns point
/// into the bytes it was given.
class ByteCursor {
public:
    explicit ByteCursor(std::span<const std::byte> bytes, ByteOrder order = ByteOrder::Little)
        : bytes_(bytes), order_(order) {}

    /// Names what is read from here on; the text must outlive the cursor's use of it.
    void enter(std::string_view section) { section_ = section; }
    /// What the bytes are part of, for the words of an error; the text must outlive the cursor.
    void setContainer(std::string_view container) { container_ = container; }
    void setByteOrder(ByteOrder order) { order_ = order; }

    [[nodiscard]] std::uint64_t offset() const { return offset_; }
    [[nodiscard]] std::uint64_t remaining() const { return bytes_.size() - offset_; }

    /// `what` completes "expected ..." in the error.
    [[nodiscard]] Result<std::uint8_t> u8(std::string_view what) {
        return integer<std::uint8_t>(what);
    }
    [[nodiscard]] Result<std::uint16_t> u16(std::string_view what) {
        return integer<std::uint16_t>(what);
    }
    [[nodiscard]] Result<std::uint32_t> u32(std::string_view what) {
        return integer<std::uint32_t>(what);
    }
    [[nodiscard]] Result<std::uint64_t> u64(std::string_view what) {
        return integer<std::uint64_t>(what);
    }
    /// The next `size` bytes.
    [[nodiscard]] Result<std::string_view> text(std::uint64_t size, std::string_view what);
    /// The bytes up to a NUL, which is skipped.
    [[nodiscard]] Result<std::string_view> terminatedText(std::string_view what);
    /// Fails unless the next bytes are `literal` (which may hold NULs).
    [[nodiscard]] Result<void> expect(std::string_view literal, std::string_view what);
    /// Fails if `offset` lies past the end.
    [[nodiscard]] Result<void> seek(std::uint64_t offset, std::string_view what);

    /// An error at the present offset, in this section.
    [[nodiscard]] Error error(ErrorCode code, std::string_view what) const;

private:
    template <class T>
    [[nodiscard]] Result<T> integer(std::string_view what) {
        if (remaining() < sizeof(T))
            return std::unexpected(truncated(sizeof(T), what));
        const T value = loadInteger<T>(bytes_.data() + offset_, order_);
        offset_ += sizeof(T);
        return value;
    }
    [[nodiscard]] Error truncated(std::uint64_t size, std::string_view what) const;

    std::span<const std::byte> bytes_;
    std::uint64_t offset_ = 0;
    ByteOrder order_;
    std::string_view section_ = "start";
    std::string_view container_ = "file";
};

} // namespace inversight
