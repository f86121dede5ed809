// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_dialect.h"

#include "trace/decode/text_graph.h"
#include "trace/decode/text_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace inversight {

namespace {

constexpr std::uint8_t kIrqsOff = 0x01;
constexpr std::uint8_t kLazy = 0x02; ///< before lazy preemption: "irqs-off cannot be known"
constexpr std::uint8_t kNeedResched = 0x04;
constexpr std::uint8_t kHardIrq = 0x08;
constexpr std::uint8_t kSoftIrq = 0x10;
constexpr std::uint8_t kPreemptResched = 0x20;
constexpr std::uint8_t kNmi = 0x40;
constexpr std::uint8_t kBottomHalvesOff = 0x80;

using FlagRow = std::pair<char, std::uint8_t>;

constexpr auto kIrqFlags = std::to_array<FlagRow>(
    {{'d', kIrqsOff}, {'D', kIrqsOff | kBottomHalvesOff}, {'b', kBottomHalvesOff}, {'X', kLazy}});
constexpr auto kReschedFlags = std::to_array<FlagRow>({
    {'N', kNeedResched | kPreemptResched},
    {'n', kNeedResched},
    {'p', kPreemptResched},
    {'B', kNeedResched | kLazy | kPreemptResched},
    {'b', kNeedResched | kLazy},
    {'L', kLazy | kPreemptResched},
    {'l', kLazy},
});
constexpr auto kLazyFlags = std::to_array<FlagRow>({{'L', kLazy}, {'l', kLazy}, {'N', kLazy}});
constexpr auto kContextFlags = std::to_array<FlagRow>({{'Z', kNmi | kHardIrq},
                                                       {'z', kNmi},
                                                       {'H', kHardIrq | kSoftIrq},
                                                       {'h', kHardIrq},
                                                       {'s', kSoftIrq}});

char characterAt(std::string_view column, int place) {
    return place >= 0 && static_cast<std::size_t>(place) < column.size()
               ? column[static_cast<std::size_t>(place)]
               : '.';
}

template <std::size_t count>
std::uint8_t flagsOf(char c, const std::array<FlagRow, count>& rows) {
    if (c == '.')
        return 0;
    const auto row = std::ranges::find(rows, c, &FlagRow::first);
    return row == rows.end() ? 0 : row->second;
}

std::uint8_t nibble(char c) {
    if (isDigit(c))
        return static_cast<std::uint8_t>(c - '0');
    return c >= 'a' && c <= 'f' ? static_cast<std::uint8_t>(c - 'a' + 10) : 0;
}

/// Without a legend: kernels with PREEMPT_RT's lazy columns write seven or eight characters.
FlagLayout usualLayout(std::size_t size) {
    if (size >= 7)
        return {static_cast<int>(size), 0, 1, 2, 3, 4, 6};
    return {static_cast<int>(size), 0, 1, -1, 2, 3, 4};
}

/// The place in `layout` that a line of the legend is about; null for one we do not show.
int* placeOf(std::string_view meaning, FlagLayout& layout) {
    if (meaning.starts_with("irqs-off"))
        return &layout.irqs;
    if (meaning.starts_with("need-resched-lazy"))
        return &layout.lazy;
    if (meaning.starts_with("need-resched"))
        return &layout.resched;
    if (meaning.starts_with("hardirq"))
        return &layout.context;
    if (meaning.starts_with("preempt-depth"))
        return &layout.depth;
    if (meaning.starts_with("migrate-disable"))
        return &layout.migrate;
    return nullptr;
}

/// What a text's begin tells about who wrote it.
struct Sample {
    bool tracer = false;  ///< "# tracer:"
    bool cpus = false;    ///< "cpus=2", "version = 6": trace-cmd report
    bool atrace = false;  ///< "TRACE:"
    bool dropped = false; ///< trace-cmd's form of a loss
    bool padded = false;  ///< the event's name is padded: trace-cmd report
    bool spaced = false;  ///< perf's form of a task
    bool event = false;
};

void lookAtEvent(const TextLine& line, Sample& sample) {
    sample.event = true;
    sample.spaced = line.header.spaced;
    sample.padded = line.shape == NameShape::Named && line.body.starts_with("  ");
}

/// Up to the first event.
Sample lookAt(std::string_view text) {
    Sample sample;
    LineReader lines(text.substr(0, kSampleSize));
    std::string_view line;
    TextLine parsed;
    TextLoss loss;
    while (!sample.event && lines.next(line)) {
        sample.tracer |= line.starts_with("# tracer:");
        sample.cpus |= line.starts_with("cpus=") || line.starts_with("version = ");
        sample.atrace |= line == "TRACE:";
        if (parseLossLine(line, loss))
            sample.dropped = line.ends_with("DROPPED]");
        else if (parseTextLine(line, parsed))
            lookAtEvent(parsed, sample);
    }
    return sample;
}

bool looksLikeSystrace(std::string_view text) {
    std::string_view begin = withoutLeadingBlanks(text.substr(0, 4096));
    while (begin.starts_with('\n') || begin.starts_with('\r'))
        begin.remove_prefix(1);
    if (begin.starts_with("<!DOCTYPE html") || begin.starts_with("<html"))
        return text.find("class=\"trace-data\"") != std::string_view::npos ||
               text.find("linuxPerfData") != std::string_view::npos;
    const Sample sample = lookAt(text);
    return sample.atrace && (sample.tracer || sample.event);
}

bool looksLikeReport(std::string_view text) {
    const Sample sample = lookAt(text);
    return !sample.tracer && !sample.spaced && (sample.cpus || sample.dropped || sample.padded);
}

bool looksLikePerf(std::string_view text) {
    const Sample sample = lookAt(text);
    return !sample.tracer && sample.event && sample.spaced;
}

bool looksLikeFtrace(std::string_view text) {
    const Sample sample = lookAt(text);
    return sample.tracer || sample.event || sample.dropped;
}

constexpr std::array<TextDialect, kMostDialects> kDialects = {{
    {.format = "systrace",
     .lookedFor = "a systrace or atrace page with trace data",
     .looksLike = looksLikeSystrace,
     .html = true,
     .wholeTimesAreTicks = true},
    {.format = "trace-cmd report",
     .lookedFor = "\"cpus=N\" or lines \"TASK-PID [CPU] TIME: EVENT:   ...\"",
     .looksLike = looksLikeReport,
     .oldStyle = StateLetters::Plugin,
     .hasBuffers = true},
    {.format = "perf script",
     .lookedFor = "lines \"TASK PID [CPU] TIME: EVENT: ...\"",
     .looksLike = looksLikePerf,
     .oldStyle = StateLetters::Plugin,
     .indentedBelongs = true},
    {.format = "function_graph text",
     .lookedFor = "\"# tracer: function_graph\" and lines \"TIME | CPU) TASK-PID | ...\"",
     .looksLike = looksLikeGraph,
     .graph = true},
    {.format = "ftrace text",
     .lookedFor = "\"# tracer:\" or lines \"TASK-PID [CPU] FLAGS TIME: EVENT: ...\"",
     .looksLike = looksLikeFtrace,
     .wholeTimesAreTicks = true},
}};

/// The first line that is not a comment.
std::string_view firstDataLine(std::string_view text) {
    LineReader lines(text.substr(0, kSampleSize));
    std::string_view line;
    while (lines.next(line)) {
        if (!line.starts_with('#') && !withoutLeadingBlanks(line).empty())
            return line;
    }
    return {};
}

/// "0 0 7784403220 type: 322".
bool isRaw(std::string_view text) {
    std::string_view line = firstDataLine(text);
    std::uint64_t number = 0;
    for (int column = 0; column < 3; ++column) {
        if (!takeDecimal(line, number) || !takeText(line, " "))
            return false;
    }
    return line.starts_with("type: ");
}

/// "sched_waking: comm=..." with nothing in front.
bool isWithoutContext(std::string_view text) {
    const std::string_view line = firstDataLine(text);
    return line.starts_with("sched_") && !line.substr(0, line.find(':')).contains(' ');
}

/// "1003.956560: spi_message_start: ...": the time, but neither task nor CPU.
bool isWithoutTask(std::string_view text) {
    std::string_view line = withoutLeadingBlanks(firstDataLine(text));
    std::uint64_t number = 0;
    return takeDecimal(line, number) && takeText(line, ".") && takeDecimal(line, number) &&
           takeText(line, ": ") && line.find(':') != std::string_view::npos;
}

bool isTimehist(std::string_view text) {
    const std::string_view begin = text.substr(0, 4096);
    return begin.contains("sch delay") && begin.contains("run time");
}

bool isSchedLatency(std::string_view text) {
    const std::string_view begin = text.substr(0, 4096);
    return begin.contains("Runtime ms") && begin.contains("Switches");
}

bool isPerfData(std::string_view text) {
    return text.starts_with("PERFILE2") || text.starts_with("2ELIFREP");
}

struct Refusal {
    bool (*looksLike)(std::string_view text);
    const char* what;
    const char* remedy;
    std::string (*content)(std::string_view text) = nullptr; ///< counts what cannot be shown
};

constexpr auto kRefusals = std::to_array<Refusal>({
    {isPerfData, "a perf.data file, which this version does not read",
     "write its events as text: perf script --ns -F comm,pid,tid,cpu,time,event,trace > FILE.txt"},
    {isFunctionGraph, "text of the function_graph tracer whose lines lack the time or the task",
     "write 1 to options/funcgraph-abstime and options/funcgraph-proc and save trace again",
     graphContent},
    {isRaw, "ftrace text with options/raw: numbers without the names of events",
     "write 0 to options/raw and save trace again"},
    {isWithoutContext, "ftrace text without task, CPU and time: options/context-info was off",
     "write 1 to options/context-info and save trace again"},
    {isWithoutTask, "text whose lines have a time, but no task and no CPU",
     "save the lines whole, as the trace file has them"},
    {isTimehist, "the table of perf sched timehist, which holds no events",
     "save the output of perf script"},
    {isSchedLatency, "the table of perf sched latency, which holds no events",
     "save the output of perf script"},
});

} // namespace

