// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/schema.h"

#include <gmock/gmock.h>

/// What the command line answers without running anything.
namespace inversight {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Mistake {
    std::vector<std::string> arguments;
    std::string expected; ///< in the line on standard error
};

class UsageMistake : public testing::TestWithParam<Mistake> {};

TEST_P(UsageMistake, ExitsTwoWithOneLineThatNamesIt) {
    const ProgramResult result = runInversight(GetParam().arguments);
    EXPECT_EQ(result.exitStatus, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(StartsWith("inversight: "), HasSubstr(GetParam().expected),
                                  EndsWith("--help' shows the usage\n")));
    EXPECT_EQ(lineCount(result.err), 1U) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Usage, UsageMistake,
    testing::Values(Mistake{{"rnu"}, "'rnu' is neither a verb nor a file"},
                    Mistake{{"run"}, "SCENARIO is required"},
                    Mistake{{"run", "i2c-bus-2009", "--policy", "nope"}, "nope"},
                    Mistake{{"run", "i2c-bus-2009", "--policy", "rt_mutex,rt_mutex"},
                            "names a policy twice"},
                    Mistake{{"run", "i2c-bus-2009", "--loops", "0"}, "--loops"},
                    Mistake{{"run", "i2c-bus-2009", "--loops", "many"}, "--loops"},
                    Mistake{{"run", "i2c-bus-2009", "--duration", "1e300"}, "--duration"},
                    Mistake{{"run", "i2c-bus-2009", "--engine", "both"}, "--engine"},
                    Mistake{{"run", "i2c-bus-2009", "--format", "csv"}, "--format"},
                    Mistake{{"run", "i2c-bus-2009", "--progress=xml"}, "--progress"},
                    Mistake{{"run", "i2c-bus-2009", "--control=socket"}, "--control"},
                    Mistake{{"run", "i2c-bus-2009", "--frobnicate"}, "--frobnicate"},
                    Mistake{{"record"}, "--output is required"},
                    Mistake{{"record", "-o", "x.dat", "--duration", "-1"}, "--duration"},
                    Mistake{{"record", "-o", "x.dat", "sleep"}, "sleep"},
                    Mistake{{"info"}, "FILE is required"},
                    Mistake{{"analyze", "x.dat", "--format", "pdf"}, "--format"},
                    Mistake{{"export", "x.dat", "-o", "-"}, "--to is required"},
                    Mistake{{"export", "x.dat", "--to", "text"}, "--output is required"},
                    Mistake{{"export", "x.dat", "--to", "xml", "-o", "-"}, "--to"},
                    Mistake{{"shot", "x.dat"}, "--output is required"},
                    Mistake{{"list", "colours"}, "colours"}, Mistake{{"doctor", "now"}, "now"}));

TEST(Usage, HelpNamesEveryVerbAndTheExitCodes) {
    const ProgramResult result = runInversight({"--help"});
    EXPECT_EQ(result.exitStatus, 0);
    EXPECT_EQ(result.err, "");
    for (const char* word : {"run", "record", "info", "analyze", "explain", "export", "list",
                             "doctor", "shot", "130 interrupted"})
        EXPECT_THAT(result.out, HasSubstr(word));
}

TEST(Usage, VersionIsTheProjects) {
    const ProgramResult result = runInversight({"--version"});
    EXPECT_EQ(result.exitStatus, 0);
    EXPECT_EQ(result.out, "inversight " INVERSIGHT_VERSION "\n");
}

class MissingFile : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(MissingFile, ExitsOneWithOneLineThatNamesIt) {
    const ProgramResult result = runInversight(GetParam());
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(StartsWith("inversight: "), HasSubstr("no-such-dir/x.dat")));
    EXPECT_EQ(lineCount(result.err), 1U) << result.err;
}

INSTANTIATE_TEST_SUITE_P(Usage, MissingFile,
                         testing::Values(std::vector<std::string>{"info", "no-such-dir/x.dat"},
                                         std::vector<std::string>{"info", "no-such-dir/x.dat",
                                                                  "--format", "json"},
                                         std::vector<std::string>{"analyze", "no-such-dir/x.dat"},
                                         std::vector<std::string>{"export", "no-such-dir/x.dat",
                                                                  "--to", "text", "-o", "-"},
                                         std::vector<std::string>{"no-such-dir/x.dat"}));

TEST(Usage, ListHasEveryTable) {
    const ProgramResult result = runInversight({"list", "--format", "json"});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("list", {result.out}));
    const auto data = nlohmann::json::parse(result.out).at("data");
    std::vector<std::string> policies;
    for (const auto& policy : data.at("policies"))
        policies.push_back(policy.at("name"));
    EXPECT_THAT(policies, testing::IsSupersetOf({"mutex-2009", "rt_mutex"}));
    EXPECT_EQ(data.at("scenarios").at(0).at("name"), "i2c-bus-2009");
    EXPECT_EQ(data.at("buses").at(0).at("name"), "sim-i2c");
    EXPECT_EQ(data.size(), 5U);
}

TEST(Usage, ListOfOneKindIsThatKindOnly) {
    const ProgramResult json = runInversight({"list", "analyses", "--format", "json"});
    EXPECT_TRUE(validBySchema("list", {json.out}));
    EXPECT_EQ(nlohmann::json::parse(json.out).at("data").size(), 1U);
    const ProgramResult text = runInversight({"list", "analyses"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("boosts"), HasSubstr("sched_runs")));
}

TEST(Usage, DoctorSaysHowToGetWhatIsMissing) {
    const ProgramResult result = runInversight({"doctor", "--format", "json"});
    ASSERT_TRUE(validBySchema("doctor", {result.out}));
    const auto data = nlohmann::json::parse(result.out).at("data");
    bool missing = false;
    for (const auto& need : data.at("needs")) {
        missing = missing || need.at("state") == "missing";
        EXPECT_NE(need.at("remedy"), "");
    }
    EXPECT_EQ(data.at("ready"), !missing);
    EXPECT_EQ(result.exitStatus, missing ? 1 : 0);
}

} // namespace
} // namespace inversight
