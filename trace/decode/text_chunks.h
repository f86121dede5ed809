// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/decode/text_line_reader.h"
#include "trace/file/record_store.h"
#include "trace/model/segment_memory.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace inversight {

/// Some thousand lines: enough to be worth a thread, few enough for what comes of them to stay in a
/// processor's cache.
inline constexpr std::size_t kTextChunkBytes = std::size_t{1} << 20;

/// Cuts a text into chunks of about `bytes` (at least one) that can be read by themselves: each but
/// the first begins with an event's line, which needs nothing of what stands before it. A web page,
/// where that is not so, stays whole. Every byte is in one chunk; an empty text has none.
[[nodiscard]] std::vector<TextChunk> cutText(std::string_view text, const TextDialect& dialect,
                                             std::size_t bytes);

/// The bytes of chunks, copied from the file where that is cheaper than touching its mapping.
/// Thread-safe.
class TextBytes {
public:
    explicit TextBytes(const RecordStore& records) : records_(records) {}

    /// Calls use(bytes), which are there until it returns.
    template <class Use>
    void read(const TextChunk& chunk, const Use& use) {
        Room room = takeRoom(chunk.size());
        use(bytesOf(chunk, room));
        giveBack(std::move(room));
    }

private:
    /// Used for one chunk after the other: as many of them as there are readers.
    using Room = std::optional<SegmentMemory>;
    static constexpr std::size_t kRoomBytes = SegmentMemory::kHugePage;

    [[nodiscard]] Room takeRoom(std::size_t size);
    void giveBack(Room room);
    [[nodiscard]] std::string_view bytesOf(const TextChunk& chunk, const Room& room) const;

    const RecordStore& records_;
    std::mutex mutex_;
    std::vector<SegmentMemory> rooms_; ///< those nobody uses
};

/// Tells a job how much of a text its readers have read together. Thread-safe.
class TextProgress {
public:
    TextProgress(std::string_view phase, std::size_t total, const JobContext& job)
        : phase_(phase), total_(total), job_(job) {}

    void add(std::size_t bytes) {
        const std::uint64_t done = done_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        job_.report({phase_, done, total_});
    }
    [[nodiscard]] bool cancelled() const { return job_.cancelled(); }

private:
    std::string_view phase_;
    std::uint64_t total_;
    const JobContext& job_;
    std::atomic<std::uint64_t> done_ = 0;
};

/// What one reader of a chunk adds to that, every MiB and at the end. Thread-bound.
class ChunkProgress {
public:
    ChunkProgress(TextProgress& shared, const TextChunk& chunk)
        : shared_(shared), end_(chunk.end), said_(chunk.begin) {}

    /// False when the job was stopped.
    [[nodiscard]] bool at(std::size_t offset) {
        if (offset - said_ < kStep) [[likely]]
            return true;
        shared_.add(offset - said_);
        said_ = offset;
        return !shared_.cancelled();
    }
    void done() { shared_.add(end_ - said_); }

private:
    static constexpr std::size_t kStep = std::size_t{1} << 20;

    TextProgress& shared_;
    std::size_t end_;
    std::size_t said_;
};

} // namespace inversight
