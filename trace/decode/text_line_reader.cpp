// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_line_reader.h"

#include "trace/decode/text_graph.h"
#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

constexpr std::string_view kScriptEnd = "</script>";

bool isComment(std::string_view line) {
    return line.starts_with("# ") || line == "#";
}

/// "[10611.859412] " of the console, with the log level some tools leave in front.
std::string_view withoutConsoleTime(std::string_view line) {
    std::string_view rest = line;
    std::uint64_t number = 0;
    if (rest.starts_with('<') &&
        !(takeText(rest, "<") && takeDecimal(rest, number) && takeText(rest, ">")))
        return line;
    if (!takeText(rest, "["))
        return line;
    rest = withoutLeadingBlanks(rest);
    if (!takeDecimal(rest, number) || !takeText(rest, ".") || !takeDecimal(rest, number) ||
        !takeText(rest, "]") || rest.empty() || !isBlank(rest.front()))
        return line;
    return rest;
}

/// The line without what programs put around it.
std::string_view withoutWrapping(std::string_view line, bool html) {
    if (html && line.ends_with("\\n\\"))
        line.remove_suffix(3);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"')
        return line.substr(1, line.size() - 2);
    if (!line.empty() && (line.front() == '[' || line.front() == '<'))
        return withoutConsoleTime(line);
    return line;
}

/// Lines that tools write around events.
bool isHeading(std::string_view line) {
    constexpr auto kHeadings = std::to_array<std::string_view>(
        {"cpus=", "version = ", "TRACE:", "Dumping ftrace buffer:", "(ftrace buffer empty)",
         "---------------------------------", "to_ftrace(id)", "capturing trace",
         "vim:ft=", "\\n\";"});
    std::string_view rest = line;
    std::uint64_t cpu = 0;
    if (takeText(rest, "CPU ") && takeDecimal(rest, cpu) && rest == " is empty")
        return true;
    return line == "line" || isGraphHeading(line) ||
           std::ranges::any_of(kHeadings,
                               [&](std::string_view heading) { return line.starts_with(heading); });
}

} // namespace

TextLineReader::TextLineReader(std::string_view bytes, const TextDialect& dialect,
                               const TextChunk& chunk, TextColumnCache& cache)
    : dialect_(&dialect), cache_(&cache), begin_(chunk.begin),
      lines_(bytes, chunk.begin == 0 ? bytes.size() - withoutByteOrderMark(bytes).size() : 0),
      number_(chunk.linesBefore), insideData_(!chunk.outside) {}

/// Not so the text inside a page, as atrace writes it by itself.
bool TextLineReader::isPage(std::string_view text, const TextDialect& dialect) {
    const std::string_view begin = text.substr(0, kSampleSize);
    return dialect.html && (begin.contains("<html") || begin.contains("<!DOCTYPE html"));
}

bool TextLineReader::hasMarks(std::string_view text, const TextDialect& dialect) {
    return dialect.html && (isPage(text, dialect) || text.contains(kScriptEnd));
}

bool TextLineReader::beginsAnew(std::string_view line, const TextDialect& dialect) {
    TextLine event;
    if (dialect.graph)
        return !isComment(line) && parseGraphLine(line, event);
    // Also without taking away what is around it, as joinNext() looks at it.
    return !isComment(line) && parseTextLine(line, event) &&
           parseTextLine(withoutWrapping(line, dialect.html), event);
}

bool TextLineReader::next() {
    if (!lines_.next(line_))
        return false;
    ++number_;
    kind_ = classify(line_);
    afterEvent_ = kind_ == TextLineKind::Event || kind_ == TextLineKind::Belonging;
    return true;
}

bool TextLineReader::insidePage(std::string_view line) {
    if (line.contains("class=\"trace-data\"") || line.contains("linuxPerfData")) {
        insideData_ = true;
        return false;
    }
    if (line.contains(kScriptEnd))
        insideData_ = false;
    return insideData_;
}

TextLineKind TextLineReader::classify(std::string_view line) {
    if (dialect_->html && !insidePage(line))
        return TextLineKind::Outside;
    return classifyPlain(withoutWrapping(line, dialect_->html));
}

TextLineKind TextLineReader::classifyPlain(std::string_view line) {
    if (isComment(line))
        return TextLineKind::Frame;
    if (dialect_->graph ? parseGraphLine(line, event_) : parseTextLine(line, event_, cache_))
        return TextLineKind::Event;
    const std::string_view words = withoutLeadingBlanks(line);
    if (words.empty() || words.starts_with('#') || isHeading(words))
        return TextLineKind::Frame;
    if (parseLossLine(words, loss_))
        return TextLineKind::Loss;
    if (afterEvent_ &&
        (words.starts_with("=>") || (dialect_->indentedBelongs && words.size() < line.size())))
        return TextLineKind::Belonging;
    return TextLineKind::Unparsed;
}

bool TextLineReader::joinNext(std::string_view& body) {
    if (dialect_->html)
        return false;
    LineReader ahead = lines_;
    std::string_view line;
    const TextLine event = event_;
    if (!ahead.next(line))
        return false;
    const TextLineKind kind = classifyPlain(line);
    event_ = event;
    if (kind != TextLineKind::Unparsed && kind != TextLineKind::Belonging)
        return false;
    lines_ = ahead;
    ++number_;
    const char* begin = body.data();
    body = std::string_view(begin, static_cast<std::size_t>(line.data() + line.size() - begin));
    return true;
}

} // namespace inversight
