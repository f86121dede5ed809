// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Scenarios beyond one bus and one CPU: locks, releases, times that vary, settings.
#include "core/workload/scenario.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;

/// A document with one of everything; `replaced` is put in place of its first `text`.
std::string fullWith(const std::string& text = "", const std::string& replaced = "") {
    std::string json = R"({
        "scenario": 1, "name": "full", "cpus": 2, "seed": 7,
        "virtual": { "context_switch_ns": 1, "wake_up_ns": 2, "lock_ns": 3, "syscall_ns": 4, "timer_late_ns": 10,
                     "rr_slice_ns": 5,
                     "fair": { "latency_ns": 6, "min_granularity_ns": 7,
                               "wake_up_granularity_ns": 8, "sleeper_credit_ns": 9 } },
        "locks": [ { "name": "A", "lock_events": "both", "policy": "rt_mutex" }, { "name": "B" } ],
        "buses": [ { "name": "i2c-2", "backend": "sim-i2c", "lock_events": "contention",
                     "policy": "mutex-2009", "cpu_after_ns": { "exponential": { "mean_ns": 5 } },
                     "wire_ns": 1000, "stretch_ns": { "uniform": { "low_ns": 1, "high_ns": 2 } },
                     "poll_ns": 8, "nack_ppm": 9, "arbitration_loss_ppm": 10, "retries": 11,
                     "timeout_ns": 12 } ],
        "threads": [
            { "name": "a.b", "class": "deadline", "sched_runtime_ns": 2000,
              "sched_deadline_ns": 5000, "affinity": [1],
              "start_ns": { "normal": { "mean_ns": 100, "deviation_ns": 10 } },
              "period_ns": 1000, "deadline_ns": 900, "duration_ns": 50000,
              "body": [ { "mark": "begin" }, { "lock": "A" }, { "trylock": "B" },
                        { "run": { "duration_ns": 10 } }, { "unlock": "B" }, { "unlock": "A" },
                        { "next_period": {} } ] },
            { "name": "once", "class": "fifo", "priority": 3, "body": [ { "lock": "B" },
              { "transfer": { "bus": "i2c-2", "operation": "quick" } }, { "unlock": "B" } ] }
        ] })";
    if (!text.empty())
        json.replace(json.find(text), text.size(), replaced);
    return json;
}

