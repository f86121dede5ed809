// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The order of kernel events around a wait, as real kernels emit them.
#include "tests/core/virtual/virtual_run.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace inversight {
namespace {

using test::runVirtual;
using test::VirtualRun;
using testing::ElementsAre;

using test::kMs;

/// One event in few words, with the thread in whose context it happens.
struct Words {
    std::string operator()(const SchedSwitchEvent& e) const {
        return fmt::format("switch {} {} to {}", e.prevComm,
                           e.prevState == kTaskInterruptible ? "S"
                           : e.prevState == kTaskDead        ? "X"
                                                             : "R",
                           e.nextComm);
    }
    std::string operator()(const SchedWakeEvent& e) const {
        return fmt::format("{} {}",
                           e.kind == WakeKind::Waking   ? "waking"
                           : e.kind == WakeKind::Wakeup ? "wakeup"
                                                        : "wakeup_new",
                           e.comm);
    }
    std::string operator()(const SchedPiSetprioEvent& e) const {
        return fmt::format("setprio {} {}->{}", e.comm, e.oldPrio, e.newPrio);
    }
    std::string operator()(const SchedForkEvent& e) const { return "fork " + e.childComm; }
    std::string operator()(const SchedExitEvent& e) const { return "exit " + e.comm; }
    std::string operator()(const SchedMigrateEvent& e) const { return "migrate " + e.comm; }
    std::string operator()(const ContentionBeginEvent& e) const {
        return fmt::format("contention_begin flags={}", e.flags);
    }
    std::string operator()(const ContentionEndEvent&) const { return "contention_end"; }
    std::string operator()(const FutexEnterEvent& e) const {
        return fmt::format("futex {:#x}", e.op);
    }
    std::string operator()(const FutexExitEvent& e) const {
        return fmt::format("futex returns {}", e.ret);
    }
    std::string operator()(const PrintEvent& e) const { return e.text.substr(0, 1); }
};

/// The events of [from, to] ms with the last three digits of the thread's number.
std::vector<std::string> between(const VirtualRun& run, std::int64_t fromMs, std::int64_t toMs) {
    std::vector<std::string> lines;
    for (const KernelEvent& event : run.events) {
        const std::int64_t time = event.timeNs - kVirtualStartNs;
        if (time >= fromMs * kMs && time <= toMs * kMs)
            lines.push_back(
                fmt::format("{}: {}", event.tid % kVirtualTgid, std::visit(Words{}, event.body)));
    }
    return lines;
}

WorkloadSpec classicWith(LockEventKinds events) {
    WorkloadSpec spec = loadScenario("classic")->spec;
    spec.locks[0].events = events;
    return spec;
}

// L is thread 1, M 2, H 3; H asks at 3 ms and has the lock at 6 ms.
TEST(EventOrder, OfABoostThroughAPiFutex) {
    const VirtualRun run = runVirtual(classicWith(LockEventKinds::Futex), "rt_mutex");
    EXPECT_THAT(between(run, 3, 6),
                ElementsAre("3: B", "3: futex 0x86", "3: setprio L 98->96", "3: switch H S to L",
                            "1: waking M", "1: wakeup M", //
                            "1: F", "1: futex 0x87", "1: setprio L 96->98", "1: waking H",
                            "1: wakeup H", "1: futex returns 0", "1: switch L R to H",
                            "3: futex returns 0", "3: E", "3: S"));
}

TEST(EventOrder, OfAKernelLock) {
    const VirtualRun run = runVirtual(classicWith(LockEventKinds::Contention), "rt_mutex");
    EXPECT_THAT(between(run, 3, 6),
                ElementsAre("3: B", "3: contention_begin flags=8", "3: setprio L 98->96",
                            "3: switch H S to L", "1: waking M", "1: wakeup M", //
                            "1: F", "1: setprio L 96->98", "1: waking H", "1: wakeup H",
                            "1: switch L R to H", "3: contention_end", "3: E", "3: S"));
}

TEST(EventOrder, OfBothKinds) {
    const VirtualRun run = runVirtual(classicWith(LockEventKinds::Both), "mutex-2009");
    EXPECT_THAT(
        between(run, 3, 3),
        ElementsAre("3: B", "3: futex 0x80", "3: contention_begin flags=32", "3: switch H S to L"));
    EXPECT_THAT(between(run, 16, 16),
                ElementsAre("1: F", "1: futex 0x81", "1: waking H", "1: wakeup H",
                            "1: futex returns 0", "1: switch L R to H", "3: contention_end",
                            "3: futex returns 0", "3: E", "3: S"));
}

TEST(EventOrder, ALockMaySayNothing) {
    const VirtualRun run = runVirtual(classicWith(LockEventKinds::None), "rt_mutex");
    EXPECT_THAT(between(run, 3, 3),
                ElementsAre("3: B", "3: setprio L 98->96", "3: switch H S to L"));
}

TEST(EventOrder, OfBeginAndEnd) {
    const VirtualRun run = runVirtual("classic", "rt_mutex");
    EXPECT_THAT(between(run, 0, 0),
                ElementsAre("0: I", "0: fork L", "0: fork M", "0: fork H", "0: wakeup_new L",
                            "0: switch inversight S to L", "1: I"));
    EXPECT_THAT(between(run, 20, 20),
                ElementsAre("1: exit L", "1: switch L X to swapper/0", "0: waking inversight",
                            "0: wakeup inversight", "0: switch swapper/0 R to inversight"));
}

/// Every switch leaves the thread that was switched to before, and every event is its own.
TEST(EventOrder, TheStoryOfEveryCpuIsWhole) {
    for (const char* scenario : {"two-cpus", "pathfinder", "multi", "bus"}) {
        for (const char* policy : {"mutex-2009", "mutex", "rt_mutex", "late-boost", "ceiling"}) {
            const VirtualRun run = runVirtual(scenario, policy);
            std::map<std::int32_t, std::int32_t> running{{0, kVirtualTgid}, {1, 0}};
            std::int64_t last = 0;
            for (const KernelEvent& event : run.events) {
                EXPECT_GE(event.timeNs, last);
                last = event.timeNs;
                EXPECT_EQ(event.tid, running[event.cpu]) << scenario << " " << policy;
                if (const auto* change = std::get_if<SchedSwitchEvent>(&event.body)) {
                    EXPECT_EQ(change->prevTid, running[event.cpu]);
                    running[event.cpu] = change->nextTid;
                }
            }
        }
    }
}

} // namespace
} // namespace inversight