FlagLayout flagLayoutOf(std::string_view text) {
    FlagLayout layout{0, -1, -1, -1, -1, -1, -1};
    LineReader lines(text.substr(0, kSampleSize));
    std::string_view line;
    while (lines.next(line)) {
        const std::size_t arrow = line.starts_with('#') ? line.find("=> ") : std::string_view::npos;
        if (arrow == std::string_view::npos)
            continue;
        const std::string_view meaning = line.substr(arrow + 3);
        if (meaning.starts_with("CPU#"))
            continue;
        if (int* place = placeOf(meaning, layout); place != nullptr && *place < 0)
            *place = layout.size;
        ++layout.size;
    }
    return layout;
}

void decodeFlags(const FlagLayout& legend, TextHeader& header) {
    const std::string_view column = header.flags;
    if (column.empty())
        return;
    const FlagLayout layout = static_cast<std::size_t>(legend.size) == column.size()
                                  ? legend
                                  : usualLayout(column.size());
    header.commonFlags =
        static_cast<std::uint8_t>(flagsOf(characterAt(column, layout.irqs), kIrqFlags) |
                                  flagsOf(characterAt(column, layout.resched), kReschedFlags) |
                                  flagsOf(characterAt(column, layout.lazy), kLazyFlags) |
                                  flagsOf(characterAt(column, layout.context), kContextFlags));
    header.preemptCount =
        static_cast<std::uint8_t>(nibble(characterAt(column, layout.depth)) |
                                  nibble(characterAt(column, layout.migrate)) << 4);
}

const TextDialect* textDialects() {
    return kDialects.data();
}

const TextDialect* findTextDialect(std::string_view text) {
    const auto dialect = std::ranges::find_if(
        kDialects, [&](const TextDialect& candidate) { return candidate.looksLike(text); });
    return dialect == kDialects.end() ? nullptr : &*dialect;
}

std::optional<Error> refuseText(const RecordStore& records) {
    const std::string_view text = withoutByteOrderMark(textOf(records));
    const auto refusal = std::ranges::find_if(
        kRefusals, [&](const Refusal& candidate) { return candidate.looksLike(text); });
    if (refusal == kRefusals.end())
        return std::nullopt;
    std::string what = refusal->what;
    if (refusal->content != nullptr)
        what += fmt::format(" ({} cannot be placed)", refusal->content(text));
    return Error{ErrorCode::Unsupported, std::move(what), records.path(), refusal->remedy};
}

std::string_view textOf(const RecordStore& records) {
    const std::span<const std::byte> bytes = records.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view withoutByteOrderMark(std::string_view text) {
    (void)takeText(text, "\xef\xbb\xbf");
    return text;
}

} // namespace inversight
