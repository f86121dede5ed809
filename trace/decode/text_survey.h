// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/decode/text_chunks.h"
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_event_types.h"
#include "trace/decode/text_line_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// A buffer of a text: the CPUs that have events or losses; kMostCpus stands for "not written".
struct TextBuffer {
    std::string name;
    std::vector<bool> cpus = std::vector<bool>(kMostCpus + 1, false);
};

/// The place of a CPU, -1 included, in TextBuffer::cpus.
[[nodiscard]] inline std::size_t cpuPlace(std::int32_t cpu) {
    return static_cast<std::size_t>(cpu < 0 ? kMostCpus : cpu);
}

/// The line that shows what a text's unknown lines are like.
struct TextExample {
    std::uint64_t line = 0; ///< number, from 1
    std::string text;       ///< cut to a few words
};
[[nodiscard]] TextExample exampleOf(const TextLineReader& lines);

/// A CPU of a buffer, by their places.
struct TextCpu {
    std::uint16_t buffer = 0;
    std::uint16_t place = 0; ///< cpuPlace()
    auto operator<=>(const TextCpu&) const = default;
};

/// What is known of a chunk before it is loaded.
struct SurveyedChunk {
    TextChunk chunk;
    std::vector<TextCpu> cpus; ///< that have events or losses in it, ascending
    /// The earliest time of all events behind the chunk; none: there are no more.
    std::optional<std::int64_t> nextTime;
};

/// What must be known of a text before its first event is delivered.
struct TextSurvey {
    TextEventTypes types;
    std::vector<TextBuffer> buffers; ///< at least one
    std::vector<SurveyedChunk> chunks;
    FlagLayout flags;
    int cpuCount = 0;
    std::uint64_t eventCount = 0;
    std::uint64_t wholeTimeCount = 0;
    std::uint64_t goneCount = 0;               ///< events of a task perf calls -1
    std::uint64_t overwrittenCount = 0;        ///< by the heading of the trace file
    std::optional<TextExample> unparsed;       ///< the first line that is nothing
    std::map<std::int32_t, std::string> names; ///< from columns and unknown bodies
    std::map<std::int32_t, std::int32_t> threadGroups;

    /// The buffer of a line; lines of more buffers than kMostBuffers count to the first.
    [[nodiscard]] std::size_t bufferOf(const TextLine& line, const TextDialect& dialect) const;
    static constexpr std::size_t kMostBuffers = 64;
};

/// Looks at every line once, at several chunks of about `chunkBytes` at the same time. Cancelled
/// when the job was stopped.
[[nodiscard]] Result<TextSurvey> surveyText(const RecordStore& records, const TextDialect& dialect,
                                            std::size_t chunkBytes, const JobContext& job);

} // namespace inversight
