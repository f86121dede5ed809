// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/record/recorder_fixture.h"

#include "core/base/unique_fd.h"
#include "trace/record/instance_name.h"
#include "trace/record/tracefs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <unistd.h>

namespace inversight {

void RecorderTest::SetUp() {
    const auto tracefs = Tracefs::open();
    if (!tracefs)
        GTEST_SKIP() << tracefs.error().sentence();
    tracefsPath_ = tracefs->path();
}

void RecorderTest::TearDown() {
    EXPECT_THAT(ownInstances(), testing::ElementsAre());
}

std::vector<std::string> RecorderTest::ownInstances() const {
    std::vector<std::string> names;
    const auto tracefs = Tracefs::open();
    if (!tracefs)
        return names;
    for (const std::string& name : tracefs->instances())
        if (const auto owner = parseInstanceName(name); owner && owner->pid == ::getpid())
            names.push_back(name);
    return names;
}

std::map<std::string, std::string> globalSettings(const std::string& tracefsPath) {
    std::map<std::string, std::string> settings;
    for (const char* file : {"buffer_percent",
                             "buffer_size_kb",
                             "buffer_subbuf_size_kb",
                             "current_tracer",
                             "dynamic_events",
                             "events/enable",
                             "events/sched/enable",
                             "events/sched/sched_switch/enable",
                             "kprobe_events",
                             "saved_cmdlines_size",
                             "set_event",
                             "set_event_notrace_pid",
                             "set_event_pid",
                             "set_ftrace_filter",
                             "set_ftrace_notrace",
                             "set_ftrace_pid",
                             "synthetic_events",
                             "timestamp_mode",
                             "trace_clock",
                             "trace_options",
                             "tracing_cpumask",
                             "tracing_max_latency",
                             "tracing_on",
                             "tracing_thresh",
                             "uprobe_events"})
        if (const auto text = readFile(tracefsPath + "/" + file))
            settings[file] = *text;
    for (const auto& option : std::filesystem::directory_iterator(tracefsPath + "/options"))
        settings[option.path()] = readFile(option.path()).value_or("?");
    for (const char* file :
         {"/proc/sys/kernel/ftrace_enabled", "/proc/sys/kernel/tracepoint_printk",
          "/proc/sys/kernel/stack_tracer_enabled"})
        if (const auto text = readFile(file))
            settings[file] = *text;
    return settings;
}

std::unique_ptr<Recorder> startRecorder(const RecorderOptions& options) {
    auto recorder = Recorder::start(options);
    EXPECT_TRUE(recorder) << recorder.error().sentence();
    return recorder ? *std::move(recorder) : nullptr;
}

std::vector<std::string> linesWith(const std::vector<std::string>& lines, const std::string& text) {
    std::vector<std::string> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
                 [&](const std::string& line) { return line.find(text) != std::string::npos; });
    return found;
}

} // namespace inversight
