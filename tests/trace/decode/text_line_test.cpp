// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The columns in front of an event, one test per kind of fault that readers were reported to have.
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_line.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

TextLine parsed(std::string_view text) {
    TextLine line;
    EXPECT_TRUE(parseTextLine(text, line)) << text;
    return line;
}

bool isEvent(std::string_view text) {
    TextLine line;
    return parseTextLine(text, line);
}

constexpr std::string_view kLegend =
    "#                                _-------=> irqs-off\n"
    "#                               / _------=> need-resched\n"
    "#                              | / _-----=> need-resched-lazy\n"
    "#                              || / _----=> hardirq/softirq\n"
    "#                              ||| / _---=> preempt-depth\n"
    "#                              |||| / _--=> preempt-lazy-depth\n"
    "#                              ||||| / _-=> migrate-disable\n"
    "#           TASK-PID     CPU#  |||||||  TIMESTAMP  FUNCTION\n";

TEST(TextFlags, SevenCharactersOfPreemptRtByTheLegend) {
    const FlagLayout legend = flagLayoutOf(kLegend);
    EXPECT_EQ(legend, (FlagLayout{7, 0, 1, 2, 3, 4, 6}));
    TextHeader header = parsed("     ksoftirqd/7-54      [007] d...213    46.299760: sched_switch: "
                               "prev_comm=ksoftirqd/7")
                            .header;
    EXPECT_EQ(header.flags, "d...213");
    decodeFlags(legend, header);
    EXPECT_EQ(header.commonFlags, 0x01);  // irqs off
    EXPECT_EQ(header.preemptCount, 0x32); // depth 2, migration disabled 3 times
    header.flags = "dN.h4..";
    decodeFlags(legend, header);
    EXPECT_EQ(header.commonFlags, 0x01 | 0x24 | 0x08);
    EXPECT_EQ(header.preemptCount, 4);
}

TEST(TextFlags, FourToEightCharactersWithoutALegend) {
    for (const std::string_view flags : {"d..3", "d..3.", "d..3..", "d...3..", "d...3.12"}) {
        const std::string line = "  a-1 [000] " + std::string(flags) + " 1.5: x: y";
        TextHeader header = parsed(line).header;
        EXPECT_EQ(header.flags, flags);
        decodeFlags({}, header);
        EXPECT_EQ(header.commonFlags, 1) << flags;
        EXPECT_EQ(header.preemptCount & 0xf, 3) << flags;
    }
    EXPECT_EQ(parsed("  a-1   [000] 1.5: x: y").header.flags, "");
}

