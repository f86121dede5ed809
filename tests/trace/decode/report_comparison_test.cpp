// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The text of every event of the shared traces, against `trace-cmd report -N` (raw print formats,
// no plugins). Where the two differ the reason is one of kReasons, or the test fails.
#include "tests/trace/file_write/trace_cmd.h"
#include "trace/decode/trace_source.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>

namespace inversight::test {

namespace {

/// A line of the report with what follows it up to the next.
struct ReportedEvent {
    int cpu = 0;
    std::int64_t time = 0;
    std::string name;
    std::string text;
};

template <class Number>
bool takeNumber(std::string_view& text, Number& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return failure == std::errc();
}
void skipBlanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

/// "  12.345678901: name:   text", or with a plain number for clocks the tool does not know.
bool parseTimeAndName(std::string_view rest, ReportedEvent& event) {
    skipBlanks(rest);
    if (!takeNumber(rest, event.time))
        return false;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        std::int64_t nanoseconds = 0;
        const std::size_t before = rest.size();
        if (!takeNumber(rest, nanoseconds) || before - rest.size() != 9)
            return false;
        event.time = event.time * 1'000'000'000 + nanoseconds;
    }
    if (!rest.starts_with(": "))
        return false;
    rest.remove_prefix(2);
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos ||
        rest.substr(0, colon).find(' ') != std::string_view::npos)
        return false;
    event.name = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
    // The name and its colon are padded to 22 characters, with at least one blank.
    constexpr std::size_t kNameWidth = 22;
    rest.remove_prefix(std::min(std::max(kNameWidth, colon + 2) - colon - 1, rest.size()));
    event.text = rest;
    return true;
}

/// A task's name may hold anything, also "[000]": the last bracket that works counts.
std::optional<ReportedEvent> parseLine(std::string_view line) {
    for (std::size_t open = line.find(" ["); open != std::string_view::npos;
         open = line.find(" [", open + 1)) {
        std::string_view rest = line.substr(open + 2);
        ReportedEvent event;
        if (!takeNumber(rest, event.cpu) || !rest.starts_with(']'))
            continue;
        if (parseTimeAndName(rest.substr(1), event))
            return event;
    }
    return std::nullopt;
}

using EventKey = std::tuple<int, std::int64_t, std::string>;
using Report = std::map<EventKey, std::deque<std::string>>;

