// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Pages batch by batch, and records found again by their reference.
#include "trace/file/page_stream.h"

#include "dat7_bytes.h"

#include <algorithm>
#include <gmock/gmock.h>

#include <thread>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Pages of four bytes' records that say their page's number.
std::string numberedPages(std::size_t count, const PageLayout& layout = {}) {
    std::string bytes;
    for (std::size_t index = 0; index < count; ++index)
        bytes +=
            PageBytes(index, layout).head(1, 0).word(static_cast<std::uint32_t>(index)).build();
    return bytes;
}

Result<DatFile> readAsDat(const std::string& bytes) {
    return readDat(RecordStore::fromBytes(bytes, "FILE"));
}

std::string fileOf(const std::string& compression, const std::string& pages,
                   std::uint32_t pageSize = 4096, std::size_t chunkSize = 40960) {
    Dat7Bytes dat({.compression = compression});
    dat.standardHead();
    dat.buffer("", "mono", {{0, pages}}, pageSize, chunkSize);
    dat.options();
    return dat.build();
}

std::string text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::uint64_t> batchSizes(const DatFile& file) {
    const DatBuffer& buffer = file.buffers[0];
    const PageStream stream(*file.records, buffer.layout, buffer.cpus[0]);
    std::vector<std::uint64_t> sizes;
    for (std::size_t index = 0; index < stream.batchCount(); ++index)
        sizes.push_back(stream.batchSize(index));
    return sizes;
}

class Packed : public testing::TestWithParam<const char*> {};

TEST_P(Packed, BatchesInAnyOrderAreThePages) {
    const std::string plain = numberedPages(25);
    const auto file = readAsDat(fileOf(GetParam(), plain));
    ASSERT_TRUE(file) << file.error().sentence();
    const DatBuffer& buffer = file->buffers[0];
    PageStream stream(*file->records, buffer.layout, buffer.cpus[0]);
    std::string found(plain.size(), '?');
    for (std::size_t index = stream.batchCount(); index-- > 0;) {
        const auto batch = stream.batch(index);
        ASSERT_TRUE(batch) << batch.error().sentence();
        EXPECT_EQ(batch->pages.size(), stream.batchSize(index));
        found.replace(batch->offset - buffer.cpus[0].offset, batch->pages.size(),
                      text(batch->pages));
    }
    EXPECT_EQ(found, plain);
}

