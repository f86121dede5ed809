// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/compression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <zlib.h>
#include <zstd.h>

namespace inversight {

namespace {

/// Rows in the order of the enumeration.
struct CompressionRow {
    Compression kind;
    std::string_view name;
};
constexpr CompressionRow kCompressions[] = {
    {Compression::None, "none"}, {Compression::Zlib, "zlib"}, {Compression::Zstd, "zstd"}};

} // namespace

std::string_view compressionName(Compression kind) {
    return kCompressions[static_cast<std::size_t>(kind)].name;
}

std::string_view compressionVersion(Compression kind) {
    switch (kind) {
    case Compression::None:
        break;
    case Compression::Zlib:
        return zlibVersion();
    case Compression::Zstd:
        return ZSTD_versionString();
    }
    return "";
}

Result<Compression> compressionByName(std::string_view name) {
    const auto row = std::ranges::find(kCompressions, name, &CompressionRow::name);
    if (row != std::end(kCompressions))
        return row->kind;
    return std::unexpected(
        Error{ErrorCode::Unsupported,
              fmt::format("the file is compressed with \"{}\"; none, zlib and zstd can be read",
                          name.substr(0, 32))});
}

std::uint64_t mostUncompressed(std::uint64_t compressedSize) {
    constexpr std::uint64_t kMostRatio = 64;
    constexpr std::uint64_t kAlways = 1 << 20;
    return std::max(kAlways, compressedSize * kMostRatio);
}

void Decompressor::Free::operator()(ZSTD_DCtx_s* context) const {
    ZSTD_freeDCtx(context);
}

Decompressor::Decompressor(Compression kind) : kind_(kind) {
    if (kind == Compression::Zstd)
        zstd_.reset(ZSTD_createDCtx());
}

bool Decompressor::unpack(std::span<const std::byte> from, std::span<std::byte> to) {
    switch (kind_) {
    case Compression::None:
        if (from.size() != to.size())
            return false;
        std::ranges::copy(from, to.begin());
        return true;
    case Compression::Zlib: {
        uLongf size = to.size();
        return uncompress(reinterpret_cast<Bytef*>(to.data()), &size,
                          reinterpret_cast<const Bytef*>(from.data()), from.size()) == Z_OK &&
               size == to.size();
    }
    case Compression::Zstd:
        // Straight into the given bytes: a frame's claimed window is never allocated.
        return zstd_ && ZSTD_decompressDCtx(zstd_.get(), to.data(), to.size(), from.data(),
                                            from.size()) == to.size();
    }
    return false;
}

Result<void> Decompressor::run(std::span<const std::byte> from, std::span<std::byte> to) {
    if (unpack(from, to))
        return {};
    return std::unexpected(
        Error{ErrorCode::Corrupt,
              fmt::format("expected {} compressed bytes that hold {}, they are damaged",
                          from.size(), to.size())});
}

Result<std::vector<std::byte>> packBlock(Compression kind, std::span<const std::byte> from) {
    constexpr int kZstdLevel = 3; // its own default
    std::vector<std::byte> packed;
    bool good = true;
    if (kind == Compression::Zlib) {
        uLongf size = compressBound(from.size());
        packed.resize(size);
        good = ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                          reinterpret_cast<const Bytef*>(from.data()), from.size()) == Z_OK;
        packed.resize(size);
    } else if (kind == Compression::Zstd) {
        packed.resize(ZSTD_compressBound(from.size()));
        const std::size_t size =
            ZSTD_compress(packed.data(), packed.size(), from.data(), from.size(), kZstdLevel);
        good = ZSTD_isError(size) == 0;
        packed.resize(good ? size : 0);
    } else {
        packed.assign(from.begin(), from.end());
    }
    if (!good)
        return std::unexpected(
            Error{ErrorCode::Io,
                  fmt::format("cannot pack {} bytes with {}", from.size(), compressionName(kind))});
    return packed;
}

} // namespace inversight
