// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_graph.h"

#include "trace/decode/text_dialect.h"
#include "trace/decode/text_scan.h"

#include <fmt/format.h>

#include <limits>

namespace inversight {

namespace {

constexpr std::string_view kTracer = "# tracer: function_graph";
constexpr std::string_view kComment = "/* ";
constexpr std::string_view kCommentEnd = " */";

/// Takes the text up to the next '|', and that.
bool takeColumn(std::string_view& rest, std::string_view& column) {
    const std::size_t bar = rest.find('|');
    if (bar == std::string_view::npos)
        return false;
    column = withoutTrailingBlanks(withoutLeadingBlanks(rest.substr(0, bar)));
    rest.remove_prefix(bar + 1);
    return true;
}

/// "20.748312 |": the kernel writes microseconds.
bool takeGraphTime(std::string_view& rest, TextHeader& header) {
    constexpr std::size_t kDecimals = 6;
    constexpr std::uint64_t kMostSeconds = 9'000'000'000;
    std::string_view column;
    std::uint64_t seconds = 0;
    std::uint64_t fraction = 0;
    if (!takeColumn(rest, column) || !takeDecimal(column, seconds) || seconds > kMostSeconds ||
        !takeText(column, ".") || column.size() != kDecimals || !takeDecimal(column, fraction) ||
        !column.empty())
        return false;
    header.time = static_cast<std::int64_t>(seconds * 1'000'000'000 + fraction * 1000);
    return true;
}

/// "0)   rcu_pre-17   |": the name is cut to 7 characters, and may hold anything, also a bar.
bool takeGraphTask(std::string_view& rest, TextHeader& header) {
    std::uint64_t cpu = 0;
    rest = withoutLeadingBlanks(rest);
    if (!takeDecimal(rest, cpu) || cpu >= kMostCpus || !takeText(rest, ") "))
        return false;
    header.cpu = static_cast<std::int32_t>(cpu);
    for (std::size_t bar = rest.find('|'); bar != std::string_view::npos;
         bar = rest.find('|', bar + 1)) {
        const std::string_view task =
            withoutTrailingBlanks(withoutLeadingBlanks(rest.substr(0, bar)));
        const std::size_t dash = task.rfind('-');
        std::string_view digits =
            dash == std::string_view::npos ? std::string_view() : task.substr(dash + 1);
        std::uint64_t tid = 0;
        if (!takeDecimal(digits, tid) || !digits.empty() ||
            tid > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
            continue;
        header.task = task.substr(0, dash);
        header.tid = static_cast<std::int32_t>(tid);
        rest.remove_prefix(bar + 1);
        return true;
    }
    return false;
}

/// "sched_waking: comm=...", or what somebody wrote into trace_marker.
void parseComment(std::string_view comment, TextLine& out) {
    if (comment.ends_with(kCommentEnd))
        comment.remove_suffix(kCommentEnd.size());
    std::size_t word = 0;
    while (word < comment.size() && isWordCharacter(comment[word]))
        ++word;
    const bool named = word > 0 && comment.substr(word).starts_with(": ");
    out.shape = NameShape::Named;
    out.name = named ? comment.substr(0, word) : "tracing_mark_write";
    out.body = named ? comment.substr(word + 1) : comment;
}

/// "schedule() {", "schedule();", "}", "} /* schedule */"; `columns` begins with the duration.
bool parseCall(std::string_view call, std::string_view columns, TextLine& out) {
    const bool ends = call.starts_with('}');
    if (!ends && !call.ends_with("();") && !call.ends_with("() {"))
        return false;
    out.shape = NameShape::Named;
    out.name = ends ? "funcgraph_exit" : "funcgraph_entry";
    out.body = columns;
    return true;
}

} // namespace

bool parseGraphLine(std::string_view line, TextLine& out) {
    out = TextLine{};
    std::string_view rest = line;
    std::string_view duration;
    if (!takeGraphTime(rest, out.header) || !takeGraphTask(rest, out.header))
        return false;
    const std::string_view columns = rest;
    if (!takeColumn(rest, duration))
        return false;
    std::string_view content = withoutTrailingBlanks(withoutLeadingBlanks(rest));
    if (!takeText(content, kComment))
        return parseCall(content, columns, out);
    parseComment(content, out);
    return true;
}

bool isFunctionGraph(std::string_view text) {
    return text.substr(0, kSampleSize).find(kTracer) != std::string_view::npos;
}

bool looksLikeGraph(std::string_view text) {
    if (!isFunctionGraph(text))
        return false;
    LineReader lines(text.substr(0, kSampleSize));
    std::string_view line;
    TextLine parsed;
    while (lines.next(line))
        if (parseGraphLine(line, parsed))
            return true;
    return false;
}

bool isGraphHeading(std::string_view words) {
    std::uint64_t cpu = 0;
    if (words.contains("==========> |") || words.contains("<========== |"))
        return true;
    return takeDecimal(words, cpu) && words.starts_with(") ") && words.contains("  =>  ");
}

std::string graphContent(std::string_view text) {
    std::size_t events = 0;
    std::size_t calls = 0;
    LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
        const std::size_t bar = line.rfind("|  ");
        if (bar == std::string_view::npos || line.starts_with('#'))
            continue;
        const std::string_view content = withoutLeadingBlanks(line.substr(bar + 1));
        events += content.starts_with(kComment) ? 1 : 0;
        calls += content.contains("()") ? 1 : 0;
    }
    return fmt::format("{} events and {} calls", events, calls);
}

bool readGraphEntry(std::string_view body, TextBodyContext& context) {
    context.wholeCalls += withoutTrailingBlanks(body).ends_with("();") ? 1 : 0;
    context.sink->event(context.header);
    return true;
}

} // namespace inversight
