// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/trace_findings.h"
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"
#include "tests/app/schema.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_script.h"
#include "trace/file/kernel_event_writer.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

/// `info`, `analyze`, `export`, and what `run` finds in its recording, on files made by hand.
namespace inversight {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::int32_t kLow = 10;
constexpr std::int32_t kHigh = 30;

/// low holds "m"; high asks for it, boosts low, gets it at 4100.
TraceScript boostStory() {
    TraceScript script;
    script.task(kLow, "low", 120).task(kHigh, "high", 0);
    script.at(1000).switchTo(kLow).at(1100).marker(HoldBegin{"m", 1});
    script.at(2000).waking(kHigh).at(2010).switchTo(kHigh, kTaskRunning);
    script.at(2100).marker(WaitBegin{"m"}).at(2200).setprio(kLow, 0);
    script.at(2300).switchTo(kLow, kTaskInterruptible);
    script.at(3900).marker(HoldEnd{"m", 1}).at(4000).setprio(kLow, 120).at(4010).waking(kHigh);
    script.at(4050).switchTo(kHigh, kTaskRunning).at(4100).marker(SliceEnd{});
    script.at(4110).marker(HoldBegin{"m", 2}).at(4500).marker(HoldEnd{"m", 2});
    script.at(5000).switchTo(0, kTaskInterruptible);
    return script;
}

class FileVerbs : public testing::Test {
protected:
    void SetUp() override {
        auto writer = KernelEventWriter::create(file_, {.cpuCount = 1});
        ASSERT_TRUE(writer.has_value()) << writer.error().sentence();
        boostStory().emitTo(**writer);
        ASSERT_TRUE((*writer)->finish().has_value());
    }

    TemporaryFolder folder_;
    std::string file_ = folder_.file("story.dat");
};

TEST_F(FileVerbs, InfoCountsEveryEvent) {
    const ProgramResult result = runInversight({"info", file_, "--format", "json"});
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("info", {result.out}));
    const json data = json::parse(result.out).at("data");
    EXPECT_EQ(data.at("format"), "trace.dat");
    EXPECT_EQ(data.at("version"), 6);
    EXPECT_EQ(data.at("event_counts").at("sched_switch"), 5);
    EXPECT_EQ(data.at("event_counts").at("sched_waking"), 2);
    EXPECT_EQ(data.at("event_counts").at("sched_pi_setprio"), 2);
    EXPECT_EQ(data.at("event_counts").at("print"), 6);
    EXPECT_EQ(data.at("lost_count"), 0);
}

TEST_F(FileVerbs, AnalyzeNamesTargetDonorAndLock) {
    const ProgramResult result = runInversight({"analyze", file_, "--format", "json"});
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("analyze", {result.out}));
    const json boosts = json::parse(result.out).at("data").at("boosts");
    ASSERT_EQ(boosts.size(), 1U);
    EXPECT_EQ(boosts.at(0).at("target").at("name"), "low");
    EXPECT_EQ(boosts.at(0).at("target").at("pid"), kLow);
    EXPECT_EQ(boosts.at(0).at("from_prio"), 120);
    EXPECT_EQ(boosts.at(0).at("to_prio"), 0);
    EXPECT_EQ(boosts.at(0).at("end_ns").get<int>() - boosts.at(0).at("begin_ns").get<int>(), 1800);
    EXPECT_EQ(boosts.at(0).at("lock"), "m");
}

TEST_F(FileVerbs, ExplainTellsTheWaitInASentence) {
    const ProgramResult result = runInversight({"explain", file_});
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith("1. At "));
    EXPECT_THAT(result.out, HasSubstr("high (RT 99) waited "));
    EXPECT_THAT(result.out, HasSubstr("low was boosted to RT 99."));
    const ProgramResult document = runInversight({"explain", file_, "--format", "json"});
    EXPECT_TRUE(validBySchema("explain", {document.out}));
}

TEST_F(FileVerbs, ASelectionLeavesWhatIsAskedFor) {
    const auto boostCount = [&](const std::vector<std::string>& words) {
        std::vector<std::string> command{"analyze", file_, "--format", "json", "--only", "boosts"};
        command.insert(command.end(), words.begin(), words.end());
        const ProgramResult result = runInversight(command);
        EXPECT_EQ(result.exitStatus, 0) << result.err;
        EXPECT_TRUE(validBySchema("analyze", {result.out}));
        return json::parse(result.out).at("data").at("boosts").size();
    };
    EXPECT_EQ(boostCount({}), 1U);
    EXPECT_EQ(boostCount({"--thread", "high"}), 1U);
    EXPECT_EQ(boostCount({"--lock", "m"}), 1U);
    EXPECT_EQ(boostCount({"--range", ":0.000000001"}), 0U);
    for (const auto& [option, word, what] :
         {std::tuple{"--thread", "nobody", "the trace has no thread nobody"},
          std::tuple{"--lock", "nothing", "the trace has no lock nothing"},
          std::tuple{"--range", "now", "no range: now"}}) {
        const ProgramResult result = runInversight({"analyze", file_, option, word});
        EXPECT_EQ(result.exitStatus, 1);
        EXPECT_THAT(result.err, HasSubstr(what));
    }
}

