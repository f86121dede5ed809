// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_dialect.h"
#include "trace/decode/text_line.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inversight {

enum class TextLineKind : std::uint8_t {
    Event,
    Loss,
    Frame,     ///< a comment, a heading, an empty line
    Belonging, ///< a call stack's line: part of the event before it
    Outside,   ///< of a web page, around its trace data
    Unparsed,
};

/// A stretch of a text that begins with a line.
struct TextChunk {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t linesBefore = 0; ///< in front of it
    bool outside = false;          ///< of a web page's trace data

    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Goes through a chunk of a text line by line and says what each line is; every line is something.
/// Copyable: a
/// copy goes on from the same line. Thread-bound. Views point into the chunk's bytes.
class TextLineReader {
public:
    /// `bytes`: the chunk's; `cache`: of their lines.
    TextLineReader(std::string_view bytes, const TextDialect& dialect, const TextChunk& chunk,
                   TextColumnCache& cache);

    /// Whether the text is a web page, of which its marks decide which lines are a trace's.
    [[nodiscard]] static bool isPage(std::string_view text, const TextDialect& dialect);
    /// Whether the text has such marks.
    [[nodiscard]] static bool hasMarks(std::string_view text, const TextDialect& dialect);
    /// Whether the line is an event whatever stands in front of it, and never a part of what does.
    [[nodiscard]] static bool beginsAnew(std::string_view line, const TextDialect& dialect);

    /// False at the end of the text.
    [[nodiscard]] bool next();

    [[nodiscard]] TextLineKind kind() const { return kind_; }
    [[nodiscard]] const TextLine& event() const { return event_; } ///< of an Event
    [[nodiscard]] const TextLoss& loss() const { return loss_; }   ///< of a Loss
    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] std::uint64_t number() const { return number_; } ///< from 1
    /// Where the line begins in the text.
    [[nodiscard]] std::size_t offset() const { return begin_ + lines_.lineBegin(); }
    /// False for the last line of a text that ends without a newline.
    [[nodiscard]] bool isWhole() const { return lines_.lineIsWhole(); }

    /// A task's name may hold a newline, mail programs break lines: makes the event's body longer
    /// by the next line, if that is nothing by itself. False if there is none.
    [[nodiscard]] bool joinNext(std::string_view& body);

private:
    [[nodiscard]] TextLineKind classify(std::string_view line);
    [[nodiscard]] TextLineKind classifyPlain(std::string_view line);
    [[nodiscard]] bool insidePage(std::string_view line);

    const TextDialect* dialect_;
    TextColumnCache* cache_;
    std::size_t begin_; ///< of the chunk
    LineReader lines_;
    std::string_view line_;
    TextLine event_;
    TextLoss loss_;
    TextLineKind kind_ = TextLineKind::Frame;
    std::uint64_t number_ = 0;
    bool insideData_ = false;
    bool afterEvent_ = false; ///< the line before is an event or belongs to one
};

} // namespace inversight
