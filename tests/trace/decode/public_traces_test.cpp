// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Traces people published, against what trace-cmd report says of them (public/golden).
#include "collecting_sink.h"
#include "trace/decode/trace_source.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <sstream>

namespace inversight::test {

namespace {

namespace fs = std::filesystem;

/// What a summary says.
struct Golden {
    std::map<std::string, std::size_t> events;
    std::map<int, std::size_t> cpus;
    std::string firstTime;
    std::string lastTime;
    std::map<std::uint64_t, std::size_t> states; ///< raw prev_state
};

void readStates(const std::string& text, Golden& golden) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        golden.states[std::stoull(word.substr(0, equals), nullptr, 0)] +=
            std::stoul(word.substr(equals + 1));
    }
}

Golden readGolden(const std::string& path) {
    Golden golden;
    std::istringstream lines(readBytes(path));
    std::string part;
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view kRaw = "# prev_state raw (-R): ";
        std::istringstream words(line);
        std::string first, second;
        if (line.starts_with(kRaw)) {
            readStates(line.substr(kRaw.size()), golden);
        } else if (line.starts_with("# first time ")) {
            words >> first >> first >> first >> golden.firstTime >> first >> first >>
                golden.lastTime;
            part = "lines";
        } else if (line.starts_with("# ")) {
            part = line;
        } else if (part == "# events" && words >> first >> second) {
            golden.events[second] = std::stoul(first);
        } else if (part == "# per CPU" && words >> first >> second) {
            golden.cpus[std::stoi(second.substr(1))] = std::stoul(first);
        }
    }
    return golden;
}

/// The same of what was loaded.
Golden summarize(const CollectingSink& sink, const SourceInfo& info) {
    Golden found;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (int cpu = 0; cpu < info.cpuCount; ++cpu) {
        for (const CollectedEvent& event : sink.events(StreamId{0}, cpu)) {
            ++found.events[sink.type(event).name];
            ++found.cpus[cpu];
            first = std::min(first, event.header.time);
            last = std::max(last, event.header.time);
            if (sink.type(event).name == "sched_switch")
                ++found.states[event.fields["prev_state"].get<std::uint64_t>()];
        }
    }
    const auto seconds = [](std::int64_t time) {
        std::string digits = std::to_string(time);
        digits.insert(0, std::max<std::size_t>(digits.size(), 10) - digits.size(), '0');
        return digits.insert(digits.size() - 9, ".");
    };
    if (!found.cpus.empty()) {
        found.firstTime = seconds(first);
        found.lastTime = seconds(last);
    }
    return found;
}

std::vector<std::string> publicNames() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(tracesFolder() + "/public/golden", error)) {
        const std::string name = entry.path().filename();
        if (const std::size_t end = name.find(".dat.summary.txt"); end != std::string::npos)
            names.push_back(name.substr(0, end));
    }
    std::ranges::sort(names);
    return orAbsent(names);
}

class Public : public testing::TestWithParam<std::string> {};

TEST_P(Public, IsAsTraceCmdReportSays) {
    SKIP_WITHOUT_TRACES(GetParam());
    const auto source = openTraceSource(tracesFolder() + "/public/" + GetParam() + ".dat");
    ASSERT_TRUE(source) << source.error().sentence();
    CollectingSink sink;
    const auto report = (*source)->load(StreamId{0}, sink, {});
    ASSERT_TRUE(report) << report.error().sentence();
    EXPECT_TRUE(report->complete) << testing::PrintToString(report->warnings);
    const Golden golden =
        readGolden(tracesFolder() + "/public/golden/" + GetParam() + ".dat.summary.txt");
    const Golden found = summarize(sink, (*source)->info());
    EXPECT_EQ(found.events, golden.events);
    EXPECT_EQ(found.cpus, golden.cpus);
    EXPECT_EQ(found.firstTime, golden.firstTime);
    EXPECT_EQ(found.lastTime, golden.lastTime);
    EXPECT_EQ(found.states, golden.states);
}

INSTANTIATE_TEST_SUITE_P(Shared, Public, testing::ValuesIn(publicNames()), fixtureTestName);

} // namespace

} // namespace inversight::test
