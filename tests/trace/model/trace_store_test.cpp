// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/trace_store_builder.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace inversight {
namespace {

struct Fixture {
    TraceStoreBuilder builder;
    StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 4});
    EventTypeId other = builder.declareType({1, "x", "other", EventKind::Other});
    EventTypeId waking = builder.declareType({2, "sched", "sched_waking", EventKind::SchedWake});

    EventHeader header(std::int64_t time, EventTypeId type, std::uint64_t offset = 0) {
        EventHeader result;
        result.time = time;
        result.type = type;
        result.offset = offset;
        return result;
    }
    std::shared_ptr<const TraceStore> finish() {
        return std::move(builder).finish(JobContext()).value();
    }
};

TEST(TraceStoreBuilder, MergesByTimeThenCpuAndKeepsEachCpusOrder) {
    Fixture fixture;
    std::mt19937 random(5);
    std::vector<CpuEventSink*> sinks;
    for (int cpu = 0; cpu < 4; ++cpu)
        sinks.push_back(&fixture.builder.cpuSink(fixture.stream, cpu));
    std::vector<std::int64_t> now(4, 0);
    std::vector<std::uint64_t> next(4, 0);
    for (int i = 0; i < 5000; ++i) {
        const std::size_t cpu = random() % 4;
        now[cpu] += random() % 3; // many equal times
        sinks[cpu]->event(fixture.header(now[cpu], fixture.other, next[cpu]++));
    }
    const auto store = fixture.finish();
    ASSERT_EQ(store->eventCount(), 5000u);
    std::map<int, std::uint64_t> seen;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        const EventIndex event{i};
        EXPECT_EQ(store->record(event).offset, seen[store->cpu(event)]++);
        if (i > 0) {
            const EventIndex before{i - 1};
            EXPECT_LE(std::pair(store->time(before), store->cpu(before)),
                      std::pair(store->time(event), store->cpu(event)));
        }
    }
}

TEST(TraceStoreBuilder, TimesThatStepBackStayInRecordedOrder) {
    Fixture fixture;
    CpuEventSink& sink = fixture.builder.cpuSink(fixture.stream, 0);
    for (const std::int64_t time : {100, 50, 70})
        sink.event(fixture.header(time, fixture.other));
    fixture.builder.cpuSink(fixture.stream, 1).event(fixture.header(60, fixture.other));
    const auto store = fixture.finish();
    std::vector<std::int64_t> cpu0;
    for (std::uint32_t i = 0; i < store->eventCount(); ++i) {
        if (store->cpu(EventIndex{i}) == 0)
            cpu0.push_back(store->time(EventIndex{i}));
    }
    EXPECT_EQ(cpu0, (std::vector<std::int64_t>{100, 50, 70}));
    EXPECT_EQ(store->range(), (TimeRange{50, 100}));
}

TEST(TraceStoreBuilder, RowsOfAllCpusShareStringsAndPointBackToTheirEvents) {
    Fixture fixture;
    for (int cpu = 0; cpu < 2; ++cpu) {
        CpuEventSink& sink = fixture.builder.cpuSink(fixture.stream, cpu);
        for (int i = 0; i < 3; ++i) {
            sink.event(fixture.header(10 * i + cpu, fixture.other));
            sink.event(fixture.header(10 * i + cpu, fixture.waking),
                       SchedWakeFields{WakeEventKind::Waking, 30 + cpu, 120, 1, "same name"});
        }
    }
    const auto store = fixture.finish();
    const auto& wakes = store->table<SchedWakeRow>();
    ASSERT_EQ(wakes.size(), 6u);
    for (std::size_t row = 0; row < wakes.size(); ++row) {
        EXPECT_EQ(store->text(wakes[row].comm), "same name");
        EXPECT_EQ(wakes[row].comm, wakes[0].comm);
        EXPECT_EQ(store->row(wakes.event(row)), row);
        EXPECT_EQ(wakes[row].tid, 30 + store->cpu(wakes.event(row)));
    }
    EXPECT_EQ(store->row(EventIndex{0}), TraceStore::kNoRow);
    EXPECT_EQ(store->eventCounts()[fixture.waking.index()], 6u);
    EXPECT_EQ(store->eventCounts()[fixture.other.index()], 6u);
}

TEST(TraceStoreBuilder, LossesLieBetweenTheEventsOfTheirCpu) {
    Fixture fixture;
    CpuEventSink& cpu0 = fixture.builder.cpuSink(fixture.stream, 0);
    CpuEventSink& cpu3 = fixture.builder.cpuSink(fixture.stream, 3);
    cpu0.lost(5);
    cpu0.event(fixture.header(10, fixture.other));
    cpu3.event(fixture.header(4, fixture.other));
    cpu3.lost(std::nullopt);
    cpu3.event(fixture.header(40, fixture.other));
    cpu3.lost(7);
    const auto store = fixture.finish();
    const auto losses = store->losses();
    ASSERT_EQ(losses.size(), 3u);
    EXPECT_EQ(losses[0].gap, (TimeRange{4, 10}));
    EXPECT_EQ(losses[0].count, 5u);
    EXPECT_EQ(losses[1].gap, (TimeRange{4, 40}));
    EXPECT_FALSE(losses[1].count);
    EXPECT_EQ(losses[2].gap, (TimeRange{40, 40}));
    EXPECT_EQ(losses[2].cpu, 3);
}

TEST(TraceStoreBuilder, AnEmptyTraceIsATrace) {
    Fixture fixture;
    const auto store = fixture.finish();
    EXPECT_EQ(store->eventCount(), 0u);
    EXPECT_EQ(store->range(), (TimeRange{0, 0}));
    EXPECT_TRUE(store->cpus().empty());
}

TEST(TraceStoreBuilder, StopsWhenAsked) {
    Fixture fixture;
    CpuEventSink& sink = fixture.builder.cpuSink(fixture.stream, 0);
    for (int i = 0; i < 200'000; ++i)
        sink.event(fixture.header(i, fixture.other));
    std::stop_source source;
    source.request_stop();
    const auto store = std::move(fixture.builder).finish(JobContext(source.get_token()));
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace inversight