Report readReport(const std::string& path) {
    Report report;
    std::string* last = nullptr;
    for (const std::string& line : runTraceCmd("report -N -t -i '" + path + "'").lines) {
        if (auto event = parseLine(line)) {
            auto& texts = report[{event->cpu, event->time, event->name}];
            texts.push_back(std::move(event->text));
            last = &texts.back();
        } else if (last != nullptr && !line.starts_with("CPU:")) {
            *last += '\n';
            *last += line;
        }
    }
    return report;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// "page=0x321c pfn" without the value.
std::string withoutPage(std::string text) {
    const std::size_t begin = text.find("page=");
    const std::size_t end = text.find(' ', begin);
    if (begin != std::string::npos && end != std::string::npos)
        text.replace(begin, end - begin, "page=?");
    return text;
}

/// A difference that is known, and why our text is the one to keep.
struct Reason {
    const char* why;
    bool (*explains)(const std::string& event, const std::string& ours, const std::string& theirs);
};
constexpr Reason kReasons[] = {
    {"libtraceevent 1.7.1 prints a dump (%*ph) only of a dynamic array",
     [](const std::string&, const std::string& ours, const std::string& theirs) {
         const std::size_t begin = theirs.find("[ARG TYPE NOT FIELD BUT");
         return begin != std::string::npos && ours.starts_with(theirs.substr(0, begin)) &&
                ours.ends_with(']');
     }},
    {"libtraceevent cannot parse this format (fields follow)",
     [](const std::string&, const std::string& ours, const std::string& theirs) {
         return theirs.starts_with("[FAILED TO PARSE]") && !ours.empty();
     }},
    {"a null pointer is 0x0, not the C library's (nil)",
     [](const std::string&, const std::string& ours, const std::string& theirs) {
         return replaced(theirs, "(nil)", "0x0") == ours;
     }},
    {"a stack has the lines the kernel recorded, not always eight",
     [](const std::string& event, const std::string& ours, const std::string& theirs) {
         const std::string theirLines = replaced(theirs + "\n", "\t=> 0x0\n", "");
         return event.ends_with("_stack") && (ours + "\n").starts_with(theirLines);
     }},
    {"the address of a page needs a variable of the kernel (libtraceevent takes 0 for it)",
     [](const std::string&, const std::string& ours, const std::string& theirs) {
         return ours.find("page=?") != std::string::npos && withoutPage(theirs) == ours;
     }},
    {"libtraceevent loses the parentheses in `flags & (A | B)` inside __print_flags",
     [](const std::string& event, const std::string& ours, const std::string& theirs) {
         const auto head = [](const std::string& text) {
             return text.substr(0, text.find("flags="));
         };
         return event == "timer_start" && theirs.ends_with("D|P|I") && head(theirs) == head(ours);
     }},
};

struct Comparison {
    std::size_t total = 0;
    std::size_t equal = 0;
    std::size_t explained = 0;
    std::map<std::string, std::size_t> reasons; ///< how often each explained a difference
    std::vector<std::string> different;         ///< the first few
};

void judge(const std::string& event, const std::string& ours, const std::string& theirs,
           Comparison& result) {
    constexpr std::size_t kMostShown = 5;
    const auto reason = std::ranges::find_if(kReasons, [&](const Reason& candidate) {
        return ours != theirs && candidate.explains(event, ours, theirs);
    });
    if (ours == theirs) {
        ++result.equal;
    } else if (reason != std::end(kReasons)) {
        ++result.explained;
        ++result.reasons[reason->why];
    } else if (result.different.size() < kMostShown) {
        result.different.push_back(event + "\n  ours:   " + ours + "\n  theirs: " + theirs);
    }
}

void compare(const std::string& path, Comparison& result) {
    const auto trace = loadTrace(path, JobContext());
    ASSERT_TRUE(trace) << trace.error().sentence();
    Report report = readReport(path);
    const TraceStore& store = *trace->store;
    for (std::size_t index = 0; index < store.eventCount(); ++index) {
        const EventIndex event{static_cast<std::uint32_t>(index)};
        const std::string& name = store.types()[store.type(event).index()].name;
        const auto place = report.find({store.cpu(event), store.time(event), name});
        const auto text = trace->source->text(store.record(event));
        ASSERT_TRUE(text) << text.error().sentence();
        ++result.total;
        if (place == report.end() || place->second.empty()) {
            judge(name, *text, "(the report has no such event)", result);
            continue;
        }
        judge(name, *text, place->second.front(), result);
        place->second.pop_front();
    }
}

void expectSameText(const std::string& path) {
    Comparison result;
    compare(path, result);
    testing::Test::RecordProperty("events", static_cast<int>(result.total));
    testing::Test::RecordProperty("equal", static_cast<int>(result.equal));
    testing::Test::RecordProperty("explained", static_cast<int>(result.explained));
    std::printf("%s: %zu events, %zu texts equal, %zu explained\n", path.c_str(), result.total,
                result.equal, result.explained);
    for (const auto& [why, count] : result.reasons)
        std::printf("  %zu: %s\n", count, why.c_str());
    EXPECT_THAT(result.different, testing::IsEmpty());
    EXPECT_EQ(result.equal + result.explained, result.total);
}

/// What the reference cannot tell us; fixtures_test compares these files record by record.
bool isLeftOut(const std::string& name) {
    return name.find("zlib") != std::string::npos // Debian's trace-cmd has no zlib
           || name == "rt-v7-date-tsc";           // it adds a date in ns to ticks, we do not
}

std::vector<std::string> fixturePaths() {
    std::vector<std::string> paths;
    for (const std::string& name : fixtureNames()) {
        if (!isLeftOut(name))
            paths.push_back(fixturePath(name));
    }
    return paths;
}

/// The .dat files of a folder.
std::vector<std::string> pathsIn(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(tracesFolder() + folder, error)) {
        if (entry.path().extension() == ".dat")
            paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

std::string testName(const testing::TestParamInfo<std::string>& info) {
    std::string name = std::filesystem::path(info.param).stem();
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

class ReportComparison : public testing::TestWithParam<std::string> {};

TEST_P(ReportComparison, HasTheSameTextPerEvent) {
    SKIP_WITHOUT_TRACES(GetParam());
    expectSameText(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ReportComparison, testing::ValuesIn(orAbsent(fixturePaths())),
                         testName);
INSTANTIATE_TEST_SUITE_P(Public, ReportComparison, testing::ValuesIn(orAbsent(pathsIn("/public"))),
                         testName);

} // namespace

} // namespace inversight::test
