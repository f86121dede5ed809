// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"
#include "tests/app/schema.h"

#include <array>
#include <atomic>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>
#include <unistd.h>

/// `inversight record` of this machine.
namespace inversight {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RecordTest : public RecordingTest {
protected:
    std::vector<std::string> record(std::vector<std::string> more) const {
        std::vector<std::string> arguments{"record", "-o", path("x.dat")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return inversight(arguments);
    }

    /// Returns when the recording has begun.
    void letItBegin(const Program& program) const {
        waitUntil("an instance and a spool", [&] {
            return !instancesOf(program.pid()).empty() && !filesIn(path("")).empty();
        });
        std::this_thread::sleep_for(200ms);
    }
};

TEST_F(RecordTest, CommandIsRunAndItsStatusReported) {
    const ProgramResult result =
        runProgram(record({"--format", "json", "--", "sh", "-c", "echo from the command; exit 7"}));
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("record", {result.out}));
    EXPECT_THAT(result.err, HasSubstr("from the command\n"));
    const json data = json::parse(result.out).at("data");
    EXPECT_EQ(data.at("exit_status"), 7);
    EXPECT_EQ(data.at("exit_signal"), nullptr);
    EXPECT_EQ(data.at("command").at(0), "sh");
    EXPECT_GT(data.at("event_count"), 0);
    const auto counts = countsByTraceCmd(path("x.dat"));
    EXPECT_GT(counts.at("sched_process_exit"), 0U);
    EXPECT_EQ(countsByInfo(path("x.dat")), counts);
    EXPECT_THAT(filesIn(path("")), ElementsAre("x.dat"));
}

TEST_F(RecordTest, CommandIsReportedInText) {
    const ProgramResult result = runProgram(record({"--", "sh", "-c", "echo out; kill -9 $$"}));
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, testing::AllOf(testing::StartsWith("out\n"), HasSubstr("x.dat: "),
                                           HasSubstr("sh: ended by signal 9\n"),
                                           HasSubstr("lost events: none\n")));
}

TEST_F(RecordTest, CommandThatDoesNotExistLeavesNothing) {
    Program program(record({"--", "no-such-command"}));
    const pid_t pid = program.pid();
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_THAT(result.err, testing::AllOf(HasSubstr("no-such-command"),
                                           HasSubstr("No such file or directory")));
    EXPECT_EQ(lineCount(result.err), 1U) << result.err;
    EXPECT_THAT(filesIn(path("")), IsEmpty());
    EXPECT_THAT(instancesOf(pid), IsEmpty());
}

TEST_F(RecordTest, OnlyTheEventsAskedFor) {
    EXPECT_EQ(runProgram(record({"-e", "sched:sched_switch", "--duration", "0.3"})).exitStatus, 0);
    const auto counts = countsByInfo(path("x.dat"));
    ASSERT_EQ(counts.size(), 1U);
    EXPECT_EQ(counts.begin()->first, "sched_switch");
}

TEST_F(RecordTest, InterruptIsTheNormalEndWithoutCommandAndDuration) {
    Program program(record({"--format", "json"}));
    const pid_t pid = program.pid();
    letItBegin(program);
    program.signal(SIGINT);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("record", {result.out}));
    EXPECT_THAT(instancesOf(pid), IsEmpty());
    EXPECT_EQ(countsByInfo(path("x.dat")), countsByTraceCmd(path("x.dat")));
}

TEST_F(RecordTest, InterruptBeforeTheDurationIsOver) {
    Program program(record({"--duration", "100"}));
    letItBegin(program);
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().exitStatus, 130);
    EXPECT_THAT(filesIn(path("")), ElementsAre("x.dat"));
}

TEST_F(RecordTest, StoppingEndsTheCommand) {
    Program program(record({"--progress=json", "--control=stdin", "--", "sleep", "100"}));
    letItBegin(program);
    program.write("stop\n");
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    const auto lines = parseLines(result.out);
    ASSERT_EQ(lines.back().at("type"), "result");
    EXPECT_EQ(lines.back().at("document").at("data").at("exit_signal"), SIGTERM);
}

/// Two threads that wake each other as fast as they can: tens of thousands of events per second.
class PingPong {
public:
    PingPong() {
        EXPECT_EQ(pipe(there_.data()), 0);
        EXPECT_EQ(pipe(back_.data()), 0);
        echo_ = std::thread([this] { pass(there_[0], back_[1]); });
        serve_ = std::thread([this] { pass(back_[0], there_[1]); });
        EXPECT_EQ(write(there_[1], "x", 1), 1);
    }
    ~PingPong() {
        stop_ = true;
        // Either may sit in its read while the other has left with the ball unread.
        EXPECT_EQ(write(there_[1], "x", 1), 1);
        EXPECT_EQ(write(back_[1], "x", 1), 1);
        serve_.join();
        echo_.join();
        for (const int fd : {there_[0], there_[1], back_[0], back_[1]})
            close(fd);
    }

private:
    void pass(int from, int to) const {
        char ball = 0;
        while (!stop_ && read(from, &ball, 1) == 1 && write(to, &ball, 1) == 1) {
        }
    }

    std::array<int, 2> there_{};
    std::array<int, 2> back_{};
    std::atomic<bool> stop_{false};
    std::thread echo_;
    std::thread serve_;
};

TEST_F(RecordTest, LostEventsAreSaidAndMakeTheExitStatusThree) {
    Program program(record({"-b", "64", "--format", "json"}));
    letItBegin(program);
    program.signal(SIGSTOP); // nobody empties the ring
    {
        const PingPong load;
        std::this_thread::sleep_for(1s);
    }
    program.signal(SIGCONT);
    program.signal(SIGINT);
    const ProgramResult result = program.wait();
    EXPECT_EQ(result.exitStatus, 3) << result.err;
    EXPECT_TRUE(validBySchema("record", {result.out}));
    const json document = json::parse(result.out);
    EXPECT_EQ(document.at("complete"), false);
    EXPECT_GT(document.at("data").at("lost_count"), 0);
}

} // namespace
} // namespace inversight
