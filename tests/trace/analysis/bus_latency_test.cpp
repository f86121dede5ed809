// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "analyzed_script.h"
#include "trace/analysis/bus.h"
#include "trace/analysis/latency.h"

namespace inversight::test {

namespace {

/// One operation of the running thread: request at `request`, owned from `begin` until `end`.
void operation(TraceScript& script, std::int64_t request, std::int64_t begin, std::int64_t end,
               std::uint64_t cookie) {
    script.at(request).marker(WaitBegin{"bus"}).at(begin).marker(HoldBegin{"bus", cookie});
    script.marker(SliceEnd{}).at(begin + 1).marker(TransferBegin{"i2c-0", "read byte data"});
    script.at(end - 1).marker(SliceEnd{}).at(end).marker(HoldEnd{"bus", cookie});
}

TEST(Bus, TransfersAreNestedSlicesOfTheirThread) {
    TraceScript script;
    script.at(0).switchTo(5).at(5).marker(OtherSliceBegin{"outer"});
    script.at(10).marker(TransferBegin{"i2c-0", "read"}).at(12).marker(OtherSliceBegin{"inner"});
    script.at(14).marker(SliceEnd{}).at(20).marker(SliceEnd{}).at(25).marker(SliceEnd{});
    script.at(30).marker(TransferBegin{"spi-1", "write"}).at(40).switchTo(0);
    const AnalyzedStore trace(script);
    const auto& bus = trace.get<Bus>();
    ASSERT_EQ(bus.transfers.size(), 2U);
    EXPECT_EQ(trace.store->text(bus.transfers[0].bus), "i2c-0");
    EXPECT_EQ(trace.store->text(bus.transfers[0].operation), "read");
    EXPECT_EQ(bus.transfers[0].range, (TimeRange{10, 20}));
    EXPECT_TRUE(bus.transfers[0].endSeen);
    EXPECT_EQ(bus.transfers[1].range, (TimeRange{30, 40}));
    EXPECT_FALSE(bus.transfers[1].endSeen);
    EXPECT_THAT(bus.byThread[trace.thread(5).index()], testing::ElementsAre(0, 1));
}

TEST(Bus, ALossEndsATransferWhereTheTraceStops) {
    TraceScript script;
    script.at(0).switchTo(5).at(10).marker(TransferBegin{"i2c-0", "read"}).at(15).waking(9);
    script.lost().at(40).marker(SliceEnd{}).at(50).marker(TransferBegin{"i2c-0", "read"});
    script.at(60).marker(SliceEnd{});
    const AnalyzedStore trace(script);
    const auto& bus = trace.get<Bus>();
    ASSERT_EQ(bus.transfers.size(), 2U);
    EXPECT_EQ(bus.transfers[0].range, (TimeRange{10, 15}));
    EXPECT_FALSE(bus.transfers[0].endSeen);
    EXPECT_EQ(bus.transfers[1].range, (TimeRange{50, 60}));
}

TEST(Latency, RunsFromTheRequestToTheEndOfTheHold) {
    TraceScript script;
    script.at(0).switchTo(5);
    operation(script, 100, 300, 1000, 1);
    operation(script, 2000, 2000, 2500, 2);
    script.at(3000).marker(HoldBegin{"bus", 3}).at(3100).marker(HoldEnd{"bus", 3}); // no transfer
    script.at(4000).switchTo(6);
    operation(script, 4100, 4200, 4300, 4);
    script.at(5000).switchTo(7).at(5100).marker(WaitBegin{"bus"}); // never got there
    const AnalyzedStore trace(script);
    const auto& latency = trace.get<Latency>();
    ASSERT_EQ(latency.threads.size(), 2U);
    const ThreadLatency& first = latency.threads[0];
    EXPECT_EQ(first.thread, trace.thread(5));
    ASSERT_EQ(first.operations.size(), 2U);
    EXPECT_EQ(first.operations[0].range, (TimeRange{100, 1000}));
    EXPECT_EQ(first.operations[0].waitNs, 200);
    EXPECT_EQ(first.operations[1].range, (TimeRange{2000, 2500}));
    EXPECT_EQ(first.operations[1].waitNs, 0);
    EXPECT_EQ(first.latency.count(), 2U);
    EXPECT_EQ(first.latency.max(), 900);
    EXPECT_EQ(first.latency.min(), 500);
    EXPECT_EQ(first.wait.max(), 200);
    EXPECT_EQ(summarizeOperations(first)->count, 2U);
    EXPECT_EQ(summarizeOperations(first)->average, 700);
    EXPECT_EQ(summarizeOperations(first, TimeRange{0, 1000})->max, 900);
    EXPECT_EQ(summarizeOperations(first, TimeRange{0, 1000})->count, 1U);
    EXPECT_EQ(summarizeOperations(first, TimeRange{1200, 1300}), std::nullopt);
    EXPECT_EQ(latency.threads[1].thread, trace.thread(6));
    EXPECT_EQ(latency.threads[1].operations[0].waitNs, 100);
}

TEST(Latency, ATrylockBeginsWithItsHoldAndAnUnfinishedOneIsLeftOut) {
    TraceScript script;
    script.at(0).switchTo(5).at(100).marker(HoldBegin{"bus", 1});
    script.at(110).marker(TransferBegin{"i2c-0", "read"}).at(120).marker(SliceEnd{});
    script.at(130).marker(HoldEnd{"bus", 1}).at(200).marker(HoldBegin{"bus", 2});
    script.at(210).marker(TransferBegin{"i2c-0", "read"}).at(250).switchTo(0);
    const AnalyzedStore trace(script);
    ASSERT_EQ(trace.get<Latency>().threads.size(), 1U);
    ASSERT_EQ(trace.get<Latency>().threads[0].operations.size(), 1U);
    EXPECT_EQ(trace.get<Latency>().threads[0].operations[0].range, (TimeRange{100, 130}));
    EXPECT_EQ(trace.get<Latency>().threads[0].operations[0].waitNs, 0);
}

} // namespace

} // namespace inversight::test
