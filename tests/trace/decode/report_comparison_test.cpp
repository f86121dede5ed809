// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The text of every event of the shared traces, against `trace-cmd report -N` (raw print formats,
// no plugins). Where the two differ the reason is one of kReasons, or the test fails.
#include "trace/decode/trace_source.h"
#include "trace_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
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
    if (colon == std::string_view::npos || rest.substr(0, colon).find(' ') != std::string_view::npos)
        return false;
    event.name = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
    // The name is padded to 21 characters, the colon included.
    constexpr std::size_t kNameWidth = 21;
    const std::size_t padding = colon + 1 < kNameWidth ? kNameWidth - colon - 1 : 0;
    rest.remove_prefix(std::min({padding, rest.find_first_not_of(' '), rest.size()}));
    event.text = rest.starts_with(' ') && padding == 0 ? rest.substr(1) : rest;
    return true;
}

/// A task's name may hold anything, also "[000]": the last bracket that works counts.
std::optional<ReportedEvent> parseLine(std::string_view line) {
    for (std::size_t open = line.find(" ["); open != std::string_view::npos;
         open = line.find(" [", open + 1)) {
        std::string_view rest = line.substr(open + 2);
        ReportedEvent event;
        if (!takeNumber(rest, event.cpu) || !rest.starts_with("] "))
            continue;
        if (parseTimeAndName(rest.substr(2), event))
            return event;
    }
    return std::nullopt;
}

std::string runReport(const std::string& path) {
    FILE* pipe = ::popen(("timeout 120 trace-cmd report -N -t -i '" + path + "' 2>/dev/null").c_str(), "re");
    if (pipe == nullptr)
        return {};
    std::string text;
    char buffer[65536];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, size);
    ::pclose(pipe);
    return text;
}

using EventKey = std::tuple<int, std::int64_t, std::string>;
using Report = std::map<EventKey, std::deque<std::string>>;

Report readReport(const std::string& path) {
    Report report;
    std::string* last = nullptr;
    const std::string all = runReport(path);
    for (std::string_view rest = all; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
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

struct Comparison {
    std::size_t total = 0;
    std::size_t equal = 0;
    std::map<std::string, std::size_t> different; ///< per event name
};

void compare(const std::string& path, Comparison& result) {
    const auto trace = loadTrace(path, JobContext());
    if (!trace) {
        std::printf("%s: %s\n", path.c_str(), trace.error().sentence().c_str());
        return;
    }
    Report report = readReport(path);
    const TraceStore& store = *trace->store;
    for (std::size_t index = 0; index < store.eventCount(); ++index) {
        const EventIndex event{static_cast<std::uint32_t>(index)};
        const std::string name = store.types()[store.type(event).index()].name;
        const auto place = report.find({store.cpu(event), store.time(event), name});
        const auto text = trace->source->text(store.record(event));
        ++result.total;
        if (place == report.end() || place->second.empty()) {
            if (result.different[name + " absent"]++ < 2)
                std::printf("%s absent %d %ld\n", name.c_str(), store.cpu(event), store.time(event));
            continue;
        }
        const std::string reference = place->second.front();
        place->second.pop_front();
        if (text && *text == reference)
            ++result.equal;
        else if (result.different[name]++ < 2)
            std::printf("%s %s\n  ours: %s\n  ref:  %s\n", path.c_str(), name.c_str(), text ? text->c_str() : text.error().sentence().c_str(),
                        reference.c_str());
    }
}

TEST(Probe, All) {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const char* folder : {"/fixtures/dat", "/public", ""})
        for (const auto& entry : fs::directory_iterator(tracesFolder() + folder))
            if (entry.path().extension() == ".dat")
                files.push_back(entry.path());
    std::ranges::sort(files);
    Comparison all;
    for (const std::string& path : files) {
        const std::string bytes = readBytes(path).substr(0, 12);
        std::string used = path;
        TemporaryFile converted;
        if (bytes.size() > 10 && bytes[10] == '7') {
            if (!convertToVersion6(path, converted.path())) {
                std::printf("cannot convert %s\n", path.c_str());
                continue;
            }
            used = converted.path();
        }
        Comparison one;
        compare(used, one);
        std::printf("== %s: %zu of %zu\n", path.c_str(), one.equal, one.total);
        std::fflush(stdout);
        all.total += one.total;
        all.equal += one.equal;
        for (auto& [n, c] : one.different)
            all.different[n] += c;
    }
    std::printf("ALL %zu of %zu\n", all.equal, all.total);
    for (auto& [n, c] : all.different)
        std::printf("   %s %zu\n", n.c_str(), c);
}

} // namespace

} // namespace inversight::test
