// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Worked examples with known results, to the nanosecond (times below in microseconds).
#include "tests/core/virtual/virtual_run.h"

#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::runVirtual;
using test::VirtualRun;
using testing::ElementsAre;
using testing::IsEmpty;

using test::kUs;

/// What one thread's only job must come to.
struct Oracle {
    const char* scenario;
    const char* policy;
    const char* thread;
    std::int64_t waitUs;
    std::int64_t responseUs;
};

// "No inheritance" is mutex-2009; rt_mutex-nice and late-boost must agree with rt_mutex here.
const Oracle kOracles[] = {
    {"classic", "mutex-2009", "H", 13'000, 17'000},
    {"classic", "rt_mutex", "H", 3'000, 7'000},
    {"classic", "rt_mutex", "M", 0, 15'000},
    {"classic", "rt_mutex-nice", "H", 3'000, 7'000},
    {"classic", "late-boost", "H", 3'000, 7'000},
    {"classic", "pthread", "H", 13'000, 17'000},
    {"classic", "ceiling", "H", 0, 7'000},
    {"bus", "mutex-2009", "H", 20'120, 20'740},
    {"bus", "rt_mutex", "H", 420, 1'040},
    {"bus", "rt_mutex-nice", "H", 420, 1'040},
    {"bus", "late-boost", "H", 420, 1'040},
    {"bus", "ceiling", "H", 420, 1'040},
    {"chain", "mutex-2009", "T4", 16'000, 17'000},
    {"chain", "rt_mutex", "T4", 6'000, 7'000},
    {"chain", "late-boost", "T4", 6'000, 7'000},
    {"chain", "ceiling", "T4", 0, 1'000},
    {"multi", "mutex-2009", "H", 9'000, 12'000},
    {"multi", "rt_mutex", "H", 9'000, 12'000},
    {"multi", "ceiling", "H", 0, 4'000},
    {"queue", "mutex-2009", "H", 3'600, 4'600},
    {"queue", "rt_mutex", "H", 600, 1'600},
    {"queue", "priority-queue", "H", 600, 1'600},
    {"queue", "pthread", "H", 600, 1'600},
    {"queue", "ceiling", "H", 600, 1'600},
    {"two-cpus", "mutex-2009", "H", 12'000, 13'000},
    {"two-cpus", "mutex", "H", 12'000, 13'000},
    {"two-cpus", "rt_mutex", "H", 3'000, 4'000},
    {"two-cpus", "late-boost", "H", 3'000, 4'000},
    {"two-cpus", "ceiling", "H", 2'000, 3'000},
    {"nested", "mutex-2009", "H2", 7'000, 8'000},
    {"nested", "mutex-2009", "H1", 11'000, 12'000},
    {"nested", "rt_mutex", "H2", 2'000, 3'000},
    {"nested", "rt_mutex", "H1", 6'000, 7'000},
    {"nested", "ceiling", "H2", 0, 3'000},
    {"nested", "ceiling", "H1", 0, 7'000},
};

TEST(Oracle, WaitsAndResponsesAreExact) {
    for (const Oracle& oracle : kOracles) {
        SCOPED_TRACE(std::string(oracle.scenario) + " " + oracle.policy + " " + oracle.thread);
        const VirtualRun run = runVirtual(oracle.scenario, oracle.policy);
        const VirtualThreadResult& thread = run.thread(oracle.thread);
        EXPECT_EQ(thread.jobCount, 1u);
        EXPECT_EQ(thread.waitNs, oracle.waitUs * kUs);
        EXPECT_EQ(thread.response.max(), oracle.responseUs * kUs);
    }
}

struct Timeline {
    const char* scenario;
    const char* policy;
    const char* runs;
};

const Timeline kTimelines[] = {
    {"classic", "mutex-2009", "L[0,2) H[2,3) L[3,4) M[4,14) L[14,16) H[16,19) L[19,20)"},
    {"classic", "rt_mutex", "L[0,2) H[2,3) L@3[3,6) H[6,9) M[9,19) L[19,20)"},
    {"bus", "rt_mutex",
     "L[0,0.02) M[0.3,0.6) L@3[0.6,0.62) H[0.62,0.64) M[0.64,1.22) H[1.22,1.24) M[1.24,20.36)"},
    {"chain", "rt_mutex",
     "T1[0,1) T2[1,2) T1@2[2,3) T1@4[3,7) T2@4[7,9) T4[9,10) T3[10,20) T1[20,21)"},
    {"multi", "rt_mutex",
     "L1[0,1) L2[1,2) L3[2,3) L1@4[3,6) H[6,7) L2@4[7,10) H[10,11) L3@4[11,14) H[14,15)"},
    {"nested", "rt_mutex", "L[0,1) L@3[1,2) L@4[2,4) H2[4,5) L@3[5,7) H1[7,8) M[8,13) L[13,14)"},
    {"two-cpus", "rt_mutex", "L[0,1) M[1,2) L@3[2,5) M[5,14)"},
};

TEST(Oracle, TimelinesAreExact) {
    for (const Timeline& timeline : kTimelines)
        EXPECT_EQ(runVirtual(timeline.scenario, timeline.policy).timeline(), timeline.runs)
            << timeline.scenario << " " << timeline.policy;
}

TEST(Oracle, BoostsTravelAlongTheChainNearestFirst) {
    EXPECT_THAT(runVirtual("chain", "rt_mutex").setprios(),
                ElementsAre("T1 1->2 at 2", "T2 2->4 at 3", "T1 2->4 at 3", "T1 4->1 at 7",
                            "T2 4->2 at 9"));
}

TEST(Oracle, ABoostIsLoweredInPart) {
    EXPECT_THAT(runVirtual("nested", "rt_mutex").setprios(),
                ElementsAre("L 1->3 at 1", "L 3->4 at 2", "L 4->3 at 4", "L 3->1 at 7"));
}

TEST(Oracle, WithoutInheritanceNobodyIsBoosted) {
    for (const char* policy : {"mutex-2009", "mutex", "pthread", "priority-queue", "ceiling"}) {
        const VirtualRun run = runVirtual("classic", policy);
        EXPECT_THAT(run.setprios(), IsEmpty()) << policy;
        EXPECT_EQ(run.result.boostCount, 0u);
    }
}

TEST(Oracle, ADeadlockIsNamed) {
    for (const char* policy : {"mutex-2009", "mutex", "rt_mutex", "late-boost", "pthread"}) {
        const VirtualRun run = runVirtual("deadlock", policy);
        EXPECT_THAT(run.result.deadlock, ElementsAre("L", "B", "H", "A", "L")) << policy;
        EXPECT_TRUE(run.result.interrupted);
        EXPECT_EQ(run.result.totalNs, 3'000 * kUs) << policy;
    }
}

TEST(Oracle, UnderACeilingThereIsNoDeadlock) {
    const VirtualRun run = runVirtual("deadlock", "ceiling");
    EXPECT_THAT(run.result.deadlock, IsEmpty());
    EXPECT_FALSE(run.result.interrupted);
    EXPECT_EQ(run.timeline(), "L[0,3) H[3,5)");
}

TEST(Oracle, PathfinderMissesItsDeadlineWithoutInheritanceOnly) {
    const VirtualRun plain = runVirtual("pathfinder", "mutex-2009");
    EXPECT_EQ(plain.thread("bc_dist").jobCount, 8u);
    EXPECT_EQ(plain.thread("bc_dist").deadlineMissCount, 8u);
    EXPECT_EQ(plain.thread("bc_dist").response.max(), 92'000 * kUs);
    for (const char* policy : {"rt_mutex", "ceiling"}) {
        const VirtualRun cured = runVirtual("pathfinder", policy);
        EXPECT_EQ(cured.thread("bc_dist").deadlineMissCount, 0u) << policy;
        EXPECT_EQ(cured.thread("bc_dist").response.max(), 10'000 * kUs) << policy;
    }
}

} // namespace
} // namespace inversight
