// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/whole_file_compression.h"

#include "core/base/unique_fd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <lzma.h>
#include <string_view>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace inversight {

namespace {

constexpr std::string_view kAtraceHead = "TRACE:\n";
constexpr std::size_t kChunk = std::size_t{1} << 20;

std::string_view asText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<UniqueFd> openUnlinked() {
    std::error_code ignored;
    const std::string folder = std::filesystem::temp_directory_path(ignored).string();
    if (auto fd = UniqueFd::open(folder, O_TMPFILE | O_RDWR, 0600))
        return fd;
    std::string name = folder + "/inversight-XXXXXX"; // a file system without O_TMPFILE
    UniqueFd fd(mkostemp(name.data(), O_CLOEXEC));
    if (!fd)
        return std::unexpected(
            Error::fromErrno(errno, "cannot make a temporary file to unpack into", folder));
    std::filesystem::remove(name, ignored);
    return fd;
}

/// Takes the unpacked bytes: checks the limits, reports, writes. Thread-bound.
class SpoolWriter {
public:
    SpoolWriter(const RecordStore& packed, const JobContext& job, const UnpackLimits& limits,
                UniqueFd fd)
        : packed_(packed), job_(job), limits_(limits), fd_(std::move(fd)) {}

    Result<void> write(std::span<const std::byte> bytes, std::size_t packedDone) {
        size_ += bytes.size();
        TRY(checkLimits());
        TRY(job_.check("unpacking"));
        job_.report({"unpacking", packedDone, packed_.bytes().size()});
        return writeAll(fd_.get(), bytes,
                        "the temporary file " + packed_.path() + " is unpacked into");
    }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    Result<std::shared_ptr<const RecordStore>> finish() && {
        return RecordStore::fromFile(std::move(fd_), packed_.path());
    }

private:
    Result<void> checkLimits() const {
        const bool swollen =
            size_ > limits_.freeBytes && size_ / limits_.ratio > packed_.bytes().size();
        if (!swollen && size_ <= limits_.mostBytes)
            return {};
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("the compressed file has {} bytes and unpacks to more than {}, "
                              "beyond what a trace does (the limits are {} times its size and {} "
                              "bytes)",
                              packed_.bytes().size(), size_, limits_.ratio, limits_.mostBytes),
                  packed_.path(), "if it is a trace, unpack it by hand and open that"});
    }

    const RecordStore& packed_;
    const JobContext& job_;
    const UnpackLimits& limits_;
    UniqueFd fd_;
    std::uint64_t size_ = 0;
};

Error damageAt(ErrorCode code, std::string_view what, std::size_t offset,
               const RecordStore& packed) {
    return Error{code,
                 fmt::format("the compressed file is {} at offset {}; what comes before is shown",
                             what, offset),
                 packed.path()};
}

/// Owns zlib's state. It recognises gzip and zlib by itself.
class Inflater {
public:
    Inflater() {
        constexpr int kAnyHeader = 15 + 32;
        ready_ = inflateInit2(&stream_, kAnyHeader) == Z_OK;
    }
    ~Inflater() {
        if (ready_)
            inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] z_stream& stream() { return stream_; }

private:
    z_stream stream_ = {};
    bool ready_ = false;
};

/// Unpacks from `offset` on; several gzip members behind each other are one file.
Result<std::optional<Error>> inflateAll(const RecordStore& packed, std::size_t offset,
                                        SpoolWriter& writer) {
    const std::span<const std::byte> bytes = packed.bytes();
    Inflater inflater;
    if (!inflater.ready())
        return std::unexpected(Error{ErrorCode::Io, "zlib has no memory", packed.path()});
    z_stream& stream = inflater.stream();
    std::vector<std::byte> out(kChunk);
    while (true) {
        if (stream.avail_in == 0) {
            const std::size_t size = std::min(kChunk, bytes.size() - offset);
            stream.next_in =
                const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + offset));
            stream.avail_in = static_cast<uInt>(size);
            offset += size;
        }
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        const int status = inflate(&stream, Z_NO_FLUSH);
        const std::size_t done = offset - stream.avail_in;
        TRY(writer.write(std::span(out).first(out.size() - stream.avail_out), done));
        if (status == Z_STREAM_END) {
            const bool another = bytes.size() - done > 1 && bytes[done] == std::byte{0x1f} &&
                                 bytes[done + 1] == std::byte{0x8b};
            if (!another)
                return std::nullopt;
            inflateReset(&stream);
        } else if (status == Z_BUF_ERROR && done == bytes.size()) {
            return damageAt(ErrorCode::Truncated, "cut short", done, packed);
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return damageAt(ErrorCode::Corrupt, "damaged", done, packed);
        }
    }
}