TEST_P(Packed, RecordsAreFoundAgain) {
    const auto file = readAsDat(fileOf(GetParam(), numberedPages(40)));
    ASSERT_TRUE(file);
    for (std::size_t index = 0; index < 40; ++index) {
        const std::uint64_t offset = file->buffers[0].cpus[0].offset + 4096 * index + 16;
        const auto record = file->records->record(ByteOrder::Little, offset);
        ASSERT_TRUE(record) << record.error().sentence();
        EXPECT_EQ(text(record->data), ByteBuilder().u32(static_cast<std::uint32_t>(index)).bytes());
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Packed, testing::Values("none", "zlib", "zstd"),
                         [](const auto& info) { return std::string(info.param); });

TEST(PageStream, PlainPagesComeInSlices) {
    const auto file = readAsDat(fileOf("none", numberedPages(150)));
    ASSERT_TRUE(file);
    EXPECT_THAT(batchSizes(*file), ElementsAre(1 << 18, 1 << 18, 22 * 4096));
    const DatBuffer& buffer = file->buffers[0];
    PageStream stream(*file->records, buffer.layout, buffer.cpus[0]);
    const auto batch = stream.batch(1);
    ASSERT_TRUE(batch);
    EXPECT_TRUE(
        std::ranges::equal(batch->pages, file->records->bytes().subspan(batch->offset, 1 << 18)));
}

TEST(PageStream, ABatchEndsWhereAPageEnds) {
    PageLayout large;
    large.pageSize = 16384;
    const auto file =
        readAsDat(fileOf("zstd", numberedPages(5, large), 16384, 40960)); // 2.5 pages a chunk
    ASSERT_TRUE(file);
    EXPECT_THAT(batchSizes(*file), ElementsAre(5 * 16384));
    const auto aligned = readAsDat(fileOf("zstd", numberedPages(5, large), 16384, 8192));
    ASSERT_TRUE(aligned);
    EXPECT_THAT(batchSizes(*aligned), ElementsAre(16384, 16384, 16384, 16384, 16384));
}

TEST(PageStream, ARestThatIsNoPageIsLeftOut) {
    const auto file = readAsDat(fileOf("zlib", numberedPages(3) + "rest", 4096, 4096));
    ASSERT_TRUE(file);
    EXPECT_THAT(batchSizes(*file), ElementsAre(4096, 4096, 4096));
    EXPECT_THAT(file->warnings, ElementsAre("CPU 0: the last 4 bytes are no whole page; 3 whole "
                                            "pages were read"));
    EXPECT_FALSE(file->complete);
}

TEST(PageStream, OneDamagedChunkDoesNotConcernTheOthers) {
    std::string bytes = fileOf("zstd", numberedPages(4), 4096, 4096);
    const std::size_t first = bytes.find("\x28\xb5\x2f\xfd", 4096);
    const std::size_t second = bytes.find("\x28\xb5\x2f\xfd", first + 1);
    bytes[second] = 'x';
    const auto file = readAsDat(bytes);
    ASSERT_TRUE(file);
    const DatBuffer& buffer = file->buffers[0];
    PageStream stream(*file->records, buffer.layout, buffer.cpus[0]);
    ASSERT_EQ(stream.batchCount(), 4u);
    EXPECT_TRUE(stream.batch(0));
    const auto damaged = stream.batch(1);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(damaged.error().where, "chunk at offset " + std::to_string(second));
    EXPECT_TRUE(stream.batch(2));
    EXPECT_FALSE(file->records->record(ByteOrder::Little, buffer.cpus[0].offset + 4096 + 16));
    EXPECT_TRUE(file->records->record(ByteOrder::Little, buffer.cpus[0].offset + 2 * 4096 + 16));
}

TEST(ChunkTable, WhatIsClaimedButNotThereIsAProblem) {
    const auto read = [](const std::string& bytes, std::uint64_t size) {
        return ChunkTable::read(std::as_bytes(std::span(bytes.data(), bytes.size())),
                                {ByteOrder::Little, 0, size, 4096}, Compression::Zstd);
    };
    EXPECT_THAT(read("", 100).problem(), HasSubstr("expected the number of chunks (4 bytes)"));
    EXPECT_THAT(read(ByteBuilder().u32(0xffffffff).bytes(), 100).problem(),
                HasSubstr("expected a chunk's compressed size (4 bytes), the file has 0 left"));
    EXPECT_THAT(read(ByteBuilder().u32(1).u32(5).u32(4096).text("zstd").bytes(), 100).problem(),
                HasSubstr("expected a chunk's bytes (5 bytes), the file has 4 left"));
    EXPECT_THAT(read(ByteBuilder().u32(1).u32(4).u32(2 << 20).text("zstd").bytes(), 100).problem(),
                HasSubstr("expected a chunk of 4 bytes to hold 1 to 1048576 bytes, it claims "
                          "2097152"));
    EXPECT_THAT(read(ByteBuilder().u32(1).u32(4).u32(0).text("zstd").bytes(), 100).problem(),
                HasSubstr("it claims 0"));
    ByteBuilder bombs; // each chunk is believed, all together are not
    bombs.u32(1000);
    for (int index = 0; index < 1000; ++index)
        bombs.u32(4).u32(1 << 20).text("zstd");
    const ChunkTable table = read(bombs.bytes(), bombs.bytes().size());
    EXPECT_THAT(table.problem(), HasSubstr("expected at most 4096 times as many bytes"));
    EXPECT_LE(table.batches().size(), 3u);
    ByteBuilder odd; // no chunk ends where a page does
    odd.u32(40);
    for (int index = 0; index < 40; ++index)
        odd.u32(16384).u32((1 << 20) - 1).text(std::string(16384, 'x'));
    EXPECT_THAT(read(odd.bytes(), odd.bytes().size()).problem(),
                HasSubstr("expected a chunk that ends at the end of a page of 4096 bytes"));
}

TEST(ChunkCache, KeepsWhatItGaveAwayAndForgetsTheOldest) {
    constexpr std::size_t kChunks = 24; // of 1 MiB: more than the cache keeps
    const Dat7Bytes packer({.compression = "zlib"});
    std::string plain(kChunks << 20, '\0');
    for (std::size_t index = 0; index < plain.size(); index += 64)
        plain[index] = static_cast<char>(index * 2654435761U >> 13);
    const std::string bytes = packer.chunks(plain, 1 << 20);
    const auto span = std::as_bytes(std::span(bytes.data(), bytes.size()));
    auto table = std::make_shared<const ChunkTable>(
        ChunkTable::read(span, {ByteOrder::Little, 0, bytes.size(), 4096}, Compression::Zlib));
    ASSERT_EQ(table->problem(), "");
    ChunkCache cache(span);
    const std::uint64_t begin = cache.add(table);
    EXPECT_GE(begin, bytes.size());
    const auto first = cache.at(begin + 5);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->offset, 5u);
    const auto scan = [&](std::size_t step) {
        for (std::size_t index = 0; index < plain.size(); index += step) {
            const auto found = cache.at(begin + index);
            ASSERT_TRUE(found);
            ASSERT_EQ(std::to_integer<char>((*found->bytes)[found->offset]), plain[index]);
        }
    };
    std::vector<std::jthread> threads;
    for (const std::size_t step : {std::size_t{300007}, std::size_t{500009}, std::size_t{700001}})
        threads.emplace_back(scan, step);
    threads.clear();
    EXPECT_EQ(std::to_integer<char>((*first->bytes)[0]), plain[0]); // long forgotten, still there
    EXPECT_FALSE(cache.at(begin - 1));
    EXPECT_FALSE(cache.at(begin + plain.size()));
}

} // namespace

} // namespace inversight::test
