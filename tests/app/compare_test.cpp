// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/schema.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

#include <gmock/gmock.h>

namespace inversight {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CompareTest : public testing::Test {
protected:
    void SetUp() override { makeRuns("out", {}); }
    void makeRuns(const std::string& folder, const std::vector<std::string>& more) {
        std::vector<std::string> command{"run", "i2c-bus-2009", "--engine", "virtual", "--policy",
                                         "mutex-2009,rt_mutex-nice", "--loops", "1000", "-o",
                                         folder_.file(folder)};
        command.insert(command.end(), more.begin(), more.end());
        const ProgramResult result = runInversight(command);
        ASSERT_EQ(result.exitStatus, 0) << result.err;
    }
    ProgramResult compare(std::vector<std::string> more) {
        std::vector<std::string> command{"compare", before_, after_};
        command.insert(command.end(), more.begin(), more.end());
        return runInversight(command);
    }
    TemporaryFolder folder_;
    std::string before_ = folder_.file("out/mutex-2009.dat");
    std::string after_ = folder_.file("out/rt_mutex-nice.dat");
};

TEST_F(CompareTest, TellsWhatChangedAndHowSureThatIs) {
    const ProgramResult text = compare({});
    EXPECT_EQ(text.exitStatus, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("mutex-2009.dat (1 run) -> "));
    EXPECT_THAT(text.out, HasSubstr("fifo-99"));
    EXPECT_THAT(text.out, HasSubstr("single run a side, indicative"));
    EXPECT_THAT(text.out, Not(HasSubstr("EVENTS ARE MISSING")));
    const ProgramResult markdown = compare({"--format", "markdown"});
    EXPECT_THAT(markdown.out, HasSubstr("| worker | metric | before us |"));
}

TEST_F(CompareTest, DocumentSaysTheSame) {
    const ProgramResult result = compare({"--format", "json"});
    ASSERT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_TRUE(validBySchema("compare", {result.out}));
    const json comparison = json::parse(result.out)["data"]["comparisons"][0];
    EXPECT_EQ(comparison["before_run_count"], 1);
    ASSERT_EQ(comparison["rows"].size(), 9u);
    for (const json& row : comparison["rows"]) {
        if (row["worker"] == "fifo-99" && row["metric"] == "max") {
            EXPECT_LT(row["change_percent"].get<double>(), -90);
            EXPECT_TRUE(row["interval_percent"].is_null());
        }
    }
}

TEST_F(CompareTest, BoundsMakeItAGate) {
    EXPECT_EQ(compare({"--fail-if", "fifo-99:max>3ms"}).exitStatus, 0);
    const ProgramResult broken = compare({"--fail-if", "fifo-99:max>1us"});
    EXPECT_EQ(broken.exitStatus, 4);
    EXPECT_THAT(broken.err, HasSubstr("fifo-99:max>1us: max of fifo-99 is "));
    EXPECT_THAT(broken.out, HasSubstr("fifo-99")) << "the figures are told all the same";
    const ProgramResult wrong = compare({"--fail-if", "max"});
    EXPECT_EQ(wrong.exitStatus, 1);
    EXPECT_THAT(wrong.err, HasSubstr("METRIC>TIME"));
}

TEST_F(CompareTest, FoldersAreSetsOfRuns) {
    for (int i = 0; i < 5; ++i) {
        const std::string number = std::to_string(i);
        for (const char* side : {"mutex-2009", "rt_mutex-nice"}) {
            std::filesystem::create_directories(folder_.file(side));
            std::filesystem::copy_file(folder_.file(std::string("out/") + side + ".dat"),
                                       folder_.file(side + ("/" + number + ".dat")));
        }
    }
    const ProgramResult result =
        runInversight({"compare", folder_.file("mutex-2009"), folder_.file("rt_mutex-nice")});
    EXPECT_EQ(result.exitStatus, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("(5 runs) -> "));
    EXPECT_THAT(result.out, HasSubstr("permutation test over runs"));
    EXPECT_THAT(result.out, HasSubstr("differs"));
    std::filesystem::create_directories(folder_.file("empty"));
    const ProgramResult empty = runInversight({"compare", before_, folder_.file("empty")});
    EXPECT_EQ(empty.exitStatus, 1);
    EXPECT_THAT(empty.err, HasSubstr("no *.dat file"));
}

} // namespace
} // namespace inversight
