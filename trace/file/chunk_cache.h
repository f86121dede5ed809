// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "trace/file/chunk_table.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace inversight {

/// Gives every byte of compressed trace data an address behind the file's own offsets, and finds
/// the bytes at an address again. Keeps the batches used last, at most kMostBytes of them (or one).
/// Thread-safe.
class ChunkCache {
public:
    static constexpr std::size_t kMostBytes = 16 << 20;

    explicit ChunkCache(std::span<const std::byte> file);

    /// The address of the table's first byte; the others follow.
    [[nodiscard]] std::uint64_t add(std::shared_ptr<const ChunkTable> table);

    struct Found {
        std::shared_ptr<const std::vector<std::byte>> bytes; ///< whole pages
        std::uint64_t offset = 0;                            ///< of the address in them
    };
    /// Corrupt if there is nothing at that address or its chunk is damaged.
    [[nodiscard]] Result<Found> at(std::uint64_t address);

private:
    struct Table {
        std::uint64_t begin = 0;
        std::shared_ptr<const ChunkTable> chunks;
    };
    using Key = std::pair<std::size_t, std::size_t>; ///< table, batch
    struct Entry {
        Key key;
        std::shared_ptr<const std::vector<std::byte>> bytes;
    };
    using Bytes = std::shared_ptr<const std::vector<std::byte>>;

    [[nodiscard]] std::optional<std::size_t> tableAt(std::uint64_t address) const
        INVERSIGHT_REQUIRES(mutex_);
    [[nodiscard]] Result<Bytes> batch(Key key) INVERSIGHT_REQUIRES(mutex_);
    void keep(Key key, Bytes bytes) INVERSIGHT_REQUIRES(mutex_);

    std::span<const std::byte> file_;
    Mutex mutex_;
    std::uint64_t end_ INVERSIGHT_GUARDED_BY(mutex_);
    std::vector<Table> tables_ INVERSIGHT_GUARDED_BY(mutex_);
    std::list<Entry> entries_ INVERSIGHT_GUARDED_BY(mutex_); ///< the last used first
    std::size_t bytes_ INVERSIGHT_GUARDED_BY(mutex_) = 0;
};

} // namespace inversight
