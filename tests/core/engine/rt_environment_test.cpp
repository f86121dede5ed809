// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/rt_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

namespace inversight {
namespace {

using testing::ElementsAre;

TEST(PlanCpus, WorkersGetTheLastCpu) {
    const CpuPlan plan = planCpus({0, 2, 5});
    EXPECT_THAT(plan.workerCpus, ElementsAre(5));
    EXPECT_THAT(plan.otherCpus, ElementsAre(0, 2));
}

TEST(PlanCpus, SeveralForTheWorkersFromTheLastDown) {
    const CpuPlan plan = planCpus({0, 2, 5}, 2);
    EXPECT_THAT(plan.workerCpus, ElementsAre(5, 2));
    EXPECT_THAT(plan.otherCpus, ElementsAre(0));
}

TEST(PlanCpus, OneCpuServesAll) {
    const CpuPlan plan = planCpus({3});
    EXPECT_THAT(plan.workerCpus, ElementsAre(3));
    EXPECT_THAT(plan.otherCpus, ElementsAre(3));
}

TEST(PlanCpus, GivesWhatThereIs) {
    const CpuPlan plan = planCpus({0, 1}, 4);
    EXPECT_THAT(plan.workerCpus, ElementsAre(1, 0));
    EXPECT_THAT(plan.otherCpus, ElementsAre(0));
}

TEST(RtEnvironment, LimitsText) {
    RtEnvironment environment;
    environment.rtRuntimeUs = 950000;
    environment.rtPeriodUs = 1000000;
    environment.rtPriorityLimit = 99;
    EXPECT_EQ(environment.rtLimitsText(), "rt_runtime 950000 of 1000000 us, rtprio limit 99");
    environment.rtRuntimeUs = -1;
    environment.rtPriorityLimit = 0;
    EXPECT_EQ(environment.rtLimitsText(), "rt_runtime unlimited, rtprio limit 0");
}

TEST(RtEnvironment, ProbeSeesThisMachine) {
    const RtEnvironment environment = RtEnvironment::probe();
    EXPECT_THAT(environment.systemName, testing::StartsWith("Linux "));
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    EXPECT_EQ(environment.allowedCpus.size(), static_cast<std::size_t>(CPU_COUNT(&set)));
    for (const int cpu : environment.allowedCpus)
        EXPECT_TRUE(CPU_ISSET(cpu, &set)) << cpu;
    EXPECT_GT(environment.rtPeriodUs, 0);
}

} // namespace
} // namespace inversight
