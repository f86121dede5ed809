// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_cursor.h"
#include "trace/file/dat_file.h"

#include <cstdint>

namespace inversight {

/// The head of a version 7 section.
struct SectionHead {
    std::uint16_t id = 0;
    bool compressed = false;
    std::uint64_t contentOffset = 0; ///< in the file
    std::uint64_t size = 0;          ///< of the content in the file
};

/// Finds version 7 sections and unpacks compressed ones into `file.unpacked`. All that is unpacked
/// together stays below mostUncompressed() of the file's size. Thread-bound.
class SectionLoader {
public:
    SectionLoader(DatFile& file, Compression compression)
        : file_(file), decompressor_(compression) {}

    /// The head at an offset of the file; its content may reach behind the file's end.
    [[nodiscard]] Result<SectionHead> head(std::uint64_t offset) const;

    /// A cursor over the section's content alone, unpacked where it is compressed.
    [[nodiscard]] Result<ByteCursor> content(const SectionHead& head);

    /// The text of a section that is compressed in chunks, as trace data is.
    [[nodiscard]] Result<std::string_view> chunkedText(const SectionHead& head);

private:
    [[nodiscard]] Result<std::span<std::byte>> allocate(const SectionHead& head, std::uint64_t size,
                                                        std::uint64_t compressedSize);

    DatFile& file_;
    Decompressor decompressor_;
    std::uint64_t unpackedSize_ = 0;
};

} // namespace inversight
