// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The lines "Reader must get right" of the fixtures' INDEX.md: one row per line, under the same
// name. fixtures_test compares every record of these files; here is what the line adds to that.
#include "noted_trace.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace inversight::test {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

struct Note {
    const char* name;
    void (*check)(const NotedTrace&);
};

using Trace = const NotedTrace&;

void expectClock(Trace trace, const std::string& name, ClockUnit unit) {
    EXPECT_EQ(trace.sink.streams[0].clock.name, name);
    EXPECT_EQ(trace.sink.streams[0].clock.unit, unit);
}

template <std::int64_t kFirst>
void expectFirst(Trace trace) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const int cpu : trace.cpus())
        first = std::min(first, trace.onCpu(cpu).front().header.time);
    EXPECT_EQ(first, kFirst);
}

void bootIsNanoseconds(Trace trace) {
    expectClock(trace, "boot", ClockUnit::Nanoseconds);
}

void plain(Trace trace) {
    EXPECT_EQ(trace.file.version, 6);
    EXPECT_EQ(trace.file.compression, "none");
    EXPECT_FALSE(trace.file.savedCmdlines.empty());
}

template <int kCpu, std::int64_t kCount>
void losesOnce(Trace trace) {
    const std::map<int, std::vector<std::int64_t>> expected{{kCpu, {kCount}}};
    EXPECT_EQ(trace.losses(), expected);
}

/// An unknown number, which the statistics of the CPU bound.
template <int kCpu>
void losesSome(Trace trace) {
    losesOnce<kCpu, -1>(trace);
    std::string stats;
    for (const std::string_view text : trace.file.cpuStats)
        stats += text;
    EXPECT_THAT(stats, testing::ContainsRegex("overrun: [1-9]"));
}

void keepsHostileNames(Trace trace) {
    const std::set<std::string> comms = trace.comms();
    EXPECT_THAT(comms,
                IsSupersetOf({"new\nline", "tab\there", " lead", "trail ", "a==>b", "x [y] <z>",
                              "<idle>", "<...>", "[001]", "swapper/0", "-99", "99-", "next_prio=1",
                              "prio: 1 ==> ", "\x1b[31mred", "co:lon: 3"}));
    // Bytes as code points: UTF-8, cut UTF-8, no UTF-8 at all.
    EXPECT_THAT(comms, Contains("\xc3\xbf\xc3\xbe\xc2\x80"));
    EXPECT_THAT(comms, Contains("")); // an empty name is a name
    for (const CollectedEvent* event : trace.events("sched_switch")) {
        if (event->fields["next_comm"] == "<idle>") {
            EXPECT_NE(event->fields["next_pid"], 0);
        }
    }
}

void fieldsBegin(Trace trace, std::uint32_t offset) {
    EXPECT_EQ(trace.format("sched_switch").find("prev_comm")->offset, offset);
}

void hasTwoBuffers(Trace trace) {
    ASSERT_EQ(trace.sink.streams.size(), 2u);
    EXPECT_EQ(trace.sink.streams[0].name, "");
    EXPECT_EQ(trace.sink.streams[1].name, "second");
    EXPECT_FALSE(trace.events("sched_switch", 1).empty());
    EXPECT_TRUE(trace.events("sched_waking", 1).empty());
}

/// The second buffer's clock is another than the file says: it is a stream of its own, later.
template <std::int64_t kLater>
void secondBufferIsLater(Trace trace) {
    hasTwoBuffers(trace);
    const auto first = trace.events("sched_switch").front()->header.time;
    EXPECT_NEAR(static_cast<double>(trace.events("sched_switch", 1).front()->header.time - first),
                static_cast<double>(kLater), 1e8);
}

void keepsMarkers(Trace trace) {
    std::vector<std::string> subjects;
    for (const CollectedEvent* event : trace.events("print"))
        subjects.push_back(event->fields["subject"]);
    EXPECT_THAT(subjects, Contains("hello from shell"));
    EXPECT_EQ(trace.count("raw_data"), 1u);
    const auto isOpen = [](const CollectedEvent* event) {
        return event->markerKind == MarkerKind::SliceBegin;
    };
    EXPECT_GT(std::ranges::count_if(trace.events("print"), isOpen), 0);
}

