// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/section_loader.h"

#include <fmt/format.h>

#include <algorithm>

namespace inversight {

namespace {

Error at(const SectionHead& head, ErrorCode code, std::string what) {
    return {code, fmt::format("section {}: {}", head.id, what),
            fmt::format("offset {}", head.contentOffset)};
}

} // namespace

Result<SectionHead> SectionLoader::head(std::uint64_t offset) const {
    constexpr std::uint16_t kCompressed = 1;
    ByteCursor cursor(file_.records->bytes(), file_.order);
    cursor.enter("section head");
    TRY(cursor.seek(offset, "a section"));
    SectionHead head;
    head.id = TRY(cursor.u16("a section's number"));
    head.compressed = (TRY(cursor.u16("a section's flags")) & kCompressed) != 0;
    TRY(cursor.u32("a section's description")); // in the strings section, for people with hexdump
    head.size = TRY(cursor.u64("a section's size"));
    head.contentOffset = cursor.offset();
    return head;
}

Result<std::span<std::byte>> SectionLoader::allocate(const SectionHead& head, std::uint64_t size,
                                                     std::uint64_t compressedSize) {
    unpackedSize_ += size;
    if (size > mostUncompressed(compressedSize) ||
        unpackedSize_ > mostUncompressed(file_.records->bytes().size()))
        return std::unexpected(
            at(head, ErrorCode::Corrupt,
               fmt::format("expected {} compressed bytes to hold at most {}, they claim {}",
                           compressedSize, mostUncompressed(compressedSize), size)));
    auto bytes = std::make_shared<std::vector<std::byte>>(size);
    file_.unpacked.push_back(bytes);
    return std::span(*bytes);
}

Result<ByteCursor> SectionLoader::content(const SectionHead& head) {
    const auto file = file_.records->bytes();
    const std::uint64_t present =
        std::min(head.size, file.size() - std::min<std::uint64_t>(head.contentOffset, file.size()));
    ByteCursor cursor(file.first(head.contentOffset + present), file_.order);
    cursor.setContainer("section");
    TRY(cursor.seek(head.contentOffset, "a section's content"));
    if (!head.compressed)
        return cursor;
    cursor.enter("compressed section");
    const std::uint32_t compressedSize = TRY(cursor.u32("the compressed size"));
    const std::uint32_t size = TRY(cursor.u32("the uncompressed size"));
    const std::string_view from = TRY(cursor.text(compressedSize, "the compressed bytes"));
    const std::span<std::byte> to = TRY(allocate(head, size, compressedSize));
    const Result<void> result =
        decompressor_.run(std::as_bytes(std::span(from.data(), from.size())), to);
    if (!result)
        return std::unexpected(at(head, result.error().code, result.error().what));
    ByteCursor unpacked(to, file_.order);
    unpacked.setContainer("unpacked section");
    return unpacked;
}

Result<std::string_view> SectionLoader::chunkedText(const SectionHead& head) {
    const auto file = file_.records->bytes();
    // A text has no pages: any chunk ends well.
    const ChunkTable::Place place{file_.order, head.contentOffset, head.size, 1};
    const ChunkTable table = ChunkTable::read(file, place, decompressor_.kind());
    if (!table.problem().empty())
        return std::unexpected(at(head, ErrorCode::Truncated, table.problem()));
    const std::span<std::byte> text = TRY(allocate(head, table.size(), head.size));
    std::vector<std::byte> scratch;
    for (std::size_t batch = 0; batch < table.batches().size(); ++batch) {
        const auto bytes = TRY(table.unpack(file, batch, decompressor_, scratch));
        std::ranges::copy(bytes, text.begin() +
                                     static_cast<std::ptrdiff_t>(table.batches()[batch].offset));
    }
    return std::string_view(reinterpret_cast<const char*>(text.data()), text.size());
}

} // namespace inversight
