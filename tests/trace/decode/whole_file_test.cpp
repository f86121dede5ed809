// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Files that are compressed as a whole.
#include "text_samples.h"
#include "trace/file/whole_file_compression.h"
#include "trace_files.h"

#include <gmock/gmock.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

namespace inversight::test {

namespace {

std::string zipped(const std::string& text, int windowBits = 15 + 16) {
    z_stream stream = {};
    deflateInit2(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string zstd(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                       ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1); // as the zstd command does
    out.resize(ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size()));
    return out;
}

std::string xz(const std::string& text, std::uint32_t preset = 6) {
    std::string out(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t size = 0;
    EXPECT_EQ(lzma_easy_buffer_encode(preset, LZMA_CHECK_CRC64, nullptr,
                                      reinterpret_cast<const std::uint8_t*>(text.data()),
                                      text.size(), reinterpret_cast<std::uint8_t*>(out.data()),
                                      &size, out.size()),
              LZMA_OK);
    out.resize(size);
    return out;
}

std::string manyLines() {
    std::string text = "# tracer: nop\n";
    for (int index = 0; index < 40000; ++index)
        text += "   a-" + std::to_string(index % 7 + 1) + " [000] ..... " + std::to_string(index) +
                ".000000: x: " + std::to_string(index * 7919) + "\n";
    return text;
}

Result<UnpackedFile> unpack(const std::string& bytes, const UnpackLimits& limits = {}) {
    return unpackWholeFile(*RecordStore::fromBytes(bytes, "packed"), {}, limits);
}

TEST(WholeFile, GzipZstdAndXzTextsOpen) {
    const std::string text = manyLines();
    for (const auto& [bytes, name] :
         {std::pair{zipped(text), "gzip"}, {zstd(text), "zstd"}, {xz(text), "xz"}}) {
        const auto loaded = loadText(bytes);
        EXPECT_EQ(loaded->count(0), 40000U) << name;
        EXPECT_EQ(loaded->info.compression, name);
        EXPECT_EQ(loaded->info.format, "ftrace text");
        EXPECT_THAT(loaded->report.warnings, testing::IsEmpty());
    }
}

TEST(WholeFile, MembersAndFramesBehindEachOther) {
    const std::string one = "  a-1 [000] 1.0: x: y\n";
    EXPECT_EQ(loadText(zipped(one) + zipped(one))->count(0), 2U);
    EXPECT_EQ(loadText(zstd(one) + zstd(one))->count(0), 2U);
    EXPECT_EQ(loadText(xz(one) + xz(one))->count(0), 2U);
}

TEST(WholeFile, AtraceWritesZlibBehindAHeading) {
    EXPECT_EQ(
        loadText("TRACE:\n" + zipped("# tracer: nop\n  a-1 [000] .... 1.0: x: y\n", 15))->count(0),
        1U);
}

TEST(WholeFile, TraceDatOpens) {
    const std::string path = std::string(INVERSIGHT_TEST_DATA) + "/i2c-bus-2009-rt_mutex.dat";
    const auto plain = loadTextFile(path);
    const auto packed = loadText(zipped(readBytes(path)));
    EXPECT_EQ(packed->info.format, "trace.dat");
    EXPECT_EQ(packed->info.compression, "gzip");
    EXPECT_GT(packed->sink.eventCount(), 0U);
    EXPECT_EQ(packed->sink.eventCount(), plain->sink.eventCount());
}

TEST(WholeFile, CutOnesKeepWhatCanBeUnpacked) {
    const std::string text = manyLines();
    for (const std::string& bytes : {zipped(text), zstd(text), xz(text)}) {
        const auto loaded = loadText(bytes.substr(0, bytes.size() * 3 / 4));
        EXPECT_FALSE(loaded->report.complete);
        EXPECT_GT(loaded->count(0), 10000U);
        EXPECT_LT(loaded->count(0), 40000U);
        ASSERT_FALSE(loaded->report.warnings.empty());
        EXPECT_THAT(loaded->report.warnings.front(), testing::HasSubstr("cut short at offset"));
    }
}

TEST(WholeFile, DamagedOnesKeepWhatComesBefore) {
    for (std::string bytes : {zipped(manyLines()), zstd(manyLines()), xz(manyLines())}) {
        for (std::size_t index = bytes.size() / 2; index < bytes.size() / 2 + 64; ++index)
            bytes[index] = '\xff';
        const auto unpacked = unpack(bytes);
        ASSERT_TRUE(unpacked) << unpacked.error().sentence();
        ASSERT_TRUE(unpacked->damage);
        EXPECT_EQ(unpacked->damage->code, ErrorCode::Corrupt);
    }
    EXPECT_EQ(unpack("\x1f\x8bnonsense").error().code, ErrorCode::Corrupt);
}

TEST(WholeFile, BombsAreRefused) {
    const std::string zeros(std::size_t{8} << 20, '\0');
    const UnpackLimits limits{.freeBytes = 1 << 20, .ratio = 100, .mostBytes = 1 << 30};
    for (const std::string& bytes : {zipped(zeros), zstd(zeros), xz(zeros)}) {
        const auto unpacked = unpack(bytes, limits);
        ASSERT_FALSE(unpacked);
        EXPECT_EQ(unpacked.error().code, ErrorCode::Unsupported);
        EXPECT_THAT(unpacked.error().what, testing::HasSubstr("limits are 100 times"));
        EXPECT_FALSE(unpack(bytes, {.mostBytes = 4 << 20}));
        EXPECT_TRUE(unpack(bytes));
    }
}

/// A dictionary of 1.5 GiB is only a number in the file's head, but would be allocated.
TEST(WholeFile, XzThatWantsTooMuchMemoryIsRefused) {
    std::string bytes = xz("  a-1 [000] 1.0: x: y\n", 9);
    EXPECT_TRUE(unpack(bytes));
    constexpr std::size_t kBlock = 12; // behind the stream's head; its first byte is its size
    const std::size_t size = (static_cast<unsigned char>(bytes[kBlock]) + 1U) * 4;
    const std::size_t filter = bytes.find("\x21\x01", kBlock); // LZMA2, a byte of properties
    ASSERT_LT(filter, kBlock + size);
    bytes[filter + 2] = 39; // 3 GiB
    const auto* head = reinterpret_cast<const std::uint8_t*>(bytes.data() + kBlock);
    const std::uint32_t sum = lzma_crc32(head, size - 4, 0);
    for (std::size_t index = 0; index < 4; ++index)
        bytes[kBlock + size - 4 + index] = static_cast<char>(sum >> (8 * index));
    const auto unpacked = unpack(bytes);
    ASSERT_FALSE(unpacked);
    EXPECT_EQ(unpacked.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(unpacked.error().what, testing::HasSubstr("more memory to unpack than xz -9"));
}

TEST(WholeFile, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const auto unpacked = unpackWholeFile(*RecordStore::fromBytes(zipped(manyLines()), "packed"),
                                          JobContext(stop.get_token()));
    EXPECT_EQ(unpacked.error().code, ErrorCode::Cancelled);
}

} // namespace

} // namespace inversight::test