Result<std::optional<Error>> unzstdAll(const RecordStore& packed, SpoolWriter& writer) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                       ZSTD_freeDCtx);
    if (!context)
        return std::unexpected(Error{ErrorCode::Io, "zstd has no memory", packed.path()});
    const std::span<const std::byte> bytes = packed.bytes();
    std::vector<std::byte> out(kChunk);
    constexpr std::size_t kInput = std::size_t{64} << 10; // a frame given whole fails as a whole
    std::size_t done = 0;
    std::size_t expected = 1; // 0: at the end of a frame, with nothing held back
    while (true) {
        const std::size_t upTo = std::min(bytes.size(), done + kInput);
        ZSTD_inBuffer input{bytes.data(), upTo, done};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        expected = ZSTD_decompressStream(context.get(), &output, &input);
        const bool stuck = input.pos == done && output.pos == 0;
        done = input.pos;
        TRY(writer.write(std::span(out).first(output.pos), done));
        if (ZSTD_isError(expected) != 0)
            return damageAt(ErrorCode::Corrupt,
                            fmt::format("damaged ({})", ZSTD_getErrorName(expected)), done, packed);
        if (done == bytes.size() && (expected == 0 || stuck))
            break;
    }
    if (expected != 0)
        return damageAt(ErrorCode::Truncated, "cut short", done, packed);
    return std::nullopt;
}

/// Owns liblzma's state.
class XzDecoder {
public:
    XzDecoder() {
        // xz -9 needs 65 MiB; a file that claims a larger dictionary is none of a trace.
        constexpr std::uint64_t kMostMemory = std::uint64_t{128} << 20;
        ready_ = lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) == LZMA_OK;
    }
    ~XzDecoder() { lzma_end(&stream_); }
    XzDecoder(const XzDecoder&) = delete;
    XzDecoder& operator=(const XzDecoder&) = delete;

    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] lzma_stream& stream() { return stream_; }

private:
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool ready_ = false;
};

Result<std::optional<Error>> unxzAll(const RecordStore& packed, SpoolWriter& writer) {
    const std::span<const std::byte> bytes = packed.bytes();
    XzDecoder decoder;
    if (!decoder.ready())
        return std::unexpected(Error{ErrorCode::Io, "xz has no memory", packed.path()});
    lzma_stream& stream = decoder.stream();
    std::vector<std::byte> out(kChunk);
    stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream.avail_in = bytes.size();
    while (true) {
        stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        stream.avail_out = out.size();
        const lzma_ret status = lzma_code(&stream, LZMA_FINISH);
        const std::size_t done = bytes.size() - stream.avail_in;
        TRY(writer.write(std::span(out).first(out.size() - stream.avail_out), done));
        if (status == LZMA_STREAM_END)
            return std::nullopt;
        if (status == LZMA_MEMLIMIT_ERROR)
            return std::unexpected(Error{ErrorCode::Unsupported,
                                         "the file needs more memory to unpack than xz -9 uses",
                                         packed.path(), "unpack it by hand and open that"});
        if (status == LZMA_BUF_ERROR)
            return damageAt(ErrorCode::Truncated, "cut short", done, packed);
        if (status != LZMA_OK)
            return damageAt(ErrorCode::Corrupt, "damaged", done, packed);
    }
}

Result<std::optional<Error>> gunzipAll(const RecordStore& packed, SpoolWriter& writer) {
    return inflateAll(packed, 0, writer);
}

Result<std::optional<Error>> inflateAtrace(const RecordStore& packed, SpoolWriter& writer) {
    return inflateAll(packed, kAtraceHead.size(), writer);
}

/// A way to compress a whole file.
struct WholeFormat {
    WholeCompression compression;
    const char* name;
    std::string_view begin; ///< the first bytes of its files
    Result<std::optional<Error>> (*unpack)(const RecordStore& packed, SpoolWriter& writer);
};
constexpr WholeFormat kWholeFormats[] = {
    {WholeCompression::Gzip, "gzip", "\x1f\x8b", &gunzipAll},
    {WholeCompression::Zstd, "zstd", "\x28\xb5\x2f\xfd", &unzstdAll},
    {WholeCompression::Xz,
     "xz",
     {"\xfd"
      "7zXZ\0",
      6},
     &unxzAll},
    {WholeCompression::Atrace, "zlib", "TRACE:\n\x78", &inflateAtrace},
};

const WholeFormat* formatOf(WholeCompression compression) {
    const auto row = std::ranges::find(kWholeFormats, compression, &WholeFormat::compression);
    return row == std::end(kWholeFormats) ? nullptr : &*row;
}

} // namespace

WholeCompression wholeCompressionOf(std::span<const std::byte> bytes) {
    const std::string_view text = asText(bytes.first(std::min<std::size_t>(bytes.size(), 16)));
    const auto row = std::ranges::find_if(
        kWholeFormats, [&](const WholeFormat& format) { return text.starts_with(format.begin); });
    return row == std::end(kWholeFormats) ? WholeCompression::None : row->compression;
}

const char* wholeCompressionName(WholeCompression compression) {
    const WholeFormat* format = formatOf(compression);
    return format == nullptr ? "none" : format->name;
}

Result<UnpackedFile> unpackWholeFile(const RecordStore& packed, const JobContext& job,
                                     const UnpackLimits& limits) {
    TRY(packed.checkSize());
    const WholeFormat* format = formatOf(wholeCompressionOf(packed.bytes()));
    assert(format != nullptr);
    SpoolWriter writer(packed, job, limits, TRY(openUnlinked()));
    std::optional<Error> damage = TRY(format->unpack(packed, writer));
    if (damage && writer.size() == 0)
        return std::unexpected(*std::move(damage));
    return UnpackedFile{TRY(std::move(writer).finish()), std::move(damage)};
}

} // namespace inversight