TEST_F(FileVerbs, TextForPeople) {
    EXPECT_THAT(runInversight({"info", file_}).out, HasSubstr("sched_pi_setprio"));
    const ProgramResult analyze = runInversight({"analyze", file_});
    EXPECT_EQ(analyze.exitStatus, 0) << analyze.err;
    EXPECT_THAT(analyze.out,
                testing::AllOf(HasSubstr("low"), HasSubstr("high"), HasSubstr("RT 99")));
}

TEST_F(FileVerbs, CsvHasOneHeader) {
    for (const char* verb : {"info", "analyze"}) {
        const ProgramResult result = runInversight({verb, file_, "--format", "csv"});
        EXPECT_EQ(result.exitStatus, 0) << result.err;
        EXPECT_GE(lineCount(result.out), 2U) << result.out;
        EXPECT_THAT(result.out, HasSubstr(","));
    }
}

TEST_F(FileVerbs, ExportWritesEveryEventAsALine) {
    const ProgramResult result = runInversight({"export", file_, "--to", "text", "-o", "-"});
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(lineCount(result.out), 15U) << result.out;
    EXPECT_THAT(result.out, HasSubstr("            high-30    [000]"));
    EXPECT_THAT(result.out, HasSubstr(" 0.000002200: sched_pi_setprio:     comm=low pid=10 "
                                      "oldprio=120 newprio=0\n"));

    const std::string output = folder_.file("events.txt");
    const ProgramResult toFile = runInversight({"export", file_, "--to", "text", "-o", output});
    ASSERT_EQ(toFile.exitStatus, 0) << toFile.err;
    EXPECT_EQ(toFile.out, "");
    std::ifstream file(output);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), result.out);
    EXPECT_THAT(folder_.names(), testing::Not(testing::Contains(HasSubstr(".partial"))));
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(FileVerbs, ExportCopiesARecordingAsEitherVersion) {
    const std::string lines = runInversight({"export", file_, "--to", "text", "-o", "-"}).out;
    const std::string six = folder_.file("six.dat");
    const std::string seven = folder_.file("seven.dat");
    ASSERT_EQ(runInversight({"export", file_, "--to", "trace.dat-v7", "-o", seven}).exitStatus, 0);
    const json info = json::parse(runInversight({"info", seven, "--format", "json"}).out);
    EXPECT_EQ(info.at("data").at("version"), 7);
    EXPECT_EQ(info.at("data").at("compression"), "zstd");
    EXPECT_EQ(runInversight({"export", seven, "--to", "text", "-o", "-"}).out, lines);
    ASSERT_EQ(runInversight({"export", seven, "--to", "trace.dat", "-o", six}).exitStatus, 0);
    EXPECT_TRUE(contentOf(six) == contentOf(file_));
    EXPECT_TRUE(runInversight({"export", file_, "--to", "trace.dat", "-o", "-"}).out ==
                contentOf(file_));
    EXPECT_THAT(folder_.names(), testing::ElementsAre("seven.dat", "six.dat", "story.dat"));
}

TEST_F(FileVerbs, ExportRefusesWhatCannotBeARecording) {
    const ProgramResult pipe = runInversight({"export", file_, "--to", "trace.dat-v7", "-o", "-"});
    EXPECT_EQ(pipe.exitStatus, 1);
    EXPECT_THAT(pipe.err, HasSubstr("version 7 of trace.dat can only be written to a file"));
    const std::string text = folder_.file("events.txt");
    ASSERT_EQ(runInversight({"export", file_, "--to", "text", "-o", text}).exitStatus, 0);
    const ProgramResult result =
        runInversight({"export", text, "--to", "trace.dat", "-o", folder_.file("out.dat")});
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_THAT(result.err, HasSubstr("only a trace.dat holds the pages"));
    EXPECT_THAT(folder_.names(), testing::ElementsAre("events.txt", "story.dat"));
}

TEST_F(FileVerbs, ExportOfATraceWithLossesSaysSo) {
    // Bit 31 of a page's commit word: events were missed before it. The file ends with its page.
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    constexpr std::streamoff kPageSize = 4096;
    constexpr std::streamoff kHighByteOfCommit = 8 + 3;
    file.seekp(-kPageSize + kHighByteOfCommit, std::ios::end);
    file.put('\x80');
    file.close();
    const ProgramResult result = runInversight({"export", file_, "--to", "text", "-o", "-"});
    EXPECT_EQ(result.exitStatus, 3);
    EXPECT_THAT(result.out, testing::StartsWith("CPU:0 [LOST EVENTS]\n"));
    EXPECT_EQ(lineCount(result.err), 1U);
    EXPECT_THAT(result.err, HasSubstr("lost while recording"));
}

