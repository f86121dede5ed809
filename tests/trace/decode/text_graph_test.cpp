// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Text of the function_graph tracer, as the kernel and as trace-cmd report write it.
#include "text_samples.h"
#include "trace/decode/text_graph.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kHead =
    "# tracer: function_graph\n#\n"
    "#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS\n"
    "#      |          |     |    |           |   |                     |   |   |   |\n";

TEST(TextGraph, CommentsAreEventsAndCallsAreEntriesAndEnds) {
    const auto loaded = loadText(
        kHead +
        "   20.748312 |   0)    <idle>-0    |               |  /* sched_waking: comm=ksoftirqd/0 "
        "pid=14 prio=120 target_cpu=000 */\n"
        "   20.748396 |   0)    <idle>-0    |               |  schedule_idle() {\n"
        "   20.748400 |   0)    <idle>-0    |               |    /* sched_switch: "
        "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ksoftirqd/0 "
        "next_pid=14 next_prio=120 */\n"
        " ------------------------------------------\n"
        " 0)    <idle>-0    =>   ksoftir-14  \n"
        " ------------------------------------------\n"
        "\n"
        "   20.768749 |   0)   ksoftir-14   | ! 412.727 us  |  scheduler_tick();\n"
        "   20.769000 |   0)   ksoftir-14   |   ==========> |\n"
        "   20.769100 |   0)   ksoftir-14   |   <========== |\n"
        "   20.848653 |   1)  fifo-99-251   | # 1106.055 us |  } /* schedule_hrtimeout_range */\n"
        "   20.848700 |   1)  fifo-99-251   |               |  /* B|251|step */\n"
        "   20.848800 |   1)  fifo-99-251   | + 24.532 us   |  }\n");
    EXPECT_EQ(loaded->info.format, "function_graph text");
    ASSERT_EQ(loaded->count(0), 4U);
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 0)), "sched/sched_waking");
    EXPECT_EQ(loaded->event(0, 0).fields["comm"], "ksoftirqd/0");
    EXPECT_EQ(loaded->event(0, 0).header.time, 20'748'312'000);
    EXPECT_EQ(loaded->event(0, 0).header.tid, 0);
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 1)), "ftrace/funcgraph_entry");
    EXPECT_EQ(loaded->event(0, 2).fields["next_pid"], 14);
    EXPECT_EQ(loaded->event(0, 3).header.tid, 14);
    ASSERT_EQ(loaded->count(1), 3U);
    EXPECT_EQ(loaded->sink.typeName(loaded->event(1, 0)), "ftrace/funcgraph_exit");
    EXPECT_EQ(loaded->event(1, 0).header.tid, 251);
    EXPECT_EQ(loaded->event(1, 1).markerKind, MarkerKind::SliceBegin);
    EXPECT_THAT(loaded->report.warnings,
                ElementsAre(StartsWith("1 calls of the graph tracer stand in one line each")));
}

TEST(TextGraph, NamesInTheColumnAreShortAndMayHoldAnything) {
    const std::string event = "|               |  /* x: y */\n";
    const auto loaded = loadText(kHead + "  1.000001 |   0)   a | b -9-7   " + event +
                                 "  1.000002 |  11)    -99-196   " + event);
    ASSERT_EQ(loaded->count(0), 1U);
    EXPECT_EQ(loaded->event(0, 0).header.tid, 7);
    ASSERT_EQ(loaded->count(11), 1U);
    EXPECT_EQ(loaded->event(11, 0).header.tid, 196);
    const auto store =
        storeOf(kHead + "  1.000001 |   0)   ksoftir-14   |               |  /* "
                        "sched_waking: comm=ksoftirqd/0 pid=14 prio=120 target_cpu=0 */\n");
    EXPECT_EQ(nameOf(*store, 14), "ksoftirqd/0");
}

TEST(TextGraph, WithoutTimesOrTasksIsRefusedWithWhatItHolds) {
    const std::string lines = " 0)               |  /* sched_waking: comm=a pid=1 */\n"
                              " 1)   1.014 us    |  rt_mutex_base_init();\n"
                              " 1)               |  schedule() {\n 1) + 10.0 us    |  }\n";
    const Error error = refusedText("# tracer: function_graph\n#\n" + lines);
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    EXPECT_EQ(error.what, "text of the function_graph tracer whose lines lack the time or the task "
                          "(1 events and 2 calls cannot be placed)");
    EXPECT_THAT(error.remedy, HasSubstr("funcgraph-abstime"));
    EXPECT_THAT(refusedText("# tracer: function_graph\n#\n   20.748312 |   0)               |  /* "
                            "sched_waking: comm=a pid=1 */\n")
                    .what,
                HasSubstr("1 events and 0 calls"));
}

TEST(TextGraph, LinesOfOtherFormsAreCounted) {
    const auto loaded =
        loadText(kHead + "  1.000001 |   0)   a-7   |               |  /* x: y */\n"
                         "  1.000002 |   0)   a-7   |               |  what is this\n"
                         "  1.000003 |   0)   a-7   |  d..2 |       |  /* x: y */\n"
                         "  99999999999.000003 |   0)   a-7   |     |  /* x: y */\n"
                         "  1.03 |   0)   a-7   |       |  /* x: y */\n");
    EXPECT_EQ(loaded->count(0), 1U);
    EXPECT_THAT(loaded->report.warnings,
                ElementsAre(StartsWith("4 lines are neither event nor heading; the first is line "
                                       "6")));
}

TEST(TextGraph, ReportsWriteACallInOneLineOrInTwo) {
    const auto loaded = loadText(
        "cpus=1\n"
        "  a-7     [000]   1.000001: funcgraph_entry:      ! 260.751 us |  rt_mutex_base_init();\n"
        "  a-7     [000]   1.000002: funcgraph_entry:                   |  schedule() {\n"
        "  a-7     [000]   1.000003: funcgraph_exit:       + 36.395 us  |  }\n");
    ASSERT_EQ(loaded->count(0), 3U);
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 0)), "ftrace/funcgraph_entry");
    EXPECT_EQ(loaded->sink.typeName(loaded->event(0, 2)), "ftrace/funcgraph_exit");
    EXPECT_THAT(loaded->report.warnings,
                ElementsAre("1 calls of the graph tracer stand in one line each, with their "
                            "duration; the ends of these calls are not events of this text"));
    EXPECT_THAT(loadText("cpus=1\n  a-7     [000]   1.000002: funcgraph_entry:                   | "
                         " schedule() {\n")
                    ->report.warnings,
                IsEmpty());
}

} // namespace

} // namespace inversight::test
