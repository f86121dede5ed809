// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/worker_pool.h"
#include "trace/decode/text_chunk_loader.h"
#include "trace/decode/trace_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace inversight {

/// What an event's line looks like, for people.
inline constexpr std::string_view kExpectedTextLine = "\"TASK-PID [CPU] FLAGS TIME: EVENT: ...\"";

/// Delivers one buffer of a text that was surveyed. Where the sink takes parts, some chunks are
/// read at a time, and what no later line can precede is settled, so that memory does not grow with
/// the text. Thread-bound, for one use.
class TextLoader {
public:
    TextLoader(const RecordStore& records, const TextDialect& dialect, const TextSurvey& survey,
               std::size_t buffer);

    /// Declares the stream, its types, names and CPUs.
    void declare(const StreamInfo& info, EventSink& sink);
    /// Cancelled when the job was stopped.
    [[nodiscard]] Result<void> read(const JobContext& job);
    [[nodiscard]] LoadReport report() const;

private:
    [[nodiscard]] std::size_t chunksAtATime() const;
    void takeParts(std::size_t first, std::size_t count);
    [[nodiscard]] Result<void> settle(const SurveyedChunk& last, const JobContext& job);

    void reportLines(LoadReport& report) const;
    void reportMeanings(LoadReport& report) const;
    void reportManifest(LoadReport& report) const;

    const RecordStore& records_;
    TextReading reading_;
    EventSink* sink_ = nullptr;
    StreamId stream_;
    std::vector<TextChunkLoader> loaders_;
    std::optional<std::int64_t> settled_;
    TextFindings findings_;
};

} // namespace inversight
