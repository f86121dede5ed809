// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_bodies.h"
#include "trace/decode/text_survey.h"
#include "trace/model/event_sink.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace inversight {

/// What reading chunks brought to light besides their events.
struct TextFindings {
    struct Malformed {
        std::uint64_t count = 0;
        TextExample first;
    };
    std::vector<Malformed> malformed; ///< by type
    std::uint64_t unparsedCount = 0;
    std::optional<TextExample> firstUnparsed;
    std::uint64_t unknownCpuCount = 0;
    std::optional<std::uint64_t> cutLine; ///< the last line, if it ends in its middle
    std::uint64_t numericStates = 0;
    std::uint64_t pluginStates = 0;
    std::uint64_t wholeCalls = 0; ///< of the graph tracer, each in one line
    std::vector<TextBodyContext::ManifestText> manifestTexts;

    /// Adds those of the chunk behind.
    void add(TextFindings later);
};

/// What all readers of one buffer of a text share.
struct TextReading {
    const TextDialect& dialect;
    const TextSurvey& survey;
    std::size_t buffer = 0;
    std::vector<EventTypeId> typeIds = {};
};

/// Delivers one buffer's events of one chunk after the other. Thread-bound.
class TextChunkLoader {
public:
    explicit TextChunkLoader(const TextReading& reading);

    /// Where events of a CPU, by cpuPlace(), go. Those of a CPU without a sink, of which the survey
    /// knew nothing, are not read: somebody has changed the file.
    void setSink(std::size_t place, CpuEventSink& sink) { sinks_[place] = &sink; }
    void clearSinks() { std::ranges::fill(sinks_, nullptr); }
    /// Stops early when the job was stopped.
    void read(std::string_view bytes, const TextChunk& chunk, TextProgress& shared);
    /// Of what was read since the last call.
    [[nodiscard]] TextFindings takeFindings();

private:
    void event(TextLineReader& lines);
    void lost(const TextLoss& loss);
    void deliver(const TextEventType& type, std::uint16_t index, TextLineReader& lines);
    [[nodiscard]] bool readJoined(TextBodyReader read, std::string_view body,
                                  TextLineReader& lines);
    void malformed(std::uint16_t type, const TextLineReader& lines);
    void unparsed(const TextLineReader& lines);

    const TextReading& reading_;
    TextTypeCache types_;
    TextColumnCache columns_;
    std::vector<CpuEventSink*> sinks_;  ///< by cpuPlace()
    std::vector<std::int32_t> running_; ///< by cpuPlace(): who the last switch brought
    TextBodyContext context_;
    TextFindings findings_;
};

} // namespace inversight
