// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// What tells the policies apart: order of service, stealing, spinning, refused layouts.
#include "core/lock/lock_policies.h"
#include "tests/core/virtual/virtual_run.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::runVirtual;
using test::specWith;
using test::VirtualRun;
using testing::ElementsAre;
using testing::HasSubstr;

using test::kMs;

/// The threads' names in the order in which they got `lock`.
std::vector<std::string> holders(const VirtualRun& run, const std::string& lock) {
    std::vector<std::string> names;
    for (const KernelEvent& event : run.events) {
        const auto* print = std::get_if<PrintEvent>(&event.body);
        std::string scratch;
        const auto marker = print ? MarkerCodec::decode(print->text, scratch) : std::nullopt;
        const auto* hold = marker ? std::get_if<HoldBegin>(&marker->body) : nullptr;
        if (!hold || hold->lock != lock)
            continue;
        const auto thread =
            std::ranges::find(run.result.threads, event.tid, &VirtualThreadResult::tid);
        names.push_back(thread->name);
    }
    return names;
}

/// `owner` sleeps inside the lock while a fair thread, FIFO 5 and FIFO 20 arrive, in that order.
WorkloadSpec arrivals() {
    return specWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "owner", "class": "fifo", "priority": 50, "body": [ { "lock": "R" },
          { "sleep": { "duration_ns": 9000000 } }, { "unlock": "R" } ] },
        { "name": "fair", "class": "other", "start_ns": 1000000,
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 1000 } }, { "unlock": "R" } ] },
        { "name": "f5", "class": "fifo", "priority": 5, "start_ns": 2000000,
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 1000 } }, { "unlock": "R" } ] },
        { "name": "f20", "class": "fifo", "priority": 20, "start_ns": 3000000,
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 1000 } }, { "unlock": "R" } ] } ])");
}

TEST(PolicyModel, OrderOfService) {
    for (const char* policy : {"mutex-2009", "mutex"})
        EXPECT_THAT(holders(runVirtual(arrivals(), policy), "R"),
                    ElementsAre("owner", "fair", "f5", "f20"))
            << policy;
    for (const char* policy :
         {"rt_mutex", "rt_mutex-nice", "late-boost", "priority-queue", "pthread"})
        EXPECT_THAT(holders(runVirtual(arrivals(), policy), "R"),
                    ElementsAre("owner", "f20", "f5", "fair"))
            << policy;
}

/// Three fair waiters of nice 5, 0 and -5, in that order.
TEST(PolicyModel, OnlyTheOldRtMutexOrdersByNice) {
    const WorkloadSpec spec = specWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "owner", "class": "other", "body": [ { "lock": "R" },
          { "sleep": { "duration_ns": 9000000 } }, { "unlock": "R" } ] },
        { "name": "n5", "class": "other", "nice": 5, "start_ns": 1000000,
          "body": [ { "lock": "R" }, { "unlock": "R" } ] },
        { "name": "n0", "class": "other", "start_ns": 2000000,
          "body": [ { "lock": "R" }, { "unlock": "R" } ] },
        { "name": "m5", "class": "other", "nice": -5, "start_ns": 3000000,
          "body": [ { "lock": "R" }, { "unlock": "R" } ] } ])");
    EXPECT_THAT(holders(runVirtual(spec, "rt_mutex"), "R"), ElementsAre("owner", "n5", "n0", "m5"));
    EXPECT_THAT(holders(runVirtual(spec, "rt_mutex-nice"), "R"),
                ElementsAre("owner", "m5", "n0", "n5"));
}

/// A boost among fair threads is traced and changes nothing.
TEST(PolicyModel, AFairBoostIsNominal) {
    const WorkloadSpec spec = specWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "owner", "class": "other", "body": [ { "lock": "R" },
          { "sleep": { "duration_ns": 9000000 } }, { "unlock": "R" } ] },
        { "name": "m5", "class": "other", "nice": -5, "start_ns": 3000000,
          "body": [ { "lock": "R" }, { "unlock": "R" } ] } ])");
    const VirtualRun run = runVirtual(spec, "rt_mutex");
    EXPECT_THAT(run.setprios(), ElementsAre("owner -21->-16 at 3", "owner -16->-21 at 9"));
}

