// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The bodies of events, one test per kind of fault that readers were reported to have.
#include "text_samples.h"
#include "trace/decode/text_bodies.h"
#include "trace/decode/text_states.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using nlohmann::json;

/// One event of CPU 0 by task x-1.
std::string line(const std::string& event) {
    return "  x-1 [000] d..2 5.000000: " + event + "\n";
}

json fieldsOf(const std::string& text) {
    const auto loaded = loadText(text);
    if (loaded->count(0) == 0)
        return "no event";
    return loaded->event(0, 0).fields;
}

std::string report(const std::string& event) {
    return "cpus=4\n  x-1     [000]  5.000000: " + event + "\n";
}

TEST(TextSwitch, BothStylesSayTheSame) {
    const json expected = {
        {"prev_comm", "alsa-sink-USB A"}, {"prev_pid", 2639}, {"prev_prio", 94}, {"prev_state", 1},
        {"next_comm", "swapper/3"},       {"next_pid", 0},    {"next_prio", 120}};
    EXPECT_EQ(fieldsOf(line("sched_switch:         alsa-sink-USB A:2639 [94] S ==> swapper/3:0 "
                            "[120]")),
              expected);
    EXPECT_EQ(fieldsOf(line("sched_switch: prev_comm=alsa-sink-USB A prev_pid=2639 prev_prio=94 "
                            "prev_state=S ==> next_comm=swapper/3 next_pid=0 next_prio=120")),
              expected);
    EXPECT_EQ(fieldsOf(report("sched_switch:          prev_comm=alsa-sink-USB A prev_pid=2639 "
                              "prev_prio=94 prev_state=1 next_comm=swapper/3 next_pid=0 "
                              "next_prio=120")),
              expected);
    EXPECT_EQ(fieldsOf(line("sched_switch: prev_comm=alsa-sink-USB A prev_pid=0xa4f (2639) "
                            "prev_prio=0x5e (94) prev_state=0x1 (1) next_comm=swapper/3 "
                            "next_pid=0x0 (0) next_prio=0x78 (120)")),
              expected);
}

TEST(TextSwitch, LastColonOfTheOldStylePartsNameAndPid) {
    const json fields =
        fieldsOf(line("sched_switch: irq/51-DLL075B::194 [49] D ==> swapper/0:0 [120]"));
    EXPECT_EQ(fields["prev_comm"], "irq/51-DLL075B:");
    EXPECT_EQ(fields["prev_pid"], 194);
    EXPECT_EQ(fields["prev_state"], 2);
}

TEST(TextSwitch, NamesThatImitateTheBody) {
    for (const std::string name :
         {"a==>b", "p=1 pid=7 x", "next_prio=1", "prio: 1 ==> ", "comm=a pid=1", "x prev_pid=1",
          "a:1 [2]", "[120] S", "x=1", ""}) {
        const json named =
            fieldsOf(line("sched_switch: prev_comm=" + name +
                          " prev_pid=42 prev_prio=120 prev_state=S ==> next_comm=" + name +
                          " next_pid=43 next_prio=49"));
        EXPECT_EQ(named["prev_comm"], name);
        EXPECT_EQ(named["next_comm"], name);
        EXPECT_EQ(named["next_pid"], 43) << name;
        const json old =
            fieldsOf(line("sched_switch: " + name + ":42 [120] S ==> " + name + ":43 [49]"));
        EXPECT_EQ(old["prev_comm"], name);
        EXPECT_EQ(old["next_comm"], name);
        EXPECT_EQ(old["next_pid"], 43) << name;
        EXPECT_EQ(old["next_prio"], 49) << name;
    }
}

TEST(TextSwitch, NewlineInANameGoesOnOnTheNextLine) {
    const auto loaded =
        loadText("     new\nline-192 [000] d..2 5.0: sched_switch: prev_comm=new\nline "
                 "prev_pid=192 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 "
                 "next_prio=120\n  b-2 [000] d..2 6.0: sched_waking: comm=new\nline pid=192 "
                 "prio=120 target_cpu=000\n");
    ASSERT_EQ(loaded->count(0), 2U);
    EXPECT_EQ(loaded->event(0, 0).fields["prev_comm"], "new\nline");
    EXPECT_EQ(loaded->event(0, 1).fields["comm"], "new\nline");
    EXPECT_THAT(loaded->report.warnings, testing::ElementsAre(testing::HasSubstr(
                                             "1 lines are neither event nor heading; the first is "
                                             "line 1, \"new\"")));
}

