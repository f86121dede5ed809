// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/byte_order.h"
#include "trace/file/page_layout.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Files and pages by hand, so that a test says every byte that matters.
namespace inversight::test {

/// Appends numbers and texts in one byte order.
class ByteBuilder {
public:
    explicit ByteBuilder(ByteOrder order = ByteOrder::Little) : order_(order) {}

    ByteBuilder& u8(std::uint8_t value) { return number(value); }
    ByteBuilder& u16(std::uint16_t value) { return number(value); }
    ByteBuilder& u32(std::uint32_t value) { return number(value); }
    ByteBuilder& u64(std::uint64_t value) { return number(value); }
    ByteBuilder& text(std::string_view text) {
        bytes_ += text;
        return *this;
    }
    ByteBuilder& padTo(std::size_t size) {
        bytes_.resize(size, '\0');
        return *this;
    }

    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::span<const std::byte> span() const {
        return std::as_bytes(std::span(bytes_.data(), bytes_.size()));
    }

private:
    template <class T>
    ByteBuilder& number(T value) {
        if (order_ != kHostByteOrder)
            value = swapBytes(value);
        return text({reinterpret_cast<const char*>(&value), sizeof value});
    }

    ByteOrder order_;
    std::string bytes_;
};

/// A ring-buffer page by hand.
class PageBytes {
public:
    explicit PageBytes(std::uint64_t time, const PageLayout& layout = {})
        : layout_(layout), time_(time), records_(layout.order) {}

    /// A record's first word.
    PageBytes& head(std::uint32_t kind, std::uint32_t delta) {
        records_.u32(layout_.order == ByteOrder::Big ? kind << 27 | delta : delta << 5 | kind);
        return *this;
    }
    PageBytes& word(std::uint32_t value) {
        records_.u32(value);
        return *this;
    }
    PageBytes& data(std::string_view text) {
        records_.text(text);
        return *this;
    }
    PageBytes& commitFlags(std::uint64_t flags) {
        flags_ = flags;
        return *this;
    }
    /// Says another size than there is.
    PageBytes& commitSize(std::uint64_t size) {
        size_ = static_cast<std::int64_t>(size);
        return *this;
    }
    /// What follows the committed data.
    PageBytes& behind(std::uint64_t count) {
        behind_ = count;
        return *this;
    }
    [[nodiscard]] std::string build() const;

private:
    PageLayout layout_;
    std::uint64_t time_;
    ByteBuilder records_;
    std::uint64_t flags_ = 0;
    std::int64_t size_ = -1;
    std::uint64_t behind_ = 0;
};

/// A version 6 trace.dat by hand. Every part may be replaced.
struct DatBytes {
    struct Cpu {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    struct Option {
        std::uint16_t id = 0;
        std::string content;
    };

    ByteOrder order = ByteOrder::Little;
    std::uint8_t longSize = 8;
    std::string version = "6";
    std::uint32_t pageSize = 4096;
    std::string headerPage = headerPageText(8);
    std::vector<std::string> ftraceFormats;
    std::vector<std::pair<std::string, std::vector<std::string>>> systems;
    std::string savedCmdlines = "7 worker\n";
    std::vector<Option> options;
    std::string tail = std::string("flyrecord\0", 10);
    std::vector<Cpu> cpus;
    std::string clock; ///< as it stands behind the table, with its size; "" = nothing

    static std::string headerPageText(int longSize);
    [[nodiscard]] std::string clockText(const std::string& text) const;
    [[nodiscard]] std::string build() const;
};

} // namespace inversight::test
