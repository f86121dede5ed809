// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"
#include "tests/app/schema.h"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <thread>

/// Runs and recordings that do not reach their end: what must remain, and what must not.
namespace inversight {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StopTest : public RecordingTest {
protected:
    /// A run that lasts minutes unless stopped.
    std::vector<std::string> longRun(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{
            "run",     "i2c-bus-2009", "--policy", "rt_mutex,mutex-2009",
            "--loops", "100000",       "-o",       path("out")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return inversight(arguments);
    }

    /// Returns when the run is well under way.
    void letItRun() const {
        waitUntil("pages in the spool", [&] {
            std::error_code missing;
            for (const auto& entry : fs::directory_iterator(path("out"), missing)) {
                const bool pages = entry.path().string().find(".partial.cpu") != std::string::npos;
                if (pages && entry.file_size(missing) > 100'000)
                    return true;
            }
            return false;
        });
    }

    /// A whole file that both readers agree on.
    void expectReadable(const std::string& file) const {
        const auto counts = countsByTraceCmd(path(file));
        ASSERT_TRUE(counts.contains("sched_switch")) << file;
        EXPECT_EQ(countsByInfo(path(file)), counts);
    }
};

TEST_F(StopTest, InterruptKeepsTheRecordingAndRemovesTheInstance) {
    Program program(longRun());
    const pid_t pid = program.pid();
    letItRun();
    EXPECT_EQ(instancesOf(pid).size(), 1U);
    program.signal(SIGINT);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 130) << result.err;
    EXPECT_THAT(instancesOf(pid), IsEmpty());
    // The second policy was not begun, and no spool is left of the first.
    EXPECT_THAT(filesIn(path("out")), ElementsAre("rt_mutex.dat"));
    EXPECT_THAT(result.out, testing::AllOf(HasSubstr("stopped early"), HasSubstr("fifo-99"),
                                           HasSubstr("boosted: ")));
    expectReadable("out/rt_mutex.dat");
}

TEST_F(StopTest, SecondInterruptDoesNotHarmTheFile) {
    Program program(longRun({"--format", "json"}));
    const pid_t pid = program.pid();
    letItRun();
    program.signal(SIGINT);
    std::this_thread::sleep_for(5ms);
    program.signal(SIGINT);
    program.signal(SIGTERM);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 130) << result.err;
    EXPECT_THAT(instancesOf(pid), IsEmpty());
    EXPECT_THAT(filesIn(path("out")), ElementsAre("rt_mutex.dat"));
    EXPECT_TRUE(validBySchema("run", {result.out}));
    EXPECT_EQ(json::parse(result.out).at("complete"), false);
    expectReadable("out/rt_mutex.dat");
}

TEST_F(StopTest, KilledRunLeavesASpoolThatTraceCmdRestores) {
    Program program(longRun());
    const pid_t pid = program.pid();
    letItRun();
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().exitStatus, -SIGKILL);
    ASSERT_EQ(instancesOf(pid).size(), 1U) << "nobody was there to remove it";

    std::vector<std::string> restore{
        "trace-cmd", "restore", "-i", path("out/rt_mutex.dat.partial"), "-o", path("restored.dat")};
    for (int cpu = 0; fs::exists(path("out/rt_mutex.dat.partial.cpu" + std::to_string(cpu))); ++cpu)
        restore.push_back(path("out/rt_mutex.dat.partial.cpu" + std::to_string(cpu)));
    ASSERT_GT(restore.size(), 7U);
    const ProgramResult restored = runProgram(restore);
    EXPECT_EQ(restored.exitStatus, 0) << restored.err;
    expectReadable("restored.dat");

    // The same output is refused, for what is there is somebody's recording ...
    const ProgramResult again =
        runInversight({"record", "-o", path("out/rt_mutex.dat"), "--duration", "0.1"});
    EXPECT_EQ(again.exitStatus, 1);
    EXPECT_THAT(again.err, HasSubstr("rt_mutex.dat.partial"));
    EXPECT_EQ(lineCount(again.err), 1U) << again.err;
    // ... and the next recording removes the dead one's instance.
    EXPECT_EQ(runInversight({"record", "-o", path("next.dat"), "--duration", "0.1"}).exitStatus, 0);
    EXPECT_THAT(instancesOf(pid), IsEmpty());
}

TEST_F(StopTest, ControlLineStopsARunWithItsResult) {
    Program program(longRun({"--progress=json", "--control=stdin"}));
    letItRun();
    program.write("hello\nstop\n");
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 3) << result.err; // cut short
    const std::vector<json> lines = parseLines(result.out);
    ASSERT_EQ(lines.back().at("type"), "result");
    const json document = lines.back().at("document");
    EXPECT_TRUE(validBySchema("run", {document.dump()}));
    EXPECT_EQ(document.at("complete"), false);
    ASSERT_EQ(document.at("data").at("runs").size(), 1U);
    const json& run = document.at("data").at("runs").at(0);
    EXPECT_EQ(run.at("interrupted"), true);
    EXPECT_GT(run.at("threads").at(2).at("operation_count"), 0);
    EXPECT_LT(run.at("threads").at(2).at("operation_count"), 100'000);
    expectReadable("out/rt_mutex.dat");
}

TEST_F(StopTest, EndOfInputStopsARun) {
    Program program(longRun({"--progress=json", "--control=stdin"}));
    const pid_t pid = program.pid();
    letItRun();
    program.closeInput();
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 3) << result.err;
    EXPECT_EQ(parseLines(result.out).back().at("type"), "result");
    EXPECT_THAT(instancesOf(pid), IsEmpty());
}

TEST_F(StopTest, ReaderThatGoesAwayDoesNotHarmTheRun) {
    const ProgramResult result = runProgram(
        {"bash", "-c",
         "\"$0\" run i2c-bus-2009 --policy rt_mutex --loops 200 -o \"$1\" --progress=json | "
         "head -n 1; exit ${PIPESTATUS[0]}",
         INVERSIGHT_PROGRAM, path("out")});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_EQ(parseLines(result.out).at(0).at("type"), "hello");
    EXPECT_THAT(filesIn(path("out")), ElementsAre("rt_mutex.dat"));
}

} // namespace
} // namespace inversight