TEST(TextSwitch, DeadlineTasksHavePriorityMinusOne) {
    const json named =
        fieldsOf(line("sched_switch: prev_comm=d prev_pid=2593 prev_prio=-1 prev_state=R ==> "
                      "next_comm=g next_pid=2590 next_prio=-1"));
    EXPECT_EQ(named["prev_prio"], -1);
    EXPECT_EQ(named["next_prio"], -1);
    const json old = fieldsOf(line("sched_switch: d:2593 [4294967295] R ==> g:2590 [4294967295]"));
    EXPECT_EQ(old["prev_prio"], -1);
    EXPECT_EQ(old["next_prio"], -1);
}

TEST(TextSwitch, VendorsAppendFields) {
    const json fields =
        fieldsOf(line("sched_switch: prev_comm=wk:2/1/0/14 prev_pid=41149 prev_prio=51 "
                      "prev_state=R ==> next_comm=idle/1 next_pid=0 next_prio=-1 "
                      "next_info=1,0,0,0,0,0"));
    EXPECT_EQ(fields["prev_comm"], "wk:2/1/0/14");
    EXPECT_EQ(fields["next_prio"], -1);
}

TEST(TextSwitch, TheBodysPidWinsOverTheColumns) {
    const auto loaded =
        loadText(":-1    -1 [002]  3165.146420: sched:sched_switch: prev_comm=sleep prev_pid=4711 "
                 "prev_prio=120 prev_state=X ==> next_comm=swapper/2 next_pid=0 next_prio=120\n"
                 ":-1    -1 [002]  3165.146430: sched:sched_stat_runtime: x\n");
    ASSERT_EQ(loaded->count(2), 2U);
    EXPECT_EQ(loaded->event(2, 0).header.tid, 4711);
    EXPECT_EQ(loaded->event(2, 0).prevState, TaskState::Dead);
    EXPECT_EQ(loaded->event(2, 1).header.tid, 0); // who runs now; there is no task -1
}

TEST(TextStates, OnlyRIsRunnable) {
    using enum TaskState;
    const std::pair<const char*, TaskState> states[] = {{"R", Runnable},
                                                        {"R+", Runnable},
                                                        {"S", Interruptible},
                                                        {"D", Uninterruptible},
                                                        {"D|K", Uninterruptible},
                                                        {"T", Stopped},
                                                        {"t", Traced},
                                                        {"P", Parked},
                                                        {"X", Dead},
                                                        {"x", Dead},
                                                        {"Z", Zombie},
                                                        {"I", Idle},
                                                        {"D|W", Uninterruptible},
                                                        {"D|N", Idle},
                                                        {"S|K", Interruptible},
                                                        {"K", Unknown},
                                                        {"0x402", Unknown},
                                                        {"", Unknown},
                                                        {"?", Unknown},
                                                        {"R|S|D", Uninterruptible},
                                                        {"256", Runnable},
                                                        {"0", Runnable},
                                                        {"128", Idle},
                                                        {"99999999999999999999", Unknown}};
    for (const auto& [text, state] : states)
        EXPECT_EQ(decodeTextState(text, StateLetters::Kernel).state, state) << text;
    EXPECT_TRUE(decodeTextState("R+", StateLetters::Kernel).preempted);
    EXPECT_FALSE(decodeTextState("R", StateLetters::Kernel).preempted);
    EXPECT_TRUE(decodeTextState("256", StateLetters::Kernel).preempted);
}

TEST(TextStates, PluginLettersStandForBits) {
    EXPECT_EQ(decodeTextState("W", StateLetters::Plugin).state, TaskState::Idle);
    EXPECT_EQ(decodeTextState("Z", StateLetters::Plugin).state, TaskState::Dead);
    EXPECT_EQ(decodeTextState("X", StateLetters::Plugin).state, TaskState::Zombie);
    EXPECT_EQ(decodeTextState("x", StateLetters::Plugin).state, TaskState::Parked);
    EXPECT_EQ(decodeTextState("D|W", StateLetters::Plugin).state, TaskState::Uninterruptible);
    const auto loaded = loadText(report("sched_switch:         a:1 [120] W ==> b:2 [120]"));
    EXPECT_EQ(loaded->event(0, 0).prevState, TaskState::Idle);
    EXPECT_THAT(loaded->report.warnings,
                testing::ElementsAre(testing::HasSubstr("trace-cmd report -N")));
}

