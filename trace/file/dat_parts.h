// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/byte_writer.h"
#include "trace/file/trace_metadata.h"

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

/// What the writers of both versions put into a file, part by part; dat_sections is the other side.
namespace inversight {

/// Appends numbers and texts in the file's byte order.
class FileBytes {
public:
    explicit FileBytes(ByteOrder order) : order_(order) {}

    template <std::integral Integer>
    void number(Integer value) {
        appendInteger(bytes_, value, order_);
    }
    void text(std::string_view text) { bytes_.append(text); }
    void terminated(std::string_view text) {
        bytes_.append(text);
        bytes_.push_back('\0');
    }
    template <class Size>
    void sized(std::string_view text) {
        assert(text.size() <= std::numeric_limits<Size>::max());
        number(static_cast<Size>(text.size()));
        bytes_.append(text);
    }
    /// An option as it is in both versions.
    void option(std::uint16_t id, std::string_view content) {
        number(id);
        sized<std::uint32_t>(content);
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    ByteOrder order_;
    std::string bytes_;
};

[[nodiscard]] inline ByteOrder byteOrder(const TraceMetadata& metadata) {
    return metadata.bigEndian ? ByteOrder::Big : ByteOrder::Little;
}

/// Magic, version, byte order, size of a long, page size.
void appendDatHead(FileBytes& bytes, int version, const TraceMetadata& metadata);

/// A part whose bytes are the same in both versions.
struct DatPart {
    std::uint16_t section; ///< its number in version 7
    void (*append)(FileBytes& bytes, const TraceMetadata& metadata);
};
/// In the order they have in version 6.
[[nodiscard]] std::span<const DatPart> datParts();

/// The options that say something, without those that lead to places in the file.
void appendPlainOptions(FileBytes& bytes, const TraceMetadata& metadata);

} // namespace inversight