void is32BitLittle(Trace trace) {
    EXPECT_EQ(trace.file.longSize, 4);
    EXPECT_EQ(trace.file.layout.dataOffset, 12u);
    EXPECT_EQ(trace.format("sched_switch").find("prev_state")->size, 4u);
}

void isBigEndian(Trace trace) {
    EXPECT_EQ(trace.file.order, ByteOrder::Big);
    EXPECT_EQ(trace.file.layout.commitSize, 8u);
}

template <std::size_t kCount>
void countsSetprio(Trace trace) {
    EXPECT_EQ(trace.count("sched_pi_setprio"), kCount);
}

void subBuffersAre16k(Trace trace) {
    EXPECT_EQ(trace.file.buffers[0].layout.pageSize, 16384u);
    EXPECT_EQ(trace.file.buffers[0].cpus[0].size % 16384, 0u);
}

void datesInUs(Trace trace) {
    EXPECT_GT(trace.file.time.date, 0);
    EXPECT_EQ(trace.file.time.date % 1000, 0);
}

const Note kNotes[] = {
    {"rt-v6-boot", bootIsNanoseconds},
    {"rt-v6-comms", keepsHostileNames},
    {"rt-v6-emptycpu",
     [](Trace trace) {
         EXPECT_THAT(trace.cpus(), ElementsAre(0));
         EXPECT_EQ(trace.file.cpuCount, 2);
     }},
    {"rt-v6-lost-b8", losesOnce<0, 16578>},
    {"rt-v6-mono", plain},
    {"rt-v6-twobuf", hasTwoBuffers},
    {"rt-v7-all",
     [](Trace trace) {
         EXPECT_EQ(trace.sink.eventCount(), 9381u);
         EXPECT_GT(trace.file.formats.size(), 1300u);
     }},
    {"rt-v7-comms", keepsHostileNames},
    {"rt-v7-date-mono", expectFirst<1796060876510928577>},
    {"rt-v7-date",
     [](Trace trace) {
         EXPECT_EQ(trace.file.time.date, 0x66181f8a698d2 * 1000);
         expectFirst<1796060867708180261>(trace);
     }},
    {"rt-v7-emptycpu",
     [](Trace trace) {
         EXPECT_THAT(trace.cpus(), ElementsAre(0));
         EXPECT_EQ(trace.file.cpuCount, 2);
         EXPECT_THAT(trace.events("sched_waking"),
                     Contains(testing::Truly([](const CollectedEvent* event) {
                         return event->fields["target_cpu"] == 1;
                     })));
     }},
    {"rt-v7-lost-b8",
     [](Trace trace) {
         losesOnce<0, 54168>(trace);
         countsSetprio<0>(trace);
     }},
    {"rt-v7-none-mono",
     [](Trace trace) {
         EXPECT_EQ(trace.file.compression, "none");
         EXPECT_THAT(trace.file.unpacked, IsEmpty());
         EXPECT_EQ(trace.file.buffers[0].cpus[0].chunks, nullptr);
     }},
    {"rt-v7-twobuf",
     [](Trace trace) {
         hasTwoBuffers(trace);
         EXPECT_EQ(trace.file.cpuStats.size(), 5u);
     }},
    {"rt-v7-zstd-boot", bootIsNanoseconds},
    {"rt-v7-zstd-counter",
     [](Trace trace) {
         expectClock(trace, "counter", ClockUnit::Ticks);
         expectFirst<3>(trace);
         std::set<std::int64_t> times;
         for (const int cpu : trace.cpus()) {
             for (const CollectedEvent& event : trace.onCpu(cpu))
                 times.insert(event.header.time);
         }
         EXPECT_EQ(times.size(), trace.sink.eventCount());
     }},
    {"rt-v7-zstd-global",
     [](Trace trace) { expectClock(trace, "global", ClockUnit::Nanoseconds); }},
    {"rt-v7-zstd-local",
     [](Trace trace) {
         expectClock(trace, "local", ClockUnit::Nanoseconds);
         EXPECT_FALSE(trace.sink.streams[0].clock.comparableAcrossCpus);
     }},
    {"rt-v7-zstd-mono", [](Trace trace) { EXPECT_GT(trace.count("smbus_reply"), 0u); }},
    {"rt-v7-zstd-perf", [](Trace trace) { expectClock(trace, "perf", ClockUnit::Nanoseconds); }},
    {"rt-v7-zstd-tai",
     [](Trace trace) {
         expectClock(trace, "tai", ClockUnit::Nanoseconds);
         expectFirst<1796060801574118070>(trace);
     }},
    {"rt-v7-zstd-uptime",
     [](Trace trace) {
         expectClock(trace, "uptime", ClockUnit::Ticks);
         std::set<std::int64_t> times;
         for (const int cpu : trace.cpus()) {
             for (const CollectedEvent& event : trace.onCpu(cpu))
                 times.insert(event.header.time);
         }
         EXPECT_EQ(times.size(), 11u);
         EXPECT_EQ(*times.begin(), 7609);
     }},
    {"rt-v7-zstd-x86tsc",
     [](Trace trace) {
         expectClock(trace, "x86-tsc", ClockUnit::Ticks);
         EXPECT_EQ(trace.file.time.multiplier, 0u);
     }},
    {"rt-v7-histtrigger",
     [](Trace trace) { expectClock(trace, "global", ClockUnit::Nanoseconds); }},
    {"rt-v7-extract", [](Trace trace) { EXPECT_GT(trace.sink.names.size(), 50u); }},
    {"rt-v7-fgraph",
     [](Trace trace) {
         EXPECT_EQ(trace.count("funcgraph_exit"), 658u);
         EXPECT_GT(trace.file.kallsyms.size(), 1'000'000u);
     }},
    {"rt-v7-filter-discard", [](Trace trace) { EXPECT_EQ(trace.sink.eventCount(), 1148u); }},
    {"rt-v7-fullks", [](Trace trace) { EXPECT_GT(trace.file.kallsyms.size(), 3'900'000u); }},
    {"rt-v7-function", [](Trace trace) { EXPECT_GT(trace.count("function"), 0u); }},
    {"rt-v7-hotplug-before",
     [](Trace trace) {
         EXPECT_THAT(trace.cpus(), ElementsAre(0, 2));
         EXPECT_EQ(trace.file.cpuCount, 3);
     }},
    {"rt-v7-hotplug-during",
     [](Trace trace) {
         EXPECT_EQ(trace.onCpu(1).back().header.time, 39985726120);
         EXPECT_EQ(trace.onCpu(2).back().header.time, 40200776630);
     }},
    {"rt-v7-mutexpolicy", countsSetprio<236>},
    {"rt-v7-noevents",
     [](Trace trace) {
         EXPECT_EQ(trace.sink.eventCount(), 0u);
         EXPECT_THAT(trace.cpus(), IsEmpty());
         EXPECT_EQ(trace.file.cpuCount, 3);
         EXPECT_TRUE(trace.reports[0].complete);
         EXPECT_THAT(trace.reports[0].warnings, IsEmpty());
     }},
    {"rt-v7-nopsl", countsSetprio<76>},
    {"rt-v7-pidreuse",
     [](Trace trace) {
         std::map<int, int> births;
         for (const CollectedEvent* event : trace.events("sched_process_fork"))
             ++births[event->fields["child_pid"].get<int>()];
         EXPECT_EQ(births[309], 3);
         EXPECT_EQ(std::ranges::count_if(births, [](const auto& b) { return b.second > 1; }), 93);
     }},
    {"rt-v7-schedchange",
     [](Trace trace) {
         std::vector<int> prios;
         for (const CollectedEvent* event : trace.events("sched_switch")) {
             if (event->fields["next_comm"] == "sched-chg")
                 prios.push_back(event->fields["next_prio"]);
         }
         EXPECT_THAT(prios,
                     ElementsAre(79, 89, 120, 120, 125, 110, 110, 110, 110, 120, 0, 98, -1, 120));
         EXPECT_THAT(trace.setprios(), IsSupersetOf(std::map<std::string, int>{
                                           {"boosted 127->69", 1}, {"boosted 69->127", 1}}));
     }},
    {"rt-v7-tgid", countsSetprio<116>},
    {"rt-v6-hotplug-before",
     [](Trace trace) {
         EXPECT_THAT(trace.cpus(), ElementsAre(0, 2));
         EXPECT_EQ(trace.file.cpuCount, 3);
     }},
    {"rt-v7-extract-overwritten",
     [](Trace trace) {
         losesOnce<0, 6223>(trace);
         EXPECT_EQ(trace.onCpu(0).front().header.time, 60780346070);
         EXPECT_EQ(trace.onCpu(1).front().header.time, 60613198490);
     }},
    {"rt-v7-date-tsc",
     [](Trace trace) {
         datesInUs(trace);
         EXPECT_LT(trace.onCpu(0).front().header.time, 1'000'000'000'000'000); // ticks, as recorded
     }},
    {"rt-v7-deadline",
     [](Trace trace) {
         EXPECT_EQ(trace.setprios()["dl-owner 120->-1"], 5);
         EXPECT_EQ(trace.setprios()["dl-owner -1->120"], 5);
     }},
    {"rt-v7-filter-F-procmap", countsSetprio<55>},
    {"rt-v7-kprobe",
     [](Trace trace) {
         EXPECT_GT(trace.count("busxfer"), 0u);
         EXPECT_TRUE(trace.format("busxfer").find("bytes")->isArray);
         EXPECT_TRUE(trace.format("busxfer").find("neg")->isSigned);
     }},
    {"rt-v7-lost-rt", losesOnce<1, 4663>},
    {"rt-v7-maxsize-m40",
     [](Trace trace) {
         EXPECT_EQ(trace.onCpu(0).front().header.time, 142994999650);
         EXPECT_EQ(trace.onCpu(1).front().header.time, 142740138920);
         EXPECT_EQ(trace.count("contention_begin"), 30u);
         EXPECT_EQ(trace.count("contention_end"), 32u);
     }},
    {"rt-v7-pichain",
     [](Trace trace) {
         const std::map<std::string, int> expected{{"pi-low 120->89", 5},
                                                   {"pi-mid 89->49", 5},
                                                   {"pi-low 89->49", 5},
                                                   {"pi-low 49->120", 5},
                                                   {"pi-mid 49->89", 5}};
         EXPECT_EQ(trace.setprios(), expected);
     }},
    {"rt-v7-raw-syscalls",
     [](Trace trace) {
         EXPECT_EQ(trace.format("sys_enter").find("args")->size, 48u);
         EXPECT_GT(trace.count("sys_enter"), 0u);
     }},
    {"rt-v7-smp3-unpinned",
     [](Trace trace) { EXPECT_EQ(trace.count("sched_migrate_task"), 203u); }},
    {"rt-v7-twobuf-diffclock", secondBufferIsLater<1'131'000'000>},
    {"rt-v6-marker", keepsMarkers},
    {"rt-v7-lost-unknown", losesSome<1>},
    {"rt-v7-marker",
     [](Trace trace) {
         keepsMarkers(trace);
         EXPECT_EQ(trace.count("print"), 23u);
         EXPECT_THAT(trace.events("print"), Contains(testing::Truly([](const auto* event) {
                         return event->fields["subject"].template get<std::string>().size() >= 890;
                     })));
     }},
    {"rt-v7-stack", [](Trace trace) { EXPECT_GT(trace.count("kernel_stack"), 100u); }},
    {"rt-v7-restored",
     [](Trace trace) {
         EXPECT_EQ(trace.file.compression, "none");
         EXPECT_EQ(trace.file.savedCmdlines, "");
         EXPECT_EQ(trace.file.systemName, "");
         EXPECT_EQ(trace.file.buffers[0].clock, "mono");
         EXPECT_THAT(trace.cpus(), Not(Contains(1)));
     }},
    {"rt-tc331-v7-default",
     [](Trace trace) { expectClock(trace, "global", ClockUnit::Nanoseconds); }},
    {"rt-tc331-v7-zlib-lost",
     [](Trace trace) {
         EXPECT_EQ(trace.file.compression, "zlib");
         ASSERT_EQ(trace.losses().size(), 1u);
         EXPECT_THAT(trace.losses().begin()->second, ElementsAre(-1));
     }},
    {"rt-tc331-v7-zlib-mono", [](Trace trace) { EXPECT_EQ(trace.file.compression, "zlib"); }},
    {"nonrt-v6-mutex", countsSetprio<0>},
    {"nonrt-v6-rtmutex", countsSetprio<38>},
    {"nonrt-v7-lockall",
     [](Trace trace) {
         EXPECT_EQ(trace.count("contention_begin"), 0u);
         EXPECT_EQ(trace.format("contention_begin").name, "contention_begin");
     }},
    {"nonrt-v7-mutex",
     [](Trace trace) {
         EXPECT_EQ(trace.count("contention_begin"), 328u);
         EXPECT_EQ(trace.count("contention_end"), 149u);
         EXPECT_EQ(trace.events("contention_begin")[0]->fields["flags"], 0x21);
         fieldsBegin(trace, 8);
     }},
    {"arm-v6-pi", is32BitLittle},
    {"arm-v7-comms",
     [](Trace trace) {
         is32BitLittle(trace);
         keepsHostileNames(trace);
     }},
    {"arm-v7-deadline",
     [](Trace trace) {
         EXPECT_THAT(trace.events("sched_pi_setprio"),
                     Contains(testing::Truly([](const CollectedEvent* event) {
                         return event->fields["oldprio"] == -1 && event->fields["newprio"] == -1;
                     })));
     }},
    {"arm-v7-lost",
     [](Trace trace) {
         is32BitLittle(trace);
         losesOnce<0, 1715>(trace);
     }},
    {"arm-v7-sched", bootIsNanoseconds},
    {"arm-v7-zstd-pi",
     [](Trace trace) {
         is32BitLittle(trace);
         EXPECT_GT(trace.count("sys_enter_futex_time32"), 0u);
     }},
    {"arm-v6-marker",
     [](Trace trace) {
         EXPECT_EQ(trace.format("print").find("ip")->size, 4u);
         EXPECT_EQ(trace.format("print").find("buf")->offset, 16u);
         keepsMarkers(trace);
     }},
    {"arm-v7-marker", keepsMarkers},
    {"s390x-v6-pi", isBigEndian},
    {"s390x-v7-comms",
     [](Trace trace) {
         isBigEndian(trace);
         keepsHostileNames(trace);
     }},
    {"s390x-v7-lost",
     [](Trace trace) {
         isBigEndian(trace);
         losesOnce<0, 2060>(trace);
     }},
    {"s390x-v7-sched", bootIsNanoseconds},
    {"s390x-v7-zstd-pi", isBigEndian},
    {"s390x-v7-lost-unknown", losesSome<0>},
    {"s390x-v7-marker", keepsMarkers},
    {"arm64-v6-marker", keepsMarkers},
    {"arm64-v7-sched", bootIsNanoseconds},
    {"k510rt-tc291-v6-date", datesInUs},
    {"k510rt-tc291-v6-defclock",
     [](Trace trace) { expectClock(trace, "global", ClockUnit::Nanoseconds); }},
    {"k510rt-tc291-v6-pi", [](Trace trace) { fieldsBegin(trace, 12); }},
    {"k510rt-tc291-v6-twobuf", secondBufferIsLater<441'000'000>},
    {"k510rt-v7-comms", keepsHostileNames},
    {"k510rt-v7-pi",
     [](Trace trace) {
         fieldsBegin(trace, 12);
         EXPECT_EQ(trace.format("sched_switch").find("prev_state")->offset, 40u);
         EXPECT_EQ(trace.format("sched_switch").find("common_migrate_disable")->offset, 8u);
         EXPECT_NE(trace.format("sched_waking").find("success"), nullptr);
     }},
    {"k612rt-v7-comms", keepsHostileNames},
    {"k612rt-v7-pi", [](Trace trace) { fieldsBegin(trace, 8); }},
    {"k612rt-v7-subbuf16k", subBuffersAre16k},
    {"rt-v6-gaps-converted", [](Trace trace) { EXPECT_EQ(trace.sink.eventCount(), 24u); }},
    {"rt-v6-lost-unknown-converted", losesSome<1>},
};

class ReaderMustGetRight : public testing::TestWithParam<Note> {};

TEST_P(ReaderMustGetRight, AsTheIndexSays) {
    const std::string path = fixturePath(GetParam().name);
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << "needs " << path << " ($INVERSIGHT_TRACES names the folder)";
    const NotedTrace trace(path);
    if (!HasFatalFailure())
        GetParam().check(trace);
}

INSTANTIATE_TEST_SUITE_P(Shared, ReaderMustGetRight, testing::ValuesIn(kNotes),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

} // namespace

} // namespace inversight::test
