// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/compression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <zlib.h>
#include <zstd.h>

namespace inversight {

Result<Compression> compressionByName(std::string_view name) {
    if (name == "none")
        return Compression::None;
    if (name == "zlib")
        return Compression::Zlib;
    if (name == "zstd")
        return Compression::Zstd;
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

} // namespace inversight
