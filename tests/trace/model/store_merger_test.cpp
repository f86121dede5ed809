// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/narrow_column.h"
#include "trace/model/packed_rows.h"
#include "trace/model/trace_store_builder.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>

/// Enough events for many stretches and segments, against a merge that takes one event at a time.
namespace inversight {
namespace {

struct Recorded {
    EventHeader header;
    std::optional<SchedWakeFields> wake;
    std::optional<SchedSwitchFields> run;
};
using Recording = std::vector<std::vector<Recorded>>; // by CPU

constexpr std::string_view kNames[] = {"a", "seven77", "exactly-sixteen!", "", "<...>", "häßlich"};

/// A CPU's events with many equal times between CPUs; `back` of a thousand step back.
Recording randomRecording(int cpus, int events, int back, unsigned seed) {
    std::mt19937 random(seed);
    Recording recording(static_cast<std::size_t>(cpus));
    std::vector<std::int64_t> now(recording.size(), 1'000'000'000'000);
    for (int i = 0; i < events; ++i) {
        // Runs of one CPU, as real traces have them.
        const std::size_t cpu = i % 7 < 4 ? 0 : random() % recording.size();
        now[cpu] += random() % 4;
        Recorded event;
        event.header.time = now[cpu] - (static_cast<int>(random() % 1000) < back ? 50 : 0);
        event.header.offset = 4 * static_cast<std::uint64_t>(i);
        event.header.tid = static_cast<std::int32_t>(random() % 300);
        event.header.flags = static_cast<std::uint8_t>(random());
        event.header.preemptCount = static_cast<std::uint8_t>(random());
        const std::string_view name = kNames[random() % std::size(kNames)];
        const bool exotic = random() % 500 == 0;
        switch (random() % 3) {
        case 0:
            event.wake = SchedWakeFields{WakeEventKind::Wakeup, static_cast<std::int32_t>(random()),
                                         exotic ? 70'000 : -1, 3, name};
            break;
        case 1:
            event.run = SchedSwitchFields{
                1, 120, 2, 99, name, "next", exotic ? 0x10000U : 0x100U, TaskState::Runnable, true};
            break;
        default:
            break;
        }
        recording[cpu].push_back(event);
    }
    return recording;
}

/// As a loader does it: each CPU in parts, settled up to where the slowest CPU is.
void feedInParts(TraceStoreBuilder& builder, StreamId stream, const Recording& recording,
                 const std::function<void(CpuEventSink&, Recorded)>& feed) {
    std::vector<std::size_t> next(recording.size(), 0);
    std::vector<std::int64_t> reached(recording.size(), INT64_MIN);
    while (true) {
        const auto slowest = std::ranges::min_element(reached);
        const auto cpu = static_cast<std::size_t>(slowest - reached.begin());
        if (*slowest == INT64_MAX)
            return;
        for (int part = 0; part < 2; ++part) {
            CpuEventSink& sink = builder.cpuPart(stream, static_cast<int>(cpu));
            for (int i = 0; i < 700 && next[cpu] < recording[cpu].size(); ++i) {
                feed(sink, recording[cpu][next[cpu]]);
                reached[cpu] = std::max(reached[cpu], recording[cpu][next[cpu]++].header.time);
            }
        }
        if (next[cpu] == recording[cpu].size())
            reached[cpu] = INT64_MAX;
        const std::int64_t settled = *std::ranges::min_element(reached);
        if (settled != INT64_MIN && settled != INT64_MAX) {
            ASSERT_TRUE(builder.settle(settled, JobContext()));
        }
    }
}

enum class Feed { Whole, InParts };

std::shared_ptr<const TraceStore> storeOf(const Recording& recording, Feed how) {
    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 4});
    const EventTypeId other = builder.declareType({1, "x", "other", EventKind::Other});
    const EventTypeId wake = builder.declareType({2, "s", "sched_wakeup", EventKind::SchedWake});
    const EventTypeId run = builder.declareType({3, "s", "sched_switch", EventKind::SchedSwitch});
    const auto feed = [&](CpuEventSink& sink, Recorded event) {
        event.header.type = event.wake ? wake : event.run ? run : other;
        if (event.wake)
            sink.event(event.header, *event.wake);
        else if (event.run)
            sink.event(event.header, *event.run);
        else
            sink.event(event.header);
    };
    if (how == Feed::InParts) {
        feedInParts(builder, stream, recording, feed);
    } else {
        for (std::size_t cpu = 0; cpu < recording.size(); ++cpu) {
            CpuEventSink& sink = builder.cpuSink(stream, static_cast<int>(cpu));
            for (const Recorded& event : recording[cpu])
                feed(sink, event);
        }
    }
    return std::move(builder).finish(JobContext()).value();
}

/// What is next: the CPU whose next event has the least time, the first of equals.
std::vector<std::pair<int, const Recorded*>> mergedOneByOne(const Recording& recording) {
    std::vector<std::pair<int, const Recorded*>> merged;
    std::vector<std::size_t> next(recording.size(), 0);
    while (true) {
        std::size_t best = recording.size();
        for (std::size_t cpu = 0; cpu < recording.size(); ++cpu) {
            if (next[cpu] < recording[cpu].size() &&
                (best == recording.size() ||
                 recording[cpu][next[cpu]].header.time < recording[best][next[best]].header.time))
                best = cpu;
        }
        if (best == recording.size())
            return merged;
        merged.emplace_back(static_cast<int>(best), &recording[best][next[best]++]);
    }
}

void expectRow(const TraceStore& store, const Recorded& event, EventIndex index) {
    const std::uint32_t row = store.row(index);
    if (event.wake) {
        const auto& table = store.table<SchedWakeRow>();
        ASSERT_LT(row, table.size());
        EXPECT_EQ(table[row].tid, event.wake->tid);
        EXPECT_EQ(table[row].prio, event.wake->prio);
        EXPECT_EQ(table[row].kind, event.wake->kind);
        EXPECT_EQ(store.text(table[row].comm), event.wake->comm);
    } else if (event.run) {
        const auto& table = store.table<SchedSwitchRow>();
        ASSERT_LT(row, table.size());
        EXPECT_EQ(table[row].rawState, event.run->rawState);
        EXPECT_EQ(table[row].nextPrio, event.run->nextPrio);
        EXPECT_TRUE(table[row].preempted);
        EXPECT_EQ(store.text(table[row].prevComm), event.run->prevComm);
        EXPECT_EQ(store.text(table[row].nextComm), event.run->nextComm);
    } else {
        EXPECT_EQ(row, TraceStore::kNoRow);
    }
}

void expectSameAsOneByOne(const Recording& recording, Feed how) {
    const auto store = storeOf(recording, how);
    const auto merged = mergedOneByOne(recording);
    ASSERT_EQ(store->eventCount(), merged.size());
    for (std::size_t i = 0; i < merged.size(); ++i) {
        const EventIndex index{static_cast<std::uint32_t>(i)};
        const auto& [cpu, event] = merged[i];
        ASSERT_EQ(store->record(index).offset, event->header.offset) << "event " << i;
        ASSERT_EQ(store->time(index), event->header.time) << "event " << i;
        EXPECT_EQ(store->cpu(index), cpu);
        EXPECT_EQ(store->tid(index), event->header.tid);
        EXPECT_EQ(store->flags(index), event->header.flags);
        EXPECT_EQ(store->preemptCount(index), event->header.preemptCount);
        expectRow(*store, *event, index);
        if (testing::Test::HasFailure())
            return;
    }
}

void expectSameAsOneByOne(const Recording& recording) {
    expectSameAsOneByOne(recording, Feed::Whole);
    expectSameAsOneByOne(recording, Feed::InParts);
}

TEST(StoreMerger, ManyStretchesAreMergedAsOneByOne) {
    expectSameAsOneByOne(randomRecording(5, 300'000, 0, 1));
}

TEST(StoreMerger, ACpuThatStepsBackKeepsItsOrderAcrossStretches) {
    expectSameAsOneByOne(randomRecording(3, 150'000, 20, 2));
}

TEST(StoreMerger, LossesOfPartsLieBetweenTheEventsOfTheirCpu) {
    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 2});
    const EventTypeId other = builder.declareType({1, "x", "other", EventKind::Other});
    const auto event = [&](std::int64_t time) { return EventHeader{time, 0, 1, other, 0, 0}; };
    CpuEventSink& first = builder.cpuPart(stream, 0);
    first.lost(1);
    first.event(event(10));
    first.lost(2);
    CpuEventSink& second = builder.cpuPart(stream, 0);
    second.lost(3);
    ASSERT_TRUE(builder.settle(10, JobContext()));
    builder.cpuPart(stream, 0).event(event(50));
    ASSERT_TRUE(builder.settle(20, JobContext()));
    builder.cpuPart(stream, 0).lost(std::nullopt);
    builder.cpuPart(stream, 1).event(event(60));
    const auto store = std::move(builder).finish(JobContext()).value();
    ASSERT_EQ(store->losses().size(), 4u);
    EXPECT_EQ(store->losses()[0].gap, (TimeRange{10, 10}));
    EXPECT_EQ(store->losses()[1].gap, (TimeRange{10, 50}));
    EXPECT_EQ(store->losses()[2].gap, (TimeRange{10, 50}));
    EXPECT_EQ(store->losses()[2].count, 3u);
    EXPECT_EQ(store->losses()[3].gap, (TimeRange{50, 60}));
    EXPECT_FALSE(store->losses()[3].count);
}

TEST(StoreMerger, OneCpuAlone) {
    expectSameAsOneByOne(randomRecording(1, 70'000, 0, 3));
}

TEST(StoreMerger, TimesFarApartInOneSegment) {
    Recording recording = randomRecording(2, 1000, 0, 4);
    for (auto& cpu : recording) {
        for (std::size_t i = cpu.size() / 2; i < cpu.size(); ++i)
            cpu[i].header.time += std::int64_t{1} << 50;
    }
    expectSameAsOneByOne(recording);
}

TEST(StoreMerger, AllTimesEqual) {
    Recording recording = randomRecording(3, 80'000, 0, 5);
    for (auto& cpu : recording) {
        for (Recorded& event : cpu)
            event.header.time = -5;
    }
    expectSameAsOneByOne(recording);
}

TEST(StoreMerger, ThreadsAreLearnedAcrossStretches) {
    TraceStoreBuilder builder;
    const StreamId stream = builder.declareStream({"", ClockDomain::fromName("mono"), 1});
    const EventTypeId fork =
        builder.declareType({1, "s", "sched_process_fork", EventKind::SchedFork});
    const EventTypeId other = builder.declareType({2, "x", "other", EventKind::Other});
    CpuEventSink& sink = builder.cpuSink(stream, 0);
    std::int64_t time = 0;
    const auto fill = [&](std::int32_t tid) {
        for (int i = 0; i < 40'000; ++i)
            sink.event(EventHeader{++time, 0, tid, other, 0, 0});
    };
    fill(7);
    sink.event(EventHeader{++time, 0, 5, fork, 0, 0}, SchedForkFields{5, 7, "parent", "first"});
    fill(7);
    const std::int64_t second = ++time;
    sink.event(EventHeader{second, 0, 5, fork, 0, 0}, SchedForkFields{5, 7, "parent", "second"});
    fill(7);
    const auto store = std::move(builder).finish(JobContext()).value();
    std::vector<std::string> names;
    for (const ThreadInfo& thread : store->threads().all()) {
        if (thread.tid == 7)
            names.emplace_back(store->text(thread.name));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"", "first", "second"}));
    const ThreadId last = store->threads().find(7, 0, time);
    EXPECT_EQ(store->threads()[last].forkTime, second);
    EXPECT_EQ(store->threadName(store->threads()[last].parent), "parent");
    EXPECT_EQ(store->threads()[last].lastTime, time);
}

TEST(PackedRow, AnyValueComesBack) {
    RowColumn<SchedSwitchRow> rows;
    std::mt19937_64 random(9);
    std::vector<SchedSwitchRow> expected;
    for (int i = 0; i < 2000; ++i) {
        const auto any = [&] { return static_cast<std::int32_t>(random() >> (random() % 60)); };
        expected.push_back({any(), any(), any(), any(), StringId{static_cast<std::uint32_t>(any())},
                            StringId{static_cast<std::uint32_t>(any())},
                            static_cast<std::uint32_t>(any()), TaskState::Parked, i % 2 == 0});
        rows.append(expected.back());
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const SchedSwitchRow& row = expected[i];
        const SchedSwitchRow found = rows[i];
        EXPECT_EQ(std::tie(found.prevTid, found.prevPrio, found.nextTid, found.nextPrio),
                  std::tie(row.prevTid, row.prevPrio, row.nextTid, row.nextPrio));
        EXPECT_EQ(std::tie(found.prevComm, found.nextComm, found.rawState, found.prevState,
                           found.preempted),
                  std::tie(row.prevComm, row.nextComm, row.rawState, row.prevState, row.preempted));
    }
}

TEST(PackedRow, MarkersWithLargeValuesComeBack) {
    RowColumn<MarkerRow> rows;
    rows.append({MarkerKind::Release, 5, 70'000, 1, StringId{1}, StringId{2}});
    rows.append({MarkerKind::Release, 5, 7, std::uint64_t{1} << 40, StringId{1}, StringId{2}});
    rows.append({MarkerKind::HoldBegin, 5, 7, 8, StringId{1}, StringId::none()});
    EXPECT_EQ(rows[0].number, 70'000U);
    EXPECT_EQ(rows[1].value, std::uint64_t{1} << 40);
    EXPECT_EQ(rows[2].detail, StringId::none());
    EXPECT_EQ(rows[2].kind, MarkerKind::HoldBegin);
}

TEST(NarrowColumn, SegmentsAreNarrowOrWideByTheirSpan) {
    NarrowColumn column;
    const std::size_t rows = NarrowColumn::kSegmentRows;
    column.grow(rows - 1, {-10, 4'294'967'285, 1});
    column.set(0, -10);
    column.set(1, 4'294'967'285);
    column.grow(rows + 2, {INT64_MIN, INT64_MAX, ~std::uint64_t{0}}); // the open segment widens
    column.set(rows - 1, INT64_MIN);
    column.set(rows, INT64_MIN);
    column.set(rows + 1, INT64_MAX);
    EXPECT_EQ(column[0], -10);
    EXPECT_EQ(column[1], 4'294'967'285);
    EXPECT_EQ(column[rows - 1], INT64_MIN);
    EXPECT_EQ(column[rows], INT64_MIN);
    EXPECT_EQ(column[rows + 1], INT64_MAX);
}

TEST(NarrowColumn, MultiplesOfFourReachFourTimesAsFar) {
    NarrowColumn column;
    column.grow(2, {0, std::int64_t{4} << 31, 4});
    column.set(0, 4);
    column.set(1, std::int64_t{4} << 31);
    column.grow(3, {5, 5, 5}); // not a multiple: the segment widens
    column.set(2, 5);
    EXPECT_EQ(column[0], 4);
    EXPECT_EQ(column[1], std::int64_t{4} << 31);
    EXPECT_EQ(column[2], 5);
}

} // namespace
} // namespace inversight
