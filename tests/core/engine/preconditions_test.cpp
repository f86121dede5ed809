// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/preconditions.h"

#include "engine_test_support.h"

#include <set>

#include <gmock/gmock.h>

namespace inversight {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Preconditions, EveryNeedHasOneRowWithWords) {
    std::set<Need> seen;
    for (const PreconditionRow& row : preconditions()) {
        EXPECT_TRUE(seen.insert(row.need).second) << row.name;
        EXPECT_FALSE(row.name.empty());
        EXPECT_FALSE(row.reason.empty()) << row.name;
        EXPECT_FALSE(row.remedy.empty()) << row.name;
        const NeedReport report = row.probe();
        EXPECT_EQ(report.need, row.need) << row.name;
        EXPECT_FALSE(report.finding.empty()) << row.name;
        EXPECT_THAT(report.finding, Not(HasSubstr("\n"))) << row.name;
    }
    for (const Need need : {Need::Cpus, Need::RtRights, Need::RtRuntime, Need::NiceRights,
                            Need::LockedMemory, Need::Tracefs, Need::TraceEvents})
        EXPECT_TRUE(seen.contains(need));
}

TEST(Preconditions, NothingNeededIsAlwaysMet) {
    EXPECT_TRUE(require({}));
}

TEST(Preconditions, ProbingLeavesTheCallerAsItIs) {
    const int policy = sched_getscheduler(0);
    const std::size_t threads = threadCount();
    for (const PreconditionRow& row : preconditions())
        static_cast<void>(row.probe());
    EXPECT_EQ(sched_getscheduler(0), policy);
    EXPECT_EQ(threadCount(), threads);
}

TEST(Preconditions, MissingRightsAreOneLineWithAReasonAndARemedy) {
    const bool tried = withoutSchedulingRights([] {
        const std::array needs{Need::RtRights};
        const auto met = require(needs);
        ASSERT_FALSE(met);
        EXPECT_EQ(met.error().code, ErrorCode::PermissionDenied);
        EXPECT_EQ(met.error().what, "no CAP_SYS_NICE, and the limit of real-time priorities is 0, "
                                    "but real-time workers are set to SCHED_FIFO");
        EXPECT_THAT(met.error().remedy, HasSubstr("sudo"));
        EXPECT_THAT(met.error().sentence(), Not(HasSubstr("\n")));

        const std::array nice{Need::NiceRights};
        const auto favoured = require(nice);
        ASSERT_FALSE(favoured);
        EXPECT_THAT(favoured.error().what, HasSubstr("the lowest permitted nice value is"));
    });
    if (!tried)
        GTEST_SKIP() << "needs RLIMIT_RTPRIO and RLIMIT_NICE at 0";
}

TEST(Preconditions, OneAllowedCpuIsNotEnough) {
    std::thread([] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
        const std::array needs{Need::Cpus};
        const auto met = require(needs);
        ASSERT_FALSE(met);
        EXPECT_EQ(met.error().code, ErrorCode::Unsupported);
        EXPECT_THAT(met.error().what, HasSubstr("CPUs online, 1 allowed"));
        EXPECT_THAT(met.error().remedy, HasSubstr("taskset"));
    }).join();
}

} // namespace
} // namespace inversight
