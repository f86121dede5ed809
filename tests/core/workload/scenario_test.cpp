// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;

/// A small valid document; `replaced` is put in place of its first `text`.
std::string documentWith(const std::string& text = "", const std::string& replaced = "") {
    std::string json = R"({
        "scenario": 1, "name": "small",
        "buses": [ { "name": "i2c-2", "backend": "sim-i2c", "clock_hz": 400000 } ],
        "threads": [
            { "name": "low", "class": "other", "nice": 5, "loops": 3,
              "body": [ { "run": { "duration_ns": 1000 } },
                        { "transfer": { "bus": "i2c-2", "operation": "quick" } } ] },
            { "name": "high", "class": "rr", "priority": 7, "loops": 2,
              "body": [ { "sleep": { "duration_ns": 2000, "skip_last": true } } ] }
        ] })";
    if (!text.empty())
        json.replace(json.find(text), text.size(), replaced);
    return json;
}

TEST(Scenario, EveryPartArrives) {
    const auto scenario = parseScenario(documentWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const WorkloadSpec& spec = scenario->spec;
    EXPECT_EQ(spec.name, "small");
    ASSERT_EQ(spec.buses.size(), 1u);
    EXPECT_EQ(spec.buses[0].backend, "sim-i2c");
    EXPECT_EQ(spec.buses[0].clockHz, 400'000u);
    EXPECT_EQ(spec.buses[0].slaveAddress, 0x4b);
    EXPECT_EQ(spec.buses[0].lockName(), "i2c-2 bus lock");
    ASSERT_EQ(spec.threads.size(), 2u);
    EXPECT_EQ(spec.threads[0].scheduling, (Scheduling{SchedulingClass::Other, 5, 0}));
    EXPECT_EQ(spec.threads[0].loops, 3u);
    EXPECT_EQ(std::get<RunStep>(spec.threads[0].body[0]).duration, nanoseconds(1000));
    EXPECT_EQ(std::get<TransferStep>(spec.threads[0].body[1]).bus, "i2c-2");
    EXPECT_EQ(std::get<TransferStep>(spec.threads[0].body[1]).operation,
              BusOperation(I2cOperation::Quick));
    EXPECT_EQ(spec.threads[1].scheduling, (Scheduling{SchedulingClass::RoundRobin, 0, 7}));
    EXPECT_TRUE(std::get<SleepStep>(spec.threads[1].body[0]).skipLast);
    EXPECT_EQ(spec.totalOperations(), 3u);
    EXPECT_EQ(spec.findBus("i2c-3"), nullptr);
}

TEST(Scenario, BuiltInBusOf2009IsTheOriginal) {
    const auto scenario = loadScenario("i2c-bus-2009");
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const WorkloadSpec& spec = scenario->spec;
    EXPECT_EQ(spec.name, "i2c-bus-2009");
    EXPECT_EQ(spec.totalOperations(), 30'000u);
    ASSERT_EQ(spec.threads.size(), 3u);
    EXPECT_EQ(spec.threads[0].scheduling.text(), "nice 0");
    EXPECT_EQ(spec.threads[1].scheduling.text(), "nice -5");
    EXPECT_EQ(spec.threads[2].scheduling.text(), "FIFO 99");
    const auto& sleep = std::get<SleepStep>(spec.threads[2].body[1]);
    EXPECT_EQ(sleep.duration, nanoseconds(1'000'000));
    EXPECT_TRUE(sleep.skipLast);
    EXPECT_EQ(spec.buses[0].clockHz, 100'000u);
}

TEST(Scenario, EveryBuiltInIsValidAndNamedAsItsFile) {
    ASSERT_FALSE(builtInScenarios().empty());
    for (const BuiltInScenario& builtIn : builtInScenarios()) {
        const auto scenario = parseScenario(builtIn.json);
        ASSERT_TRUE(scenario) << builtIn.name << ": " << scenario.error().sentence();
        EXPECT_EQ(scenario->spec.name, builtIn.name);
    }
}

TEST(Scenario, OverridesReachTheSpecAndTheDocument) {
    const auto scenario = parseScenario(documentWith(), {.loops = 42});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    for (const ThreadSpec& thread : scenario->spec.threads)
        EXPECT_EQ(thread.loops, 42u);
    const auto again = parseScenario(scenario->document);
    ASSERT_TRUE(again) << again.error().sentence();
    EXPECT_EQ(again->spec.threads[0].loops, 42u);
    EXPECT_EQ(again->document, scenario->document);
    EXPECT_THAT(scenario->document, HasSubstr("\"loops\":42"));
}

TEST(Scenario, LoopsOverrideHasLimits) {
    const auto none = parseScenario(documentWith(), {.loops = 0});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(none.error().where, "the loops override");
    EXPECT_EQ(none.error().what, "expected an integer from 1 to 1000000000");
    EXPECT_FALSE(parseScenario(documentWith(), {.loops = ~std::uint64_t{0}}));
}

struct BadCase {
    const char* text;
    const char* replaced;
    const char* where;
    const char* what;
};

const BadCase kBadCases[] = {
    {"\"priority\": 7", "\"priority\": 100", "threads[1].priority",
     "expected an integer from 1 to 99"},
    {"\"priority\": 7", "\"priority\": 0", "threads[1].priority", "from 1 to 99"},
    {"\"priority\": 7", "\"priority\": 7.5", "threads[1].priority", "an integer"},
    {"\"priority\": 7", "\"priority\": 18446744073709551615", "threads[1].priority", "an integer"},
    {"\"priority\": 7,", "", "threads[1].priority", "\"priority\" is missing"},
    {"\"priority\": 7", "\"priority\": 7, \"nice\": 0", "threads[1].nice",
     "\"priority\" for a real-time class"},
    {"\"nice\": 5", "\"nice\": -21", "threads[0].nice", "from -20 to 19"},
    {"\"nice\": 5", "\"nice\": 20", "threads[0].nice", "from -20 to 19"},
    {"\"nice\": 5", "\"priority\": 5", "threads[0].priority", "\"nice\" for class other"},
    {"\"rr\"", "\"idle\"", "threads[1].class", "one of other, fifo, rr, deadline"},
    {"\"rr\"", "\"deadline\"", "threads[1].priority",
     "\"sched_runtime_ns\" and its like for class deadline"},
    {"\"loops\": 3", "\"loops\": 0", "threads[0].loops", "from 1 to 1000000000"},
    {"\"loops\": 3", "\"loops\": \"3\"", "threads[0].loops", "an integer"},
    {"\"low\"", "\"sixteen-byte-nam\"", "threads[0].name", "1 to 15 bytes"},
    {"\"low\"", "\"\"", "threads[0].name", "1 to 15 bytes"},
    {"\"low\"", "\"a\\nb\"", "threads[0].name", "without control characters"},
    {"\"high\"", "\"low\"", "threads[1].name", "a name no other thread has"},
    {"\"bus\": \"i2c-2\"", "\"bus\": \"i2c-9\"", "threads[0].body[1].transfer.bus",
     "the name of one of \"buses\""},
    {"\"quick\"", "\"slow\"", "threads[0].body[1].transfer.operation", "one of quick, send_byte"},
    {"\"duration_ns\": 1000", "\"duration_ns\": -1", "threads[0].body[0].run.duration_ns",
     "from 0 to"},
    {"\"skip_last\": true", "\"skip_last\": 1", "threads[1].body[0].sleep.skip_last",
     "true or false"},
    {"{ \"run\"", "{ \"walk\"", "threads[0].body[0].walk",
     "run, sleep, lock, unlock, trylock, transfer, next_period or mark"},
    {"{ \"run\"", "{ \"a\": 1, \"run\"", "threads[0].body[0]", "one member"},
    {"400000", "0", "buses[0].clock_hz", "from 100 to 10000000"},
    {"400000", "4e5", "buses[0].clock_hz", "an integer"},
    {"\"clock_hz\"", "\"clok_hz\"", "buses[0].clok_hz", "unknown key \"clok_hz\""},
    {"\"scenario\": 1,", "\"scenario\": 1, \"seeed\": 1,", "seeed", "unknown key"},
    {"\"scenario\": 1,", "", "scenario", "is missing"},
    {"\"scenario\": 1", "\"scenario\": 0", "scenario", "an integer from 1"},
    {"\"loops\": 3", "\"loops\": 3, \"loops\": 4", "loops", "every key once"},
    {"[ { \"name\": \"i2c-2\", \"backend\": \"sim-i2c\", \"clock_hz\": 400000 } ]", "[]", "buses",
     "an array of 1 to 16 elements"},
    {"{ \"name\": \"i2c-2\", \"backend\": \"sim-i2c\", \"clock_hz\": 400000 }", "7", "buses[0]",
     "expected an object"},
    {"\"scenario\": 1", "\"scenario\": 1 1", "", "not valid JSON: parse error at line"},
    {"\"small\"", "\"\xff\"", "", "not valid JSON"},
    {"400000", "1e999", "", "not valid JSON"},
};

TEST(Scenario, ErrorsNameThePlaceAndWhatWasExpected) {
    for (const BadCase& bad : kBadCases) {
        SCOPED_TRACE(bad.replaced);
        const auto scenario = parseScenario(documentWith(bad.text, bad.replaced));
        ASSERT_FALSE(scenario);
        EXPECT_EQ(scenario.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(scenario.error().where, bad.where);
        EXPECT_THAT(scenario.error().what, HasSubstr(bad.what));
    }
}

TEST(Scenario, NewerVersionIsRefusedByName) {
    const auto scenario = parseScenario(documentWith("\"scenario\": 1", "\"scenario\": 2"));
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(scenario.error().what, "scenario version 2 is newer than this program's 1");
}

TEST(Scenario, NeverThrowsOnCutOrOtherDocuments) {
    const std::string json = documentWith();
    for (std::size_t length = 0; length < json.size(); ++length)
        EXPECT_FALSE(parseScenario(json.substr(0, length))) << length;
    for (const char* other : {"null", "[]", "3", "\"x\"", "[[[[", "{\"threads\":{}}"})
        EXPECT_FALSE(parseScenario(other, {.loops = 5})) << other;
}

TEST(Scenario, UnknownNameListsTheBuiltIns) {
    const auto scenario = loadScenario("no-such-scenario");
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().code, ErrorCode::NotFound);
    EXPECT_THAT(scenario.error().what, HasSubstr("\"no-such-scenario\""));
    EXPECT_THAT(scenario.error().remedy, HasSubstr("i2c-bus-2009"));
}

class ScenarioFile : public testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(path_); }
    void write(const std::string& content) { std::ofstream(path_) << content; }

    std::string path_ =
        (std::filesystem::temp_directory_path() / fmt::format("scenario-{}.json", getpid()))
            .string();
};

TEST_F(ScenarioFile, IsRead) {
    write(documentWith());
    const auto scenario = loadScenario(path_, {.loops = 9});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    EXPECT_EQ(scenario->spec.threads[1].loops, 9u);
}

TEST_F(ScenarioFile, ErrorsNameTheFile) {
    write(documentWith("\"priority\": 7", "\"priority\": 0"));
    const auto scenario = loadScenario(path_);
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().where, path_ + ": threads[1].priority");
}

TEST_F(ScenarioFile, HugeFileIsRefused) {
    write(std::string((std::size_t{1} << 20) + 1, ' '));
    const auto scenario = loadScenario(path_);
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().what, "expected a scenario of at most 1 MiB");
}

} // namespace
} // namespace inversight