TEST_F(FileVerbs, ExportThatFailsLeavesNothingBehind) {
    const std::string missing = folder_.file("no-such-dir/out.txt");
    const ProgramResult result = runInversight({"export", file_, "--to", "text", "-o", missing});
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_EQ(lineCount(result.err), 1U) << result.err;
    EXPECT_THAT(result.err, HasSubstr(missing));
    const ProgramResult itself = runInversight({"export", file_, "--to", "text", "-o", file_});
    EXPECT_EQ(itself.exitStatus, 1);
    EXPECT_THAT(itself.err, HasSubstr("the trace itself"));
    EXPECT_EQ(folder_.names(), std::vector<std::string>{"story.dat"});
}

TEST_F(FileVerbs, FileThatIsNoTraceIsRefusedInOneLine) {
    for (const char* verb : {"info", "analyze"}) {
        const ProgramResult result = runInversight({verb, INVERSIGHT_PROGRAM});
        EXPECT_EQ(result.exitStatus, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(lineCount(result.err), 1U) << result.err;
        EXPECT_THAT(result.err, HasSubstr(INVERSIGHT_PROGRAM));
    }
}

TEST_F(FileVerbs, FindingsGroupBoostsOfWorkers) {
    static constexpr std::array<std::int32_t, 1> kWorkers{kLow};
    const auto findings = findInTrace(file_, kWorkers, JobContext());
    ASSERT_TRUE(findings.has_value()) << findings.error().sentence();
    EXPECT_EQ(findings->workerBoostCount, 1U);
    EXPECT_EQ(findings->otherBoostCount, 0U);
    ASSERT_EQ(findings->boosts.size(), 1U);
    EXPECT_EQ(findings->boosts[0].sentence(),
              "low nice 0 -> RT 99 by high on m: 1 time, longest 1.800 us");

    static constexpr std::array<std::int32_t, 1> kOthers{kHigh};
    const auto others = findInTrace(file_, kOthers, JobContext());
    ASSERT_TRUE(others.has_value());
    EXPECT_EQ(others->workerBoostCount, 0U);
    EXPECT_EQ(others->otherBoostCount, 1U);
}

TEST_F(FileVerbs, ShotWithoutTheWindowProgramSaysWhatToDo) {
    // A copy on its own, so that no window program stands beside it; and an empty PATH.
    const std::string lone = file_ + ".lone";
    std::filesystem::copy_file(INVERSIGHT_PROGRAM, lone);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"shot", file_, "-o", "x.png"}, {file_}}) {
        std::vector<std::string> command{"env", "PATH=/nowhere", lone};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const ProgramResult result = runProgram(command);
        EXPECT_EQ(result.exitStatus, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(lineCount(result.err), 1U) << result.err;
        EXPECT_THAT(result.err, testing::AllOf(HasSubstr("inversight-gui"), HasSubstr("install")));
    }
}

TEST_F(FileVerbs, ShotPassesItsArgumentsOn) {
    const std::string lone = file_ + ".lone";
    std::filesystem::copy_file(INVERSIGHT_PROGRAM, lone);
    const std::string window = std::filesystem::path(file_).parent_path() / "inversight-gui";
    std::filesystem::copy_file("/bin/echo", window); // stands in for the window program
    const ProgramResult result = runProgram({lone, "shot", file_, "-o", "x.png", "--size",
                                             "800x600", "--range", "1:2", "--theme", "dark"});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_EQ(result.out,
              "--shot " + file_ + " -o x.png --size 800x600 --range 1:2 --theme dark\n");
    EXPECT_EQ(runProgram({lone, file_}).out, file_ + "\n");
}

TEST_F(FileVerbs, ShotDescribesThePictureAsADocument) {
    const std::filesystem::path folder = std::filesystem::path(file_).parent_path();
    const std::string lone = file_ + ".lone";
    std::filesystem::copy_file(INVERSIGHT_PROGRAM, lone);
    // Stands in for the window program: a PNG's first 24 bytes, 1600 x 900, evidence incomplete.
    std::ofstream(folder / "inversight-gui")
        << "#!/bin/sh\nprintf "
           "'\\211PNG\\r\\n\\032\\n\\0\\0\\0\\015IHDR\\0\\0\\6\\100\\0\\0\\3\\204' > \"$4\"\n"
           "echo drawn; exit 3\n";
    std::filesystem::permissions(folder / "inversight-gui", std::filesystem::perms::owner_all);
    const std::string picture = folder / "x.png";
    const ProgramResult result =
        runProgram({lone, "shot", file_, "-o", picture, "--format", "json"});
    EXPECT_EQ(result.exitStatus, 3);
    EXPECT_EQ(result.err, "drawn\n");
    EXPECT_TRUE(validBySchema("shot", {result.out}));
    const json document = json::parse(result.out);
    EXPECT_EQ(document.at("complete"), false);
    EXPECT_EQ(document.at("data").at("width"), 1600);
    EXPECT_EQ(document.at("data").at("height"), 900);
    EXPECT_EQ(document.at("data").at("image"), picture);
}

} // namespace
} // namespace inversight