/// W1 (3) waits behind W2 (4) until H (9) waits for what W1 holds: W1 moves to the front at once.
TEST(PolicyModel, AWaiterWhosePriorityChangesIsRequeued) {
    const WorkloadSpec spec = specWith(R"("locks": [ { "name": "A" }, { "name": "B" } ],
        "threads": [
        { "name": "O", "class": "fifo", "priority": 1,
          "body": [ { "lock": "A" }, { "run": { "duration_ns": 10000000 } }, { "unlock": "A" } ] },
        { "name": "W1", "class": "fifo", "priority": 3, "start_ns": 1000000,
          "body": [ { "lock": "B" }, { "lock": "A" }, { "run": { "duration_ns": 1000000 } },
                    { "unlock": "A" }, { "unlock": "B" } ] },
        { "name": "W2", "class": "fifo", "priority": 4, "start_ns": 2000000,
          "body": [ { "lock": "A" }, { "run": { "duration_ns": 1000000 } }, { "unlock": "A" } ] },
        { "name": "H", "class": "fifo", "priority": 9, "start_ns": 3000000,
          "body": [ { "lock": "B" }, { "run": { "duration_ns": 1000000 } },
                    { "unlock": "B" } ] } ])");
    for (const char* policy : {"rt_mutex", "rt_mutex-nice", "late-boost"}) {
        const VirtualRun run = runVirtual(spec, policy);
        EXPECT_EQ(run.timeline(), "O[0,1) O@3[1,2) O@4[2,3) O@9[3,10) W1@9[10,11) H[11,12) "
                                  "W2[12,13)")
            << policy;
        EXPECT_EQ(run.thread("H").response.max(), 9 * kMs);
    }
}

/// L on CPU 0 holds R for 4 ms when H comes on CPU 1; nobody disturbs L.
WorkloadSpec undisturbed() {
    return specWith(R"("cpus": 2, "locks": [ { "name": "R" } ], "threads": [
        { "name": "L", "class": "fifo", "priority": 1, "affinity": [0],
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 4000000 } }, { "unlock": "R" } ] },
        { "name": "H", "class": "fifo", "priority": 3, "start_ns": 2000000, "affinity": [1],
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 1000000 } },
                    { "unlock": "R" } ] } ])");
}

TEST(PolicyModel, LateBoostAvoidsTheBoostWhileTheOwnerRuns) {
    const VirtualRun run = runVirtual(undisturbed(), "late-boost");
    EXPECT_EQ(run.result.boostCount, 0u);
    EXPECT_EQ(run.result.locks[0].boostsAvoidedCount, 1u);
    EXPECT_EQ(run.result.locks[0].spinNs, 2 * kMs);
    EXPECT_EQ(run.thread("H").waitNs, 2 * kMs);
    EXPECT_EQ(run.timeline(1), "H[2,5)") << "the spinner never leaves its CPU";
    EXPECT_EQ(runVirtual(undisturbed(), "rt_mutex").result.boostCount, 1u);
}

/// M preempts the owner: then the spinner must boost it and sleep.
TEST(PolicyModel, LateBoostBoostsOnceTheOwnerLosesItsCpu) {
    const VirtualRun run =
        runVirtual(specWith(R"("cpus": 2, "locks": [ { "name": "R" } ], "threads": [
        { "name": "L", "class": "fifo", "priority": 1, "affinity": [0],
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 4000000 } }, { "unlock": "R" } ] },
        { "name": "M", "class": "fifo", "priority": 2, "affinity": [0], "start_ns": 3000000,
          "body": [ { "run": { "duration_ns": 10000000 } } ] },
        { "name": "H", "class": "fifo", "priority": 3, "start_ns": 2000000, "affinity": [1],
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 1000000 } },
                    { "unlock": "R" } ] } ])"),
                   "late-boost");
    EXPECT_EQ(run.result.boostCount, 1u);
    EXPECT_EQ(run.result.locks[0].boostsAvoidedCount, 0u);
    EXPECT_EQ(run.result.locks[0].spinNs, 1 * kMs);
    EXPECT_EQ(run.thread("H").waitNs, 2 * kMs);
    EXPECT_THAT(run.setprios(), ElementsAre("L 1->3 at 3", "L 3->1 at 4"));
    EXPECT_EQ(run.timeline(1), "H[2,3) H[4,5)");
}

