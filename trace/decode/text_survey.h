// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_event_types.h"
#include "trace/decode/text_line_reader.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inversight {

/// A buffer of a text: the CPUs that have events or losses; kMostCpus stands for "not written".
struct TextBuffer {
    std::string_view name;
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

/// What must be known of a text before its first event is delivered. Views point into the text.
struct TextSurvey {
    TextEventTypes types;
    std::vector<TextBuffer> buffers; ///< at least one
    FlagLayout flags;
    int cpuCount = 0;
    std::uint64_t eventCount = 0;
    std::uint64_t wholeTimeCount = 0;
    std::uint64_t goneCount = 0;         ///< events of a task perf calls -1
    bool ascending = true;               ///< no event is earlier than the one before it
    std::uint64_t overwrittenCount = 0;  ///< by the heading of the trace file
    std::optional<TextExample> unparsed; ///< the first line that is nothing
    std::unordered_map<std::int32_t, std::string_view> names; ///< from columns and unknown bodies
    std::unordered_map<std::int32_t, std::int32_t> threadGroups;

    /// The buffer of a line; lines of more buffers than kMostBuffers count to the first.
    [[nodiscard]] std::size_t bufferOf(const TextLine& line, const TextDialect& dialect) const;
    static constexpr std::size_t kMostBuffers = 64;
};

/// Looks at every line once. Cancelled when the job was stopped.
[[nodiscard]] Result<TextSurvey> surveyText(std::string_view text, const TextDialect& dialect,
                                            const JobContext& job);

/// Tells the job every MiB how far a reader is. Thread-bound.
class TextProgress {
public:
    TextProgress(std::string_view phase, std::size_t total, const JobContext& job)
        : phase_(phase), total_(total), job_(job) {}

    /// Cancelled when the job was stopped.
    [[nodiscard]] Result<void> at(std::size_t offset) {
        if (offset < next_) [[likely]]
            return {};
        next_ = offset + kStep;
        job_.report({phase_, offset, total_});
        return job_.check(phase_);
    }

private:
    static constexpr std::size_t kStep = 1 << 20;

    std::string_view phase_;
    std::size_t total_;
    std::size_t next_ = 0;
    const JobContext& job_;
};

} // namespace inversight