TEST(TextTask, NameWithBlanks) {
    const TextHeader header =
        parsed("  HDMI polling ta-333   [001] d..3 55595.541375: sched_switch: "
               "prev_comm=HDMI polling ta")
            .header;
    EXPECT_EQ(header.task, "HDMI polling ta");
    EXPECT_EQ(header.tid, 333);
    EXPECT_EQ(header.cpu, 1);
    EXPECT_EQ(header.time, 55595'541375000);
}

TEST(TextTask, PlaceholdersAreNoNames) {
    EXPECT_EQ(parsed("           <...>-3979  [007]   217.975284: x:  y").header.task, "<...>");
    EXPECT_EQ(parsed("<8397>-8397  [007]   217.975284: x: y").header.tid, 8397);
    for (const std::string_view name : {"<...>", "<8397>", "<idle>", "", ":8397", "<unknown>"})
        EXPECT_TRUE(isPlaceholderTask(name)) << name;
    for (const std::string_view name : {"a", ":a", "k<"})
        EXPECT_FALSE(isPlaceholderTask(name)) << name;
}

TEST(TextTask, ColonAtTheEndOfTheNameDashesAndDigitsInIt) {
    const std::pair<const char*, int> names[] = {{"irq/51-DLL075B:", 194},
                                                 {"kworker/u9:4", 18913},
                                                 {"wk:2/1/0/14", 41149},
                                                 {"migration/1", 24},
                                                 {"DNS Res~er #129", 700},
                                                 {"99-", 196},
                                                 {"-99", 195},
                                                 {"co:lon: 3", 182},
                                                 {"x [y] <z>", 180},
                                                 {"[001]", 197},
                                                 {"a==>b", 183},
                                                 {"prio: 1 ==> ", 203},
                                                 {"日本語日本", 186},
                                                 {"a-1 [0] 1.0: b:", 77},
                                                 {"1.0: x: y", 78}};
    for (const auto& [name, tid] : names) {
        const std::string line = "   " + std::string(name) + "-" + std::to_string(tid) +
                                 "      [002] d...2..    12.369373: sched_switch: prev_comm=x";
        const TextLine event = parsed(line);
        EXPECT_EQ(event.header.task, name);
        EXPECT_EQ(event.header.tid, tid) << name;
        EXPECT_EQ(event.header.cpu, 2) << name;
        EXPECT_EQ(event.name, "sched_switch") << name;
    }
}

TEST(TextTask, ThreadGroupColumnWithAndWithoutANumber) {
    EXPECT_EQ(parsed(" irq/328-synapti-12950 (12950) [000] ...1 16930.261886: sched_wakeup: x")
                  .header.tgid,
              12950);
    const TextHeader lost =
        parsed("          <idle>-0     (-----) [002] d.h4 6824711.826455: sched_waking: x").header;
    EXPECT_EQ(lost.tgid, -1);
    EXPECT_EQ(lost.tid, 0);
    const TextHeader wide =
        parsed("          atrace-19593   (  19593) [001] ..... 54562.848600: tracing_mark_write: x")
            .header;
    EXPECT_EQ(wide.tgid, 19593);
    EXPECT_EQ(wide.task, "atrace");
    EXPECT_EQ(parsed("   a-1 (      0) [001] 1.0: x: y").header.tgid, -1);
}

TEST(TextLossLine, AllForms) {
    TextLoss loss;
    ASSERT_TRUE(parseLossLine("CPU:0 [LOST 2 EVENTS]", loss));
    EXPECT_TRUE(loss.cpu == 0 && loss.counted && loss.count == 2);
    ASSERT_TRUE(parseLossLine("CPU:7 [204600 EVENTS DROPPED]", loss));
    EXPECT_TRUE(loss.cpu == 7 && loss.counted && loss.count == 204600);
    ASSERT_TRUE(parseLossLine("CPU:0 [LOST EVENTS]", loss));
    EXPECT_FALSE(loss.counted);
    ASSERT_TRUE(parseLossLine("CPU:1 [EVENTS DROPPED]", loss));
    EXPECT_FALSE(loss.counted);
    EXPECT_FALSE(parseLossLine("CPU:1 [LOST DOG]", loss));
    EXPECT_FALSE(parseLossLine("CPU:99999 [LOST EVENTS]", loss));
}

TEST(TextTime, LatencyFormatHasItsCpuGluedToTheFlags) {
    const TextHeader header =
        parsed("   rcub/1-17        1d..3. 10607791189us : sched_pi_setprio: comm=x").header;
    EXPECT_EQ(header.cpu, 1);
    EXPECT_EQ(header.flags, "d..3.");
    EXPECT_EQ(header.time, 10607'791189000);
    EXPECT_EQ(header.task, "rcub/1");
    EXPECT_EQ(header.tid, 17);
    for (const std::string_view mark : {" ", "!", "+", "#", "*", "@", "$"})
        EXPECT_TRUE(isEvent("  a-1  12d..3.. 5us" + std::string(mark) + ": x: y")) << mark;
}

TEST(TextTime, VerboseLatencyFormatIsTakenFromItsAbsoluteColumn) {
    const TextHeader header =
        parsed("          rcuc/0      19   0 129 00000003 00000005 [0076ca70] 132.747ms "
               "(+0.013ms): sched_waking: comm=rcu_preempt")
            .header;
    EXPECT_EQ(header.task, "rcuc/0");
    EXPECT_EQ(header.tid, 19);
    EXPECT_EQ(header.cpu, 0);
    EXPECT_EQ(header.time, 0x0076ca70LL * 1000);
    EXPECT_EQ(header.commonFlags, 129);
    EXPECT_EQ(header.preemptCount, 3);
}

TEST(TextTime, AnyNumberOfDecimals) {
    EXPECT_EQ(parsed("a-1 [000] 1234.999999501: x: y").header.time, 1234'999999501);
    EXPECT_EQ(parsed("a-1 [000] 1.0: x: y").header.time, 1'000000000);
    EXPECT_FALSE(isEvent("a-1 [000] 1.0000000001: x: y"));
    EXPECT_FALSE(isEvent("a-1 [000] 99999999999999999999.1: x: y"));
}

TEST(TextTime, WholeNumbersAndNoBlankBehindTheCpu) {
    const TextHeader glued = parsed("    sleep-2084  [001]1651097314396951318: function:        "
                                    "     __mutex_unlock_slowpath")
                                 .header;
    EXPECT_EQ(glued.time, 1651097314396951318);
    EXPECT_TRUE(glued.wholeTime);
    EXPECT_EQ(glued.cpu, 1);
    EXPECT_EQ(parsed("       trace-cmd-521   [001] 99176715281005: sched_waking: x").header.time,
              99176715281005);
}

TEST(TextName, IsTheWordBehindTheTime) {
    const TextLine line =
        parsed("kworker/0:1-12 [000] d..1 26.168731: workqueue_queue_work: work "
               "struct=000000003a52dd5d function=vmpressure_work_fn workqueue=00000000ec7af7a6 "
               "req_cpu=32 cpu=7");
    EXPECT_EQ(line.name, "workqueue_queue_work");
    EXPECT_EQ(line.header.cpu, 0);
}

TEST(TextName, TracersWriteOthers) {
    EXPECT_EQ(parsed("a-1 [000] ..... 1.0: schedule <-worker_thread").shape, NameShape::Function);
    EXPECT_EQ(parsed("a-1 [000] ..... 1.0: sys_futex(uaddr: 7f, op: 86)").shape,
              NameShape::Syscall);
    EXPECT_EQ(parsed("a-1 [000] ..... 1.0: sys_futex -> 0x0").shape, NameShape::Syscall);
    EXPECT_EQ(parsed("a-1 [000] ..... 1.0: <stack trace>").shape, NameShape::Text);
    EXPECT_EQ(parsed("a-1 [000] 1.0:  timer_start   timer=1").shape, NameShape::Unmarked);
    EXPECT_EQ(parsed("a-1 [000] 1.0: (+44)    sched_wakeup:   x").name, "sched_wakeup");
}

TEST(TextPerf, NamesWithBlanksAndNumbersBeforeThePid) {
    const TextLine cup = parsed("  CUPSManager cup 11320 186448.846888:    1008373 cycles:");
    EXPECT_EQ(cup.header.task, "CUPSManager cup");
    EXPECT_EQ(cup.header.tid, 11320);
    EXPECT_EQ(cup.header.cpu, -1);
    EXPECT_EQ(cup.name, "cycles");
    const TextLine wheel = parsed("Hashed wheel timer #1 26638 [001] 856620.530720: "
                                  "sched:sched_switch: prev_comm=Hashed wheel ti");
    EXPECT_EQ(wheel.header.tid, 26638);
    EXPECT_EQ(wheel.header.cpu, 1);
    EXPECT_EQ(wheel.name, "sched:sched_switch");
    const TextHeader worker = parsed("   apply worker 79618/79969 [010] 11994704.718048: "
                                     "sched:sched_wakeup: comm=x y pid=12")
                                  .header;
    EXPECT_EQ(worker.tid, 79969);
    EXPECT_EQ(worker.tgid, 79618);
    EXPECT_EQ(worker.cpu, 10);
    EXPECT_EQ(parsed("java main 25607 4794564.109216: cycles:").header.tid, 25607);
}

TEST(TextPerf, TasksThatHaveGone) {
    EXPECT_EQ(parsed(":-1    -1 [002]  3165.146420: sched:sched_switch: x").header.tid, -1);
    EXPECT_EQ(parsed(":-1    -1/-1 [002]  3165.146420: sched:sched_switch: x").header.tid, -1);
}

TEST(TextLine, ProseAndTablesAreNoEvents) {
    for (const std::string_view line :
         {"", ":", "::::", "On Mon, 12 Jan 2020 10:30:12: somebody wrote:", "x 12 5: foo",
          "version = 6", "# tracer: nop", "\t643 _Z4betav (/work/simple)", "12.5: x",
          "a-1 [5000] 1.0: x: y", "a-1 [-1] 1.0: x: y", "a-99999999999 [000] 1.0: x: y"})
        EXPECT_FALSE(isEvent(line)) << line;
}

TEST(TextLine, EndsAtTheLinesEnd) {
    std::string_view line;
    LineReader lines("a\r\nb\n\nc");
    std::vector<std::string> all;
    while (lines.next(line))
        all.emplace_back(line);
    EXPECT_THAT(all, testing::ElementsAre("a", "b", "", "c"));
    EXPECT_FALSE(lines.lineIsWhole());
}

} // namespace

} // namespace inversight::test
