// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_chunks.h"

#include <algorithm>

namespace inversight {

namespace {

/// The begin of the first line at or behind `from` that a chunk may begin with, or the text's end.
std::size_t nextChunkBegin(std::string_view text, const TextDialect& dialect, std::size_t from) {
    const std::size_t newline = text.find('\n', from - 1);
    LineReader lines(text, newline == std::string_view::npos ? text.size() : newline + 1);
    std::string_view line;
    while (lines.next(line)) {
        if (TextLineReader::beginsAnew(line, dialect))
            return lines.lineBegin();
    }
    return text.size();
}

} // namespace

std::vector<TextChunk> cutText(std::string_view text, const TextDialect& dialect,
                               std::size_t bytes) {
    bytes = std::max<std::size_t>(bytes, 1);
    std::vector<TextChunk> chunks;
    const bool whole = !TextLineReader::canStartAnywhere(text, dialect);
    for (std::size_t begin = 0; begin < text.size(); begin = chunks.back().end) {
        const bool last = whole || text.size() - begin <= bytes;
        chunks.push_back(
            {begin, last ? text.size() : nextChunkBegin(text, dialect, begin + bytes), 0});
    }
    return chunks;
}

} // namespace inversight
