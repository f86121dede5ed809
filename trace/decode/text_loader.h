// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"
#include "trace/decode/text_survey.h"
#include "trace/decode/trace_source.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace inversight {

/// What an event's line looks like, for people.
inline constexpr std::string_view kExpectedTextLine = "\"TASK-PID [CPU] FLAGS TIME: EVENT: ...\"";

/// Delivers one buffer of a text that was surveyed. Thread-bound, for one use.
class TextLoader {
public:
    TextLoader(const TextDialect& dialect, TextSurvey& survey, std::size_t buffer);

    /// Declares the stream, its types, names and CPUs.
    void declare(const StreamInfo& info, EventSink& sink);
    /// Cancelled when the job was stopped.
    [[nodiscard]] Result<void> read(std::string_view text, const JobContext& job);
    [[nodiscard]] LoadReport report() &&;

private:
    struct Malformed {
        std::uint64_t count = 0;
        TextExample first;
    };

    [[nodiscard]] Result<void> settle(const JobContext& job);
    void event(TextLineReader& lines);
    void deliver(const TextEventType& type, std::uint16_t index, TextLineReader& lines);
    [[nodiscard]] bool readJoined(TextBodyReader read, std::string_view body,
                                  TextLineReader& lines);
    void malformed(std::uint16_t type, const TextLineReader& lines);
    void unparsed(const TextLineReader& lines);

    void reportLines(LoadReport& report) const;
    void reportMeanings(LoadReport& report) const;
    void reportManifest(LoadReport& report) const;

    const TextDialect& dialect_;
    TextSurvey& survey_;
    std::size_t buffer_;
    EventSink* sink_ = nullptr;
    std::uint64_t unsettledCount_ = 0; ///< events since settle()
    std::vector<EventTypeId> typeIds_;
    std::vector<CpuEventSink*> sinks_;  ///< by cpuPlace()
    std::vector<std::int32_t> running_; ///< by cpuPlace(): who the last switch brought
    TextBodyContext context_;
    std::vector<Malformed> malformed_; ///< by type
    std::uint64_t unparsedCount_ = 0;
    std::optional<TextExample> firstUnparsed_;
    std::uint64_t unknownCpuCount_ = 0;
    std::optional<std::uint64_t> cutLine_; ///< the last line, if it ends in its middle
};

} // namespace inversight