TEST(PolicyModel, SpinnersServeThemselves) {
    for (const char* policy : {"spin", "ticket", "mutex"}) {
        const VirtualRun run = runVirtual(undisturbed(), policy);
        EXPECT_EQ(run.timeline(1), "H[2,5)") << policy;
        EXPECT_EQ(run.result.locks[0].spinNs, 2 * kMs) << policy;
    }
}

/// A looping thread takes the lock again and again; the mutex of today hands it over to a waiter
/// that has come too late once, the mutex of 2009 never does. `late` asks at 1 ms, when the hog
/// first sleeps.
TEST(PolicyModel, HandoffBoundsBarging) {
    const WorkloadSpec spec = specWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "hog", "class": "fifo", "priority": 5, "loops": 100, "body": [ { "lock": "R" },
          { "run": { "duration_ns": 1000000 } }, { "sleep": { "duration_ns": 1000000 } },
          { "unlock": "R" } ] },
        { "name": "late", "class": "fifo", "priority": 3, "start_ns": 500000,
          "body": [ { "lock": "R" }, { "unlock": "R" } ] } ])");
    EXPECT_EQ(runVirtual(spec, "mutex").thread("late").waitNs, 3'000'000);
    EXPECT_EQ(runVirtual(spec, "mutex-2009").thread("late").waitNs, 199'000'000);
    EXPECT_EQ(runVirtual(spec, "pthread").thread("late").waitNs, 199'000'000);
    EXPECT_EQ(runVirtual(spec, "rt_mutex").thread("late").waitNs, 199'000'000)
        << "a strictly higher thread may steal";
}

TEST(PolicyModel, TrylockFailsWithoutWaiting) {
    const VirtualRun run = runVirtual(specWith(R"("locks": [ { "name": "R" } ], "threads": [
        { "name": "L", "class": "fifo", "priority": 1,
          "body": [ { "lock": "R" }, { "run": { "duration_ns": 4000000 } }, { "unlock": "R" } ] },
        { "name": "H", "class": "fifo", "priority": 3, "start_ns": 1000000, "loops": 3,
          "body": [ { "trylock": "R" }, { "run": { "duration_ns": 1000000 } }, { "unlock": "R" },
                    { "sleep": { "duration_ns": 1500000 } } ] } ])"),
                                      "rt_mutex");
    EXPECT_EQ(run.thread("H").tryFailedCount, 2u); // at 1 and 2.5 ms; free at 4 ms
    EXPECT_EQ(run.thread("H").waitNs, 0);
    EXPECT_EQ(run.timeline(), "L[0,1) L[1,2.5) L[2.5,4) H[4,5)");
}

Error refusalOf(const WorkloadSpec& spec, const char* policy) {
    VirtualEngine engine(spec, **findLockPolicy(policy), {});
    const auto result = engine.run({}, {});
    EXPECT_FALSE(result) << policy;
    return result ? Error{} : result.error();
}

TEST(PolicyModel, LayoutsThatCannotWorkAreRefused) {
    const Error fair = refusalOf(arrivals(), "ceiling");
    EXPECT_EQ(fair.code, ErrorCode::InvalidArgument);
    EXPECT_EQ(fair.what, "policy ceiling: fair (nice 0) is no FIFO or RR thread");
    EXPECT_EQ(fair.where, "lock R");
    for (const char* policy : {"spin", "ticket"}) {
        const Error busy = refusalOf(arrivals(), policy);
        EXPECT_EQ(busy.code, ErrorCode::InvalidArgument);
        EXPECT_THAT(busy.what, HasSubstr("owner (FIFO 50) could busy-wait on the CPU that fair "
                                         "needs to let go"));
    }
}

TEST(PolicyModel, ALockMayHaveItsOwnPolicy) {
    WorkloadSpec spec = loadScenario("classic")->spec;
    spec.locks[0].policy = "rt_mutex";
    EXPECT_EQ(runVirtual(spec, "mutex-2009").thread("H").waitNs, 3 * kMs);
    spec.locks[0].policy = "nonsense";
    EXPECT_EQ(refusalOf(spec, "mutex-2009").code, ErrorCode::NotFound);
}

} // namespace
} // namespace inversight
