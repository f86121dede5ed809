// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"
#include "tests/app/schema.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>

/// A machine that lacks something: one line that says what, why and the remedy, exit status 1, and
/// nothing left behind.
namespace inversight {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class RefusalTest : public RecordingTest {
protected:
    void SetUp() override {
        RecordingTest::SetUp();
        if (IsSkipped())
            return;
        // Where a user without rights can reach and could write.
        program_ = path("inversight");
        fs::copy_file(INVERSIGHT_PROGRAM, program_);
        fs::permissions(path(""), fs::perms::all);
    }

    /// `wrapper` takes the rights away and then runs the program.
    ProgramResult runWithout(std::vector<std::string> wrapper,
                             const std::vector<std::string>& arguments) const {
        wrapper.push_back(program_);
        wrapper.insert(wrapper.end(), arguments.begin(), arguments.end());
        return runProgram(wrapper);
    }

    std::vector<std::string> run(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"run",      "i2c-bus-2009", "--loops", "3",
                                           "--engine", "real",         "-o",      path("out")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    void expectRefused(const ProgramResult& result, const std::string& what,
                       const std::string& remedy) const {
        EXPECT_EQ(result.exitStatus, 1);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err,
                    AllOf(StartsWith("inversight: "), HasSubstr(what), HasSubstr(remedy)));
        EXPECT_EQ(lineCount(result.err), 1U) << result.err;
        EXPECT_THAT(filesIn(path("")), testing::ElementsAre("inversight"));
    }

    static std::vector<std::string> nobody() {
        return {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
    }

private:
    std::string program_;
};

TEST_F(RefusalTest, UserWithoutRealTimeRights) {
    expectRefused(runWithout(nobody(), run()), "CAP_SYS_NICE", "sudo");
}

TEST_F(RefusalTest, WithoutRealTimeRightsItRunsInVirtualTimeAndSaysWhy) {
    const ProgramResult result = runWithout(nobody(), {"run", "i2c-bus-2009", "--loops", "3",
                                                       "--policy", "rt_mutex", "-o", path("out")});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("3 workers in virtual time on 1 CPU, recorded in "));
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("warning: in virtual time, because "), HasSubstr("CAP_SYS_NICE")));
    EXPECT_THAT(filesIn(path("out")), testing::ElementsAre("rt_mutex.dat"));
}

TEST_F(RefusalTest, UserWithoutTracefs) {
    expectRefused(runWithout(nobody(), {"record", "-o", path("x.dat"), "--duration", "0.1"}),
                  "tracing", "as root");
}

TEST_F(RefusalTest, RootWithoutTheCapability) {
    expectRefused(runWithout({"setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"},
                             run({"--no-record"})),
                  "real-time", "rtprio 99");
}

TEST_F(RefusalTest, OneCpu) {
    expectRefused(runWithout({"taskset", "-c", "0"}, run()), "1 allowed", "taskset");
}

TEST_F(RefusalTest, ProtocolSaysItToo) {
    const ProgramResult result = runWithout(nobody(), run({"--progress=json"}));
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_EQ(lineCount(result.err), 1U) << result.err;
    const auto lines = parseLines(result.out);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("type"), "hello");
    EXPECT_EQ(lines[1].at("type"), "error");
    EXPECT_EQ(lines[1].at("code"), "permission_denied");
    EXPECT_NE(lines[1].at("remedy"), "");
    EXPECT_TRUE(validBySchema("protocol", {lines[1].dump()}));
}

TEST_F(RefusalTest, DirectoryThatCannotBeMade) {
    const ProgramResult result =
        runInversight({"run", "i2c-bus-2009", "--loops", "3", "-o", path("inversight/is-a-file")});
    expectRefused(result, "cannot make the output directory", "is-a-file");
}

TEST_F(RefusalTest, ScenarioThatDoesNotExist) {
    const ProgramResult result = runInversight({"run", "no-such-scenario", "-o", path("out")});
    expectRefused(result, "no-such-scenario", "i2c-bus-2009");
}

TEST_F(RefusalTest, DoctorFailsAndNamesTheNeed) {
    const ProgramResult result = runWithout(nobody(), {"doctor"});
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_THAT(result.out, AllOf(HasSubstr("rt-rights"), HasSubstr("missing"),
                                  HasSubstr("tracefs"), HasSubstr("sudo")));
}

} // namespace
} // namespace inversight
