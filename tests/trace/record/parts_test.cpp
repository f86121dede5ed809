// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/ring_page_builder.h"
#include "trace/record/cpu_reader.h"
#include "trace/record/cpu_stats.h"
#include "trace/record/instance_name.h"
#include "trace/record/kernel_symbols.h"
#include "trace/record/trace_marker_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

/// The recorder's parts that need no tracefs.
namespace inversight {
namespace {

TEST(InstanceName, IsReadBackAsItWasWritten) {
    const InstanceOwner owner{4711, 18446744073709551615ULL};
    EXPECT_EQ(instanceName(owner), "inversight-4711-18446744073709551615");
    EXPECT_EQ(parseInstanceName(instanceName(owner)), owner);
}

TEST(InstanceName, OtherNamesAreSomebodyElses) {
    for (const char* name :
         {"", "foo", "inversight", "inversight-", "inversight-1", "inversight-1-", "inversight--1",
          "inversight-a-1", "inversight-1-a", "inversight-1-2-3", "inversight-01-2",
          "inversight-1-2 ", "inversight-1-+2", "inversight-0-1", "inversight--1-2",
          "xinversight-1-2", "inversight-99999999999-1", "inversight-1-18446744073709551616"})
        EXPECT_EQ(parseInstanceName(name), std::nullopt) << name;
}

TEST(InstanceName, ALivingOwnerIsKnownByItsStartTime) {
    const auto self = thisProcess();
    ASSERT_TRUE(self) << self.error().sentence();
    EXPECT_EQ(self->pid, ::getpid());
    EXPECT_FALSE(ownerIsDead(*self));
    EXPECT_TRUE(ownerIsDead({self->pid, self->startTime + 1}));
}

TEST(InstanceName, AGoneOwnerIsDead) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    const auto startTime = processStartTime(child);
    ASSERT_TRUE(startTime) << startTime.error().sentence(); // a zombie until waited for
    EXPECT_FALSE(ownerIsDead({child, *startTime}));
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(ownerIsDead({child, *startTime}));
    EXPECT_EQ(processStartTime(child).error().code, ErrorCode::NotFound);
}

TEST(CpuStats, CountersAreReadByName) {
    const CpuStats stats =
        parseCpuStats("entries: 12\noverrun: 34\ncommit overrun: 5\nbytes: 123\n"
                      "oldest event ts:  1874.077884\ndropped events: 6\nread events: 789\n");
    EXPECT_EQ(stats.entries, 12U);
    EXPECT_EQ(stats.overrun, 34U);
    EXPECT_EQ(stats.commitOverrun, 5U);
    EXPECT_EQ(stats.droppedEvents, 6U);
    EXPECT_EQ(stats.readEvents, 789U);
    EXPECT_EQ(stats.eventCount(), 801U);
    EXPECT_EQ(stats.lostCount(), 45U);
}

TEST(CpuStats, WhatIsMissingIsZero) {
    EXPECT_EQ(parseCpuStats("").eventCount(), 0U);
    EXPECT_EQ(parseCpuStats("overrun: x\nread events: 7").readEvents, 7U);
    EXPECT_EQ(parseCpuStats("overrun: x\nread events: 7").lostCount(), 0U);
}

TEST(KernelSymbols, OnlyTheMarkerFunctionAndItsNeighbourAreKept) {
    const char* symbols = "ffffffff81000000 T _text\n"
                          "ffffffff814a9f60 t __pfx_tracing_mark_write\n"
                          "ffffffff814a9f70 t tracing_mark_write\n"
                          "ffffffff814aa200 t far_away\n"
                          "ffffffff814aa010 t tracing_mark_open\n"
                          "ffffffffc0000000 t module_function\t[module]\n";
    EXPECT_EQ(markerSymbols(symbols), "ffffffff814a9f70 t tracing_mark_write\n"
                                      "ffffffff814aa010 t tracing_mark_open\n");
}

TEST(KernelSymbols, HiddenOrMissingAddressesGiveNothing) {
    EXPECT_EQ(markerSymbols(""), "");
    EXPECT_EQ(markerSymbols("ffffffff81000000 T _text\n"), "");
    EXPECT_EQ(markerSymbols("0000000000000000 t tracing_mark_write\n"
                            "0000000000000000 t tracing_mark_open\n"),
              "");
    EXPECT_EQ(markerSymbols("ffffffff814a9f70 t tracing_mark_write\n"),
              "ffffffff814a9f70 t tracing_mark_write\n");
}

TEST(LostBeforePage, FollowsThePagesFlags) {
    RingPageBuilder builder;
    const std::vector<std::byte> record(4, std::byte{1});
    builder.add(1, record);
    builder.lose(1234);
    builder.add(2, record);
    builder.flush();
    const PageLayout layout;
    std::vector<std::byte> pages(builder.pages().begin(), builder.pages().end());
    ASSERT_EQ(pages.size(), 2U * 4096);
    EXPECT_EQ(lostBeforePage(layout, std::span(pages).first(4096)), 0U);
    EXPECT_EQ(lostBeforePage(layout, std::span(pages).last(4096)), 1234U);
    pages[4096 + 11] = std::byte{0x80}; // missed, but the page had no room for the count
    EXPECT_EQ(lostBeforePage(layout, std::span(pages).last(4096)), 1U);
}

TEST(TraceMarkerSink, WritesOneMarkerPerCallAndCountsFailures) {
    int pipe[2];
    ASSERT_EQ(::pipe2(pipe, O_DIRECT | O_CLOEXEC), 0); // keeps writes apart
    const UniqueFd reader(pipe[0]);
    TraceMarkerSink sink{UniqueFd(pipe[1])};
    sink.write({7, WaitBegin{"bus"}});
    sink.write({7, SliceEnd{}});
    EXPECT_EQ(sink.lostCount(), 0U);
    char buffer[4096];
    EXPECT_EQ(
        std::string(buffer, static_cast<std::size_t>(::read(reader.get(), buffer, sizeof buffer))),
        "B|7|wait bus");
    EXPECT_EQ(
        std::string(buffer, static_cast<std::size_t>(::read(reader.get(), buffer, sizeof buffer))),
        "E|7");
    sink.close();
    sink.write({7, SliceEnd{}});
    EXPECT_EQ(sink.lostCount(), 1U);
}

} // namespace
} // namespace inversight
