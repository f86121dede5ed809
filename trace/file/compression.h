// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

struct ZSTD_DCtx_s;

namespace inversight {

/// How a version 7 trace.dat packs its sections and its trace data.
enum class Compression : std::uint8_t { None, Zlib, Zstd };

/// By the name in the file's head; Unsupported says which it is and which can be read.
[[nodiscard]] Result<Compression> compressionByName(std::string_view name);
/// What a file's head says: the name, and the version of the library that packs.
[[nodiscard]] std::string_view compressionName(Compression kind);
[[nodiscard]] std::string_view compressionVersion(Compression kind);

/// The most bytes that are believed to come out of `compressedSize` bytes: 64 times as many, or 1
/// MiB. What trace-cmd writes at once is far below either: ten pages of trace data, whose tail may
/// be all zeros, or a text that shrinks to a tenth. A file that claims more is damaged or hostile,
/// and is refused before anything is allocated for it.
[[nodiscard]] std::uint64_t mostUncompressed(std::uint64_t compressedSize);

/// Unpacks blocks of one kind. Thread-bound; keep one, its working memory is used again.
class Decompressor {
public:
    explicit Decompressor(Compression kind);

    [[nodiscard]] Compression kind() const { return kind_; }

    /// Fills `to` exactly; Corrupt if the block is damaged or holds another number of bytes.
    [[nodiscard]] Result<void> run(std::span<const std::byte> from, std::span<std::byte> to);

private:
    struct Free {
        void operator()(ZSTD_DCtx_s* context) const;
    };
    [[nodiscard]] bool unpack(std::span<const std::byte> from, std::span<std::byte> to);

    Compression kind_;
    std::unique_ptr<ZSTD_DCtx_s, Free> zstd_;
};

/// Packs a block; the same bytes give the same block. Reentrant.
[[nodiscard]] Result<std::vector<std::byte>> packBlock(Compression kind,
                                                       std::span<const std::byte> from);

} // namespace inversight
