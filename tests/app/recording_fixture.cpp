// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/recording_fixture.h"

#include "tests/app/program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sched.h>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace inversight {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const fs::path kTracefs = "/sys/kernel/tracing";

/// Empty where this machine can record a run.
std::string whyNot() {
    if (geteuid() != 0)
        return "needs root";
    if (access((kTracefs / "instances").c_str(), W_OK) != 0)
        return "needs a writable tracefs at /sys/kernel/tracing";
    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) < 2)
        return "needs two CPUs";
    return {};
}

std::string contentOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::map<std::string, std::string> readGlobalSettings() {
    static constexpr std::array kFiles{"tracing_on", "current_tracer", "trace_clock",
                                       "set_event",  "buffer_size_kb", "set_event_pid"};
    std::map<std::string, std::string> settings;
    for (const char* file : kFiles)
        settings[file] = contentOf(kTracefs / file);
    return settings;
}

} // namespace

void RecordingTest::SetUp() {
    if (const std::string reason = whyNot(); !reason.empty())
        GTEST_SKIP() << reason;
    globalSettings_ = readGlobalSettings();
}

void RecordingTest::TearDown() {
    if (globalSettings_.empty())
        return;
    EXPECT_EQ(readGlobalSettings(), globalSettings_) << "global tracing settings were touched";
}

std::vector<std::string> instancesOf(pid_t pid) {
    const std::string prefix = "inversight-" + std::to_string(pid) + "-";
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(kTracefs / "instances")) {
        if (entry.path().filename().string().starts_with(prefix))
            names.push_back(entry.path().filename().string());
    }
    return names;
}

void waitUntil(const std::string& what, const std::function<bool()>& condition,
               std::chrono::seconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            ADD_FAILURE() << "did not happen: " << what;
            return;
        }
        std::this_thread::sleep_for(10ms);
    }
}

std::vector<std::string> filesIn(const std::string& directory) {
    std::vector<std::string> names;
    if (!fs::exists(directory))
        return names;
    for (const auto& entry : fs::directory_iterator(directory))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::map<std::string, std::uint64_t> countsByTraceCmd(const std::string& file) {
    // "  task-123   [000] d..2.  12.345678: event: ..."; task names may hold nearly anything, so
    // the CPU's brackets and the time after them are what is looked for.
    static const std::regex kLine(R"(\[\d{3,}\] +(?:\S+ +)?\d+\.\d+: +([A-Za-z0-9_]+): )");
    const ProgramResult report = runProgram({"trace-cmd", "report", "-i", file});
    EXPECT_EQ(report.exitStatus, 0) << report.err;
    std::map<std::string, std::uint64_t> counts;
    std::istringstream lines(report.out);
    for (std::string line; std::getline(lines, line);) {
        line += ' '; // an event without fields ends after its colon
        if (std::smatch match; std::regex_search(line, match, kLine))
            ++counts[match[1]];
    }
    return counts;
}

std::map<std::string, std::uint64_t> countsByInfo(const std::string& file) {
    const ProgramResult info = runInversight({"info", file, "--format", "json"});
    EXPECT_EQ(info.exitStatus, 0) << info.err;
    const auto document = nlohmann::json::parse(info.out, nullptr, false);
    EXPECT_TRUE(document.is_object()) << info.out;
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [name, count] : document.at("data").at("event_counts").items()) {
        if (count != 0)
            counts[name] = count;
    }
    return counts;
}

} // namespace inversight
