// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario.h"
#include "tests/app/schema.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(ScenarioSchema, EveryBuiltInScenarioIsValid) {
    std::vector<std::string> documents;
    for (const BuiltInScenario& scenario : builtInScenarios())
        documents.emplace_back(scenario.json);
    EXPECT_TRUE(validBySchema("scenario", documents));
}

TEST(ScenarioSchema, TheGuidesExampleIsValid) {
    std::ifstream guide(INVERSIGHT_GUIDE "/scenarios.md");
    const std::string text(std::istreambuf_iterator<char>(guide), {});
    const std::string fence = "```json\n";
    const std::size_t begin = text.find(fence) + fence.size();
    const std::string document = text.substr(begin, text.find("```", begin) - begin);
    const auto scenario = parseScenario(document);
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    EXPECT_EQ(scenario->spec.name, "my-robot");
    EXPECT_TRUE(validBySchema("scenario", {document}));
}

/// The schema refuses, by itself, what the reader refuses.
TEST(ScenarioSchema, MistakesAreSeen) {
    const std::string head = R"({"scenario": 1, "name": "x", "threads": [{"name": "a", )";
    const std::string body = R"("body": [{"run": {"duration_ns": 1}}]}]})";
    EXPECT_TRUE(validBySchema("scenario", {head + R"("class": "other", )" + body}));
    for (const char* wrong : {
             R"("class": "fifo", )",
             R"("class": "other", "priority": 5, )",
             R"("class": "fifo", "priority": 5, "nice": 1, )",
             R"("class": "deadline", )",
             R"("class": "idle", )",
             R"("class": "other", "loops": 0, )",
             R"("class": "other", "start_ns": {"uniform": {"low_ns": 1}}, )",
         }) {
        const std::string document = head + wrong + body;
        EXPECT_FALSE(parseScenario(document)) << wrong;
        EXPECT_FALSE(validBySchema("scenario", {document})) << wrong;
    }
}

} // namespace
} // namespace inversight