TEST(TextWake, BothStylesSayTheSame) {
    const json expected = {
        {"comm", "alsa-sink-USB A"}, {"pid", 2639}, {"prio", 94}, {"target_cpu", 3}};
    for (const char* event : {"sched_wakeup:         alsa-sink-USB A:2639 [94] success=1 CPU:003",
                              "sched_wakeup:         alsa-sink-USB A:2639 [94] CPU:003",
                              "sched_wakeup: task alsa-sink-USB A:2639 [94] success=1 [003]",
                              "sched_wakeup: comm=alsa-sink-USB A pid=2639 prio=94 target_cpu=003",
                              "sched_wakeup: comm=alsa-sink-USB A pid=2639 prio=94 success=1 "
                              "target_cpu=003"})
        EXPECT_EQ(fieldsOf(line(event)), expected) << event;
    EXPECT_EQ(fieldsOf(line("sched_wakeup: comm=a pid=1 prio=94"))["target_cpu"], -1);
    EXPECT_EQ(fieldsOf(line("sched_wakeup: a:1 [94] success=1"))["target_cpu"], -1);
    EXPECT_EQ(fieldsOf(line("sched_wakeup: comm=x y pid=12 prio=120 target_cpu=010"))["target_cpu"],
              10);
}

TEST(TextWake, WithoutSuccessIsNoWakeUp) {
    const auto loaded = loadText(line("sched_wakeup: a:1 [94] success=0 CPU:003"));
    ASSERT_EQ(loaded->count(0), 1U);
    EXPECT_TRUE(loaded->event(0, 0).fields.is_null());
    EXPECT_THAT(loaded->report.warnings, testing::IsEmpty());
}

TEST(TextWake, NameOfTheOldStyleThatImitatesTheNew) {
    const json fields = fieldsOf(report("sched_wakeup:         comm=a pid=1:204 [120] CPU:000"));
    EXPECT_EQ(fields["comm"], "comm=a pid=1");
    EXPECT_EQ(fields["pid"], 204);
}

TEST(TextWake, MailProgramsBreakLines) {
    const auto loaded = loadText("sysbench 129378 [006] 74586.633466: sched:sched_wakeup_new:\n"
                                 "                            sysbench:129380 [120] success=1 "
                                 "CPU:007\n");
    ASSERT_EQ(loaded->count(6), 1U);
    EXPECT_EQ(loaded->event(6, 0).fields["pid"], 129380);
}

TEST(TextFork, ChildNameWithABlank) {
    for (const char* event :
         {"sched_process_fork: comm=my shell pid=10 child_comm=my shell child_pid=11",
          "sched_process_fork:    parent_comm=my shell parent_pid=10 child_comm=my shell "
          "child_pid=11"}) {
        const json fields = fieldsOf(line(event));
        EXPECT_EQ(fields["parent_comm"], "my shell");
        EXPECT_EQ(fields["parent_pid"], 10);
        EXPECT_EQ(fields["child_comm"], "my shell");
        EXPECT_EQ(fields["child_pid"], 11);
    }
}

TEST(TextBodies, OtherSchedulerEvents) {
    EXPECT_EQ(fieldsOf(line("sched_process_exit: comm=a b pid=5 prio=120 group_dead=true")),
              (json{{"comm", "a b"}, {"pid", 5}, {"prio", 120}}));
    EXPECT_EQ(fieldsOf(line("sched_migrate_task: comm=a b pid=5 prio=98 orig_cpu=1 dest_cpu=0")),
              (json{{"comm", "a b"}, {"pid", 5}, {"prio", 98}, {"orig_cpu", 1}, {"dest_cpu", 0}}));
    EXPECT_EQ(fieldsOf(line("sched_pi_setprio: comm=a b pid=5 oldprio=139 newprio=-1")),
              (json{{"comm", "a b"}, {"pid", 5}, {"oldprio", 139}, {"newprio", -1}}));
}

TEST(TextContention, FlagsByNameAndByNumber) {
    const json named = fieldsOf(line("contention_begin: 00000000610328f2 (flags=SPIN|WRITE)"));
    EXPECT_EQ(named, (json{{"lock_addr", 0x610328f2}, {"flags", 5}}));
    EXPECT_EQ(fieldsOf(line("contention_begin: 0xff12c9de1de201e0 (flags=RT)"))["lock_addr"],
              0xff12c9de1de201e0);
    EXPECT_EQ(fieldsOf(line("contention_begin: ff (flags=)"))["flags"], 0);
    EXPECT_EQ(fieldsOf(line("contention_begin: ff (flags=MUTEX|0x40)"))["flags"], 0x60);
    EXPECT_EQ(fieldsOf(report("contention_begin:      lock_addr=0xff12c9de1de201e0 flags=8")),
              (json{{"lock_addr", 0xff12c9de1de201e0}, {"flags", 8}}));
    EXPECT_EQ(fieldsOf(line("contention_end: 00000000610328f2 (ret=-4)")),
              (json{{"lock_addr", 0x610328f2}, {"ret", -4}}));
}

