// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_chunk_loader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace inversight {

void TextFindings::add(TextFindings later) {
    malformed.resize(std::max(malformed.size(), later.malformed.size()));
    for (std::size_t type = 0; type < later.malformed.size(); ++type) {
        Malformed& lines = malformed[type];
        if (lines.count == 0)
            lines.first = std::move(later.malformed[type].first);
        lines.count += later.malformed[type].count;
    }
    unparsedCount += later.unparsedCount;
    if (!firstUnparsed)
        firstUnparsed = std::move(later.firstUnparsed);
    unknownCpuCount += later.unknownCpuCount;
    if (later.cutLine)
        cutLine = later.cutLine;
    numericStates += later.numericStates;
    pluginStates += later.pluginStates;
    wholeCalls += later.wholeCalls;
    const std::size_t room = TextBodyContext::kMostManifestTexts - manifestTexts.size();
    if (later.manifestTexts.size() > room)
        later.manifestTexts.resize(room);
    std::ranges::move(later.manifestTexts, std::back_inserter(manifestTexts));
}

TextChunkLoader::TextChunkLoader(const TextReading& reading)
    : reading_(reading), sinks_(kMostCpus + 1, nullptr), running_(kMostCpus + 1, 0) {
    context_.letters = reading.dialect.oldStyle;
}

void TextChunkLoader::read(std::string_view bytes, const TextChunk& chunk, TextProgress& shared) {
    types_ = {};
    columns_ = {};
    ChunkProgress progress(shared, chunk);
    TextLineReader lines(bytes, reading_.dialect, chunk, columns_);
    while (lines.next() && progress.at(lines.offset())) {
        if (lines.kind() == TextLineKind::Event) {
            event(lines);
        } else if (lines.kind() == TextLineKind::Unparsed) {
            unparsed(lines);
        } else if (lines.kind() == TextLineKind::Loss && reading_.buffer == 0) {
            lost(lines.loss());
        }
    }
    progress.done();
}

void TextChunkLoader::lost(const TextLoss& loss) {
    if (CpuEventSink* sink = sinks_[cpuPlace(loss.cpu)]; sink != nullptr)
        sink->lost(loss.counted ? std::optional(loss.count) : std::nullopt);
}

TextFindings TextChunkLoader::takeFindings() {
    findings_.numericStates = std::exchange(context_.numericStates, 0);
    findings_.pluginStates = std::exchange(context_.pluginStates, 0);
    findings_.wholeCalls = std::exchange(context_.wholeCalls, 0);
    findings_.manifestTexts = std::exchange(context_.manifestTexts, {});
    return std::exchange(findings_, {});
}

void TextChunkLoader::event(TextLineReader& lines) {
    const TextLine& line = lines.event();
    const TextSurvey& survey = reading_.survey;
    if (survey.bufferOf(line, reading_.dialect) != reading_.buffer)
        return;
    const std::uint16_t index =
        types_.indexOf(line, [&survey](const TextEventKey& key) { return survey.types.find(key); });
    TextHeader header = line.header;
    decodeFlags(survey.flags, header);
    const std::size_t place = cpuPlace(header.cpu);
    context_.sink = sinks_[place];
    if (context_.sink == nullptr || index >= reading_.typeIds.size())
        return unparsed(lines);
    context_.nextTid = -1;
    context_.header = {header.time,
                       lines.offset(),
                       header.tid >= 0 ? header.tid : running_[place],
                       reading_.typeIds[index],
                       header.commonFlags,
                       header.preemptCount};
    findings_.unknownCpuCount += header.cpu < 0 ? 1 : 0;
    deliver(survey.types.types()[index], index, lines);
    if (context_.nextTid >= 0)
        running_[place] = context_.nextTid;
}

void TextChunkLoader::deliver(const TextEventType& type, std::uint16_t index,
                              TextLineReader& lines) {
    const std::string_view body = lines.event().body;
    if (type.read == nullptr)
        return context_.sink->event(context_.header);
    if (type.read(body, context_) || readJoined(type.read, body, lines))
        return;
    context_.sink->event(context_.header);
    malformed(index, lines);
}

/// A name with a newline in it has at most a few.
bool TextChunkLoader::readJoined(TextBodyReader read, std::string_view body,
                                 TextLineReader& lines) {
    constexpr int kMostLines = 4;
    TextLineReader ahead = lines;
    for (int count = 0; count < kMostLines && ahead.joinNext(body); ++count) {
        if (read(body, context_)) {
            lines = ahead;
            return true;
        }
    }
    return false;
}

void TextChunkLoader::malformed(std::uint16_t type, const TextLineReader& lines) {
    findings_.malformed.resize(std::max<std::size_t>(findings_.malformed.size(), type + 1U));
    TextFindings::Malformed& found = findings_.malformed[type];
    if (found.count++ == 0)
        found.first = exampleOf(lines);
    if (!lines.isWhole())
        findings_.cutLine = lines.number();
}

void TextChunkLoader::unparsed(const TextLineReader& lines) {
    if (findings_.unparsedCount++ == 0)
        findings_.firstUnparsed = exampleOf(lines);
    if (!lines.isWhole())
        findings_.cutLine = lines.number();
}

} // namespace inversight
