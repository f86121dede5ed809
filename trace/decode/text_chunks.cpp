// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_chunks.h"

#include <algorithm>
#include <span>

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
    const bool whole = TextLineReader::hasMarks(text, dialect);
    const bool page = TextLineReader::isPage(text, dialect);
    for (std::size_t begin = 0; begin < text.size(); begin = chunks.back().end) {
        const bool last = whole || text.size() - begin <= bytes;
        chunks.push_back(
            {begin, last ? text.size() : nextChunkBegin(text, dialect, begin + bytes), 0, page});
    }
    return chunks;
}

TextBytes::Room TextBytes::takeRoom(std::size_t size) {
    constexpr std::size_t kWorthACopy = std::size_t{64} << 10;
    if (size < kWorthACopy || size > kRoomBytes)
        return std::nullopt;
    {
        const std::lock_guard lock(mutex_);
        if (!rooms_.empty()) {
            Room room = std::move(rooms_.back());
            rooms_.pop_back();
            return room;
        }
    }
    return Room(std::in_place, kRoomBytes, SegmentMemory::Pages::Huge);
}

void TextBytes::giveBack(Room room) {
    const std::lock_guard lock(mutex_);
    if (room)
        rooms_.push_back(*std::move(room));
}

std::string_view TextBytes::bytesOf(const TextChunk& chunk, const Room& room) const {
    if (room && records_.read(chunk.begin, std::span(room->data(), chunk.size())))
        return {reinterpret_cast<const char*>(room->data()), chunk.size()};
    return textOf(records_).substr(chunk.begin, chunk.size());
}

} // namespace inversight