TEST(FullScenario, MachineAndParametersArrive) {
    const auto scenario = parseScenario(fullWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const WorkloadSpec& spec = scenario->spec;
    EXPECT_EQ(spec.cpuCount, 2);
    EXPECT_EQ(spec.seed, 7u);
    EXPECT_EQ(spec.virtualTime.costs.contextSwitch, nanoseconds(1));
    EXPECT_EQ(spec.virtualTime.costs.wakeUp, nanoseconds(2));
    EXPECT_EQ(spec.virtualTime.costs.lock, nanoseconds(3));
    EXPECT_EQ(spec.virtualTime.costs.syscall, nanoseconds(4));
    EXPECT_EQ(spec.virtualTime.costs.timerLate, nanoseconds(10));
    EXPECT_EQ(spec.virtualTime.rrSlice, nanoseconds(5));
    EXPECT_EQ(spec.virtualTime.fair.latency, nanoseconds(6));
    EXPECT_EQ(spec.virtualTime.fair.minGranularity, nanoseconds(7));
    EXPECT_EQ(spec.virtualTime.fair.wakeUpGranularity, nanoseconds(8));
    EXPECT_EQ(spec.virtualTime.fair.sleeperCredit, nanoseconds(9));
}

TEST(FullScenario, LocksAndBusesArrive) {
    const auto scenario = parseScenario(fullWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const WorkloadSpec& spec = scenario->spec;
    ASSERT_EQ(spec.locks.size(), 2u);
    EXPECT_EQ(spec.locks[0].events, LockEventKinds::Both);
    EXPECT_EQ(spec.locks[0].policy, "rt_mutex");
    EXPECT_EQ(spec.locks[1].events, LockEventKinds::Futex);
    EXPECT_FALSE(spec.locks[1].policy);
    ASSERT_EQ(spec.buses.size(), 1u);
    const BusSpec& bus = spec.buses[0];
    EXPECT_EQ(bus.lockEvents, LockEventKinds::Contention);
    EXPECT_EQ(bus.policy, "mutex-2009");
    EXPECT_EQ(bus.cpuBefore, TimeDistribution());
    EXPECT_EQ(bus.cpuAfter, TimeDistribution::exponential(nanoseconds(5)));
    EXPECT_EQ(bus.wireTime, TimeDistribution(nanoseconds(1000)));
    EXPECT_EQ(bus.stretch, TimeDistribution::uniform(nanoseconds(1), nanoseconds(2)));
    EXPECT_EQ(bus.pollInterval, nanoseconds(8));
    EXPECT_EQ(bus.nackPpm, 9u);
    EXPECT_EQ(bus.arbitrationLossPpm, 10u);
    EXPECT_EQ(bus.retries, 11u);
    EXPECT_EQ(bus.timeout, nanoseconds(12));
}

TEST(FullScenario, ThreadsArrive) {
    const auto scenario = parseScenario(fullWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const ThreadSpec& thread = scenario->spec.threads[0];
    EXPECT_EQ(thread.scheduling.kernelPriority(), -1);
    EXPECT_EQ(thread.scheduling.runtime, nanoseconds(2000));
    EXPECT_EQ(thread.scheduling.deadline, nanoseconds(5000));
    EXPECT_EQ(thread.scheduling.period, nanoseconds(5000)) << "the deadline's, if not said";
    EXPECT_EQ(thread.scheduling.text(), "DEADLINE 0.002/0.005/0.005 ms");
    EXPECT_THAT(thread.cpus, testing::ElementsAre(1));
    EXPECT_EQ(thread.startOffset, TimeDistribution::normal(nanoseconds(100), nanoseconds(10)));
    EXPECT_EQ(thread.loops, 0u) << "as many as fit";
    EXPECT_EQ(thread.duration, nanoseconds(50000));
    EXPECT_EQ(thread.period, nanoseconds(1000));
    EXPECT_EQ(thread.deadline, nanoseconds(900));
    ASSERT_EQ(thread.body.size(), 7u);
    EXPECT_EQ(std::get<MarkStep>(thread.body[0]).text, "begin");
    EXPECT_EQ(std::get<LockStep>(thread.body[1]).lock, "A");
    EXPECT_EQ(std::get<TryLockStep>(thread.body[2]).lock, "B");
    EXPECT_EQ(std::get<UnlockStep>(thread.body[4]).lock, "B");
    EXPECT_TRUE(std::holds_alternative<NextPeriodStep>(thread.body[6]));
    EXPECT_EQ(scenario->spec.totalOperations(), 1u);
}

struct FullBadCase {
    const char* text;
    const char* replaced;
    const char* where;
    const char* what;
};

const FullBadCase kFullBadCases[] = {
    {"\"cpus\": 2", "\"cpus\": 65", "cpus", "from 1 to 64"},
    {"\"seed\": 7", "\"seed\": -7", "seed", "from 0 to"},
    {"\"latency_ns\": 6", "\"latency_ns\": 0", "virtual.fair.latency_ns", "from 1 to"},
    {"\"lock_ns\"", "\"luck_ns\"", "virtual.luck_ns", "unknown key"},
    {"\"both\"", "\"all\"", "locks[0].lock_events", "one of futex, contention, both, none"},
    {"{ \"name\": \"B\" }", "{ \"name\": \"A\" }", "locks[1].name", "a name no other lock has"},
    {"{ \"name\": \"B\" }", "{ \"name\": \"i2c-2 bus lock\" }", "buses[0].name",
     "a name whose \"i2c-2 bus lock\" is none of \"locks\""},
    {"{ \"exponential\": { \"mean_ns\": 5 } }", "\"5\"", "buses[0].cpu_after_ns", "an integer"},
    {"\"exponential\"", "\"poisson\"", "buses[0].cpu_after_ns.poisson",
     "uniform, normal or exponential"},
    {"{ \"exponential\": { \"mean_ns\": 5 } }", "{}", "buses[0].cpu_after_ns",
     "a number of ns, or an object with one member"},
    {"\"low_ns\": 1", "\"low_ns\": 3", "buses[0].stretch_ns.uniform.high_ns", "from 3 to"},
    {"\"deviation_ns\": 10", "\"deviation_ns\": 10, \"x\": 1", "threads[0].start_ns.normal.x",
     "unknown key"},
    {"\"retries\": 11", "\"retries\": 1001", "buses[0].retries", "from 0 to 1000"},
    {"\"sched_runtime_ns\": 2000,", "", "threads[0].sched_runtime_ns", "is missing"},
    {"\"sched_runtime_ns\": 2000", "\"sched_runtime_ns\": 6000", "threads[0].sched_deadline_ns",
     "from 6000 to"},
    {"\"priority\": 3", "\"priority\": 3, \"sched_period_ns\": 9", "threads[1].sched_period_ns",
     "\"priority\" for a real-time class"},
    {"[1]", "[2]", "threads[0].affinity[0]", "a CPU from 0 to 1, each once"},
    {"[1]", "[1, 1]", "threads[0].affinity[1]", "each once"},
    {"{ \"next_period\": {} }", "{ \"mark\": \"x\" }", "threads[0].body",
     "a next_period step, because the thread has a period"},
    {"\"period_ns\": 1000, ", "", "threads[0].body", "\"period_ns\" beside \"body\""},
    {"{ \"lock\": \"A\" }", "{ \"lock\": \"C\" }", "threads[0].body[1].lock",
     "the name of one of \"locks\""},
    {"{ \"trylock\": \"B\" }", "{ \"trylock\": \"A\" }", "threads[0].body[2].trylock",
     "a lock that the thread does not hold already"},
    {"{ \"unlock\": \"B\" }, { \"unlock\": \"A\" }", "{ \"unlock\": \"A\" }, { \"unlock\": \"B\" }",
     "threads[0].body[4].unlock", "\"B\", the lock taken last"},
    {"{ \"unlock\": \"A\" },", "", "threads[0].body", "an unlock of \"A\" behind the last step"},
    {"{ \"mark\": \"begin\" }", "{ \"unlock\": \"A\" }", "threads[0].body[0].unlock",
     "a lock or trylock step before it"},
    {"\"mark\": \"begin\"", "\"mark\": 5", "threads[0].body[0].mark", "a text of 1 to 128 bytes"},
};

TEST(FullScenario, ErrorsNameThePlaceAndWhatWasExpected) {
    for (const FullBadCase& bad : kFullBadCases) {
        SCOPED_TRACE(bad.replaced);
        const auto scenario = parseScenario(fullWith(bad.text, bad.replaced));
        ASSERT_FALSE(scenario);
        EXPECT_EQ(scenario.error().code, ErrorCode::InvalidArgument);
        EXPECT_EQ(scenario.error().where, bad.where);
        EXPECT_THAT(scenario.error().what, HasSubstr(bad.what));
    }
}

TEST(FullScenario, AThreadThatRunsForADurationMustTakeTime) {
    const auto scenario = parseScenario(R"({ "scenario": 1, "name": "x", "threads": [
        { "name": "a", "class": "other", "duration_ns": 5,
          "body": [ { "run": { "duration_ns": 0 } } ] } ] })");
    ASSERT_FALSE(scenario);
    EXPECT_EQ(scenario.error().where, "threads[0].body");
    EXPECT_EQ(scenario.error().what, "expected a step that takes time");
}

TEST(ScenarioSettings, ReachWhatTheyName) {
    const auto scenario = parseScenario(
        fullWith(), {.seed = 9,
                     .settings = {"thread.once.priority=50", "thread.a.b.deadline_ns=800",
                                  "bus.i2c-2.backend=other-bus", "lock.B.policy=spin",
                                  "virtual.lock_ns=30", "virtual.fair.latency_ns=60", "cpus=3"}});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    EXPECT_EQ(scenario->spec.seed, 9u);
    EXPECT_EQ(scenario->spec.threads[1].scheduling.priority, 50);
    EXPECT_EQ(scenario->spec.threads[0].deadline, nanoseconds(800)) << "names may hold dots";
    EXPECT_EQ(scenario->spec.buses[0].backend, "other-bus") << "a text needs no quotes";
    EXPECT_EQ(scenario->spec.locks[1].policy, "spin");
    EXPECT_EQ(scenario->spec.virtualTime.costs.lock, nanoseconds(30));
    EXPECT_EQ(scenario->spec.virtualTime.fair.latency, nanoseconds(60));
    EXPECT_EQ(scenario->spec.cpuCount, 3);
    EXPECT_THAT(scenario->document, HasSubstr("\"priority\":50"));
}

TEST(ScenarioSettings, DurationTakesThePlaceOfLoops) {
    const auto scenario = parseScenario(fullWith(), {.duration = nanoseconds(1234)});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    for (const ThreadSpec& thread : scenario->spec.threads) {
        EXPECT_EQ(thread.duration, nanoseconds(1234));
        EXPECT_EQ(thread.loops, 0u);
    }
}

struct BadSetting {
    const char* setting;
    const char* where;
    const char* what;
};

TEST(ScenarioSettings, ErrorsNameTheSettingOrThePlace) {
    const BadSetting cases[] = {
        {"thread.once.priority", "the setting thread.once.priority", "PATH=VALUE"},
        {"thread.nobody.priority=5", "the setting thread.nobody.priority=5",
         "thread.NAME.KEY with the name of a thread"},
        {"thread.once=5", "the setting thread.once=5", "thread.NAME.KEY"},
        {"threads.once.priority=5", "the setting threads.once.priority=5", "before the ="},
        {"name=x", "the setting name=x", "before the ="},
        {"thread.once.priority=500", "threads[1].priority", "from 1 to 99"},
        {"thread.once.prio=5", "threads[1].prio", "unknown key"},
        {"virtual.fair.x=5", "virtual.fair.x", "unknown key"},
        {"cpus=1", "threads[0].affinity[0]", "a CPU from 0 to 0"},
    };
    for (const BadSetting& bad : cases) {
        SCOPED_TRACE(bad.setting);
        const auto scenario = parseScenario(fullWith(), {.settings = {bad.setting}});
        ASSERT_FALSE(scenario);
        EXPECT_EQ(scenario.error().where, bad.where);
        EXPECT_THAT(scenario.error().what, HasSubstr(bad.what));
    }
}

} // namespace
} // namespace inversight
