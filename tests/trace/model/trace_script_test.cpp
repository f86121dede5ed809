// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/support/trace_script.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(TraceScript, TellsWhoRanAndKeepsNamesAndPriorities) {
    TraceScript script;
    script.task(10, "low", 120).task(30, "high", 0);
    script.at(1000).switchTo(10);
    script.at(2000).marker(WaitBegin{"m"}).setprio(10, 0);
    script.at(3000).switchTo(30, kTaskInterruptible);
    const auto store = script.toStore();

    const auto& switches = store->table<SchedSwitchRow>();
    ASSERT_EQ(switches.size(), 2u);
    EXPECT_EQ(switches[0].prevTid, 0);
    EXPECT_EQ(switches[1].prevTid, 10);
    EXPECT_EQ(switches[1].prevPrio, 0) << "boosted by setprio";
    EXPECT_EQ(switches[1].prevState, TaskState::Interruptible);
    EXPECT_EQ(store->text(switches[1].nextComm), "high");

    const auto& markers = store->table<MarkerRow>();
    ASSERT_EQ(markers.size(), 1u);
    EXPECT_EQ(markers[0].kind, MarkerKind::WaitBegin);
    EXPECT_EQ(store->text(markers[0].subject), "m");
    EXPECT_EQ(store->tid(markers.event(0)), 10);

    const ThreadId low = store->threads().find(10, 0, 1000);
    EXPECT_EQ(store->threadName(low), "low");
    EXPECT_EQ(store->threads()[low].tgid, TraceScript::kProcess) << "learned from its marker";
    EXPECT_EQ(store->threadName(store->threads().find(0, 0, 0)), "idle/0");
}

TEST(TraceScript, PidReuseMakesTwoThreads) {
    TraceScript script;
    script.task(5, "shell");
    script.at(10).switchTo(5).fork(7, "first");
    script.at(20).switchTo(7, kTaskInterruptible).exit();
    script.at(30).switchTo(5, kTaskDead);
    script.at(40).fork(7, "second");
    script.at(50).switchTo(7, kTaskInterruptible);
    const auto store = script.toStore();
    const ThreadId first = store->threads().find(7, 0, 25);
    const ThreadId second = store->threads().find(7, 0, 55);
    ASSERT_NE(first, second);
    EXPECT_EQ(store->threadName(first), "first");
    EXPECT_EQ(store->threads()[first].exitTime, 20);
    EXPECT_EQ(store->threadName(second), "second");
    EXPECT_EQ(store->threads()[second].forkTime, 40);
    EXPECT_EQ(store->threads()[second].parent, store->threads().find(5, 0, 40));
}

TEST(TraceScript, TextIsWhatFtraceShows) {
    TraceScript script;
    script.task(10, "low", 120);
    script.at(1'000'000'500).switchTo(10);
    script.at(1'000'001'000).setprio(10, 0);
    EXPECT_EQ(script.toText(),
              "# tracer: nop\n#\n"
              "          <idle>-0       [000] ..... 1.000000500: sched_switch: prev_comm=swapper/0 "
              "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=low next_pid=10 next_prio=120\n"
              "             low-10      [000] ..... 1.000001000: sched_pi_setprio: comm=low pid=10 "
              "oldprio=120 newprio=0\n");
}

TEST(TraceScript, UnknownNamesAreNotInvented) {
    TraceScript script;
    script.at(10).fork(7, "<...>");
    const auto store = script.toStore();
    EXPECT_EQ(store->threadName(store->threads().find(7, 0, 10)), "<7>");
}

} // namespace
} // namespace inversight