TEST(TextFutex, EveryTool) {
    const json expected = {{"uaddr", 0x7ffd7dcb9994}, {"op", 0x86}, {"val", 2}};
    for (const char* event :
         {"sys_futex(uaddr: 7ffd7dcb9994, op: 86, val: 2, utime: 0, uaddr2: 0, val3: 0)",
          "sys_enter_futex: uaddr: 0x7ffd7dcb9994, op: 0x0086, val: 0x0002, utime: 0x0000",
          "sys_enter_futex: op=FUTEX_LOCK_PI|FUTEX_PRIVATE_FLAG uaddr=0x7ffd7dcb9994 val=0x2"})
        EXPECT_EQ(fieldsOf(line(event)), expected) << event;
    for (const char* event : {"sys_futex -> 0xfffffffffffffff5",
                              "sys_exit_futex: 0xfffffffffffffff5", "sys_exit_futex: ret=-11"})
        EXPECT_EQ(fieldsOf(line(event)), (json{{"ret", -11}})) << event;
}

TEST(TextMarkers, AreFoundUnderEveryName) {
    for (const char* event :
         {"tracing_mark_write: B|1234|cycle",
          "print:                tracing_mark_write: B|1234|cycle",
          "print: ip=tracing_mark_write buf=B|1234|cycle", "0: B|1234|cycle",
          "0xffffff8008f91c90: B|1234|cycle", "print: 0xffffff8008f91c90: B|1234|cycle"}) {
        const auto loaded = loadText(line(event));
        ASSERT_EQ(loaded->count(0), 1U) << event;
        EXPECT_EQ(loaded->event(0, 0).markerKind, MarkerKind::SliceBegin) << event;
        EXPECT_EQ(loaded->event(0, 0).fields, (json{{"tgid", 1234}, {"subject", "cycle"}}));
    }
    EXPECT_EQ(loadText(line("tracing_mark_write: start_cycle 17"))->event(0, 0).markerKind,
              MarkerKind::Text);
    EXPECT_EQ(loadText(line("tracing_mark_write: tracing_mark_write: B|1|fake"))
                  ->event(0, 0)
                  .fields["subject"],
              "tracing_mark_write: B|1|fake");
    EXPECT_EQ(loadText(line("tracing_mark_write: B|18998|Texture upload(15283) 52x50"))
                  ->event(0, 0)
                  .fields["subject"],
              "Texture upload(15283) 52x50");
}

TEST(TextBodies, UnknownOnesAreKeptUnderTheirNames) {
    const auto loaded = loadText(
        line("thermal_power_cpu_get_power: cpus=00000000,00000006 freq=1400000 load={23, 12}") +
        line("my_event: foo=1bar=2 path=/a=b") +
        line("sched_stat_runtime: [FAILED TO PARSE] comm=kworker/u8:0 pid=7 runtime=5014"));
    ASSERT_EQ(loaded->count(0), 3U);
    EXPECT_EQ(loaded->sink.type(loaded->event(0, 0)).name, "thermal_power_cpu_get_power");
    EXPECT_EQ(loaded->sink.type(loaded->event(0, 1)).name, "my_event");
    EXPECT_EQ(loaded->sink.names.at(7), "kworker/u8:0");
    EXPECT_THAT(loaded->report.warnings, testing::IsEmpty());
}

TEST(TextBodies, WithoutTheirFieldsAreEventsAndSaid) {
    const auto loaded = loadText(line("sched_switch: prev_comm=PacerThread prev_pid=148586..."));
    ASSERT_EQ(loaded->count(0), 1U);
    EXPECT_TRUE(loaded->event(0, 0).fields.is_null());
    EXPECT_THAT(loaded->report.warnings,
                testing::ElementsAre(testing::HasSubstr("1 lines of sched_switch")));
}

TEST(TextBodies, NamesComeFromAnyBody) {
    TextNaming naming;
    std::string_view body = "comm=Thread-103 pid=3979 runtime=5 newcomm=x y newpid=8 comm=z pid=q";
    ASSERT_TRUE(takeNaming(body, naming));
    EXPECT_EQ(naming.name, "Thread-103");
    EXPECT_EQ(naming.tid, 3979);
    ASSERT_TRUE(takeNaming(body, naming));
    EXPECT_EQ(naming.name, "x y");
    EXPECT_EQ(naming.tid, 8);
    EXPECT_FALSE(takeNaming(body, naming));
}

} // namespace

} // namespace inversight::test
