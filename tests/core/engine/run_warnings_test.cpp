// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/run_warnings.h"

#include "core/workload/scenario.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kHog =
    R"({"name":"hog","class":"fifo","priority":10,"loops":1000,"body":[{"run":{"duration_ns":2000000}}]})";

RtEnvironment throttledEnvironment() {
    RtEnvironment environment;
    environment.rtRuntimeUs = 950'000;
    environment.rtPeriodUs = 1'000'000;
    return environment;
}

WorkloadSpec specOfThreads(const std::string& threads) {
    const auto scenario =
        parseScenario(R"({"scenario":1,"name":"load","threads":[)" + threads + "]}");
    EXPECT_TRUE(scenario) << scenario.error().sentence();
    return scenario->spec;
}

std::vector<std::string> warningsOf(const WorkloadSpec& spec, const RtEnvironment& environment,
                                    const CpuPlan& cpus = {{1}, {0}}) {
    return layoutWarnings(spec, environment, cpus);
}

TEST(RunWarnings, RealTimeLoadThatMeetsThrottling) {
    const WorkloadSpec spec = specOfThreads(kHog);
    EXPECT_THAT(warningsOf(spec, throttledEnvironment()),
                ElementsAre(HasSubstr("would use 100 % of the scenario's CPU 0")));
    RtEnvironment unlimited = throttledEnvironment();
    unlimited.rtRuntimeUs = -1;
    EXPECT_THAT(warningsOf(spec, unlimited), IsEmpty());
}

TEST(RunWarnings, ShortLoadAndSleepersAreNone) {
    std::string shorter = kHog;
    shorter.replace(shorter.find("1000,"), 5, "100,"); // 0.2 s in all
    EXPECT_THAT(warningsOf(specOfThreads(shorter), throttledEnvironment()), IsEmpty());
    const WorkloadSpec periodic = specOfThreads(
        R"({"name":"p","class":"fifo","priority":10,"loops":1000,"period_ns":10000000,
            "body":[{"run":{"duration_ns":2000000}},{"next_period":{}}]})");
    EXPECT_DOUBLE_EQ(cpuShare(periodic.threads.front(), periodic), 0.2);
    EXPECT_THAT(warningsOf(periodic, throttledEnvironment()), IsEmpty());
}

TEST(RunWarnings, SharesOfSeveralThreadsAdd) {
    const std::string part =
        R"(","class":"rr","priority":10,"loops":1000,"period_ns":10000000,
            "body":[{"run":{"duration_ns":5000000}},{"next_period":{}}]})";
    const WorkloadSpec spec = specOfThreads(R"({"name":"a)" + part + R"(,{"name":"b)" + part);
    EXPECT_THAT(warningsOf(spec, throttledEnvironment()),
                ElementsAre(HasSubstr("would use 100 % of the scenario's CPU 0")));
}

TEST(RunWarnings, AboveInterruptThreadsAndWithoutACpuForOthers) {
    const WorkloadSpec spec = specOfThreads(
        R"({"name":"high","class":"fifo","priority":51,"body":[{"run":{"duration_ns":1}}]},
           {"name":"even","class":"fifo","priority":50,"body":[{"run":{"duration_ns":1}}]})");
    EXPECT_THAT(warningsOf(spec, throttledEnvironment(), {{1, 0}, {0}}),
                ElementsAre(HasSubstr("worker high runs at FIFO 51"),
                            HasSubstr("the workers use every CPU there is")));
}

} // namespace
} // namespace inversight
