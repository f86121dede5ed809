// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Whole recordings: known counts, references back into the file, cuts and damage.
#include "collecting_sink.h"
#include "touching_sink.h"
#include "trace/decode/page_source.h"
#include "trace/decode/trace_source.h"
#include "trace/model/trace_store_builder.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <random>

namespace inversight::test {

namespace {

bool absent(const std::string& path) {
    return !std::filesystem::exists(path);
}

#define SKIP_WITHOUT(path)                                                                         \
    if (absent(path))                                                                              \
    GTEST_SKIP() << "needs " << (path) << " ($INVERSIGHT_TRACES names the folder)"

std::map<std::string, std::uint64_t> countsByName(const TraceStore& store) {
    std::map<std::string, std::uint64_t> counts;
    for (std::size_t index = 0; index < store.types().size(); ++index) {
        if (store.eventCounts()[index] > 0)
            counts[store.types()[index].name] += store.eventCounts()[index];
    }
    return counts;
}

TEST(RecordedTraces, PiFutexHasTheDocumentedCounts) {
    const std::string path = tracesFolder() + "/kernel-6.1-pifutex.dat";
    SKIP_WITHOUT(path);
    const auto trace = loadTrace(path, {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    const std::map<std::string, std::uint64_t> expected = {
        {"sched_switch", 1253},    {"sched_waking", 716},     {"sched_wakeup", 716},
        {"sched_pi_setprio", 218}, {"sys_enter_futex", 600},  {"sys_exit_futex", 600},
        {"sched_process_fork", 3}, {"sched_process_exit", 4}, {"sched_wakeup_new", 3},
        {"sched_migrate_task", 7}};
    EXPECT_EQ(countsByName(*trace->store), expected);
    EXPECT_EQ(trace->info.streams.at(0).clock.name, "mono");
    EXPECT_THAT(trace->report.warnings, testing::IsEmpty());
    EXPECT_EQ(trace->store->table<FutexEnter>().size(), 600u);
    EXPECT_EQ(trace->store->table<PiSetprioRow>().size(), 218u);
}

TEST(RecordedTraces, RtMutexBusHasTheDocumentedCounts) {
    const std::string path = tracesFolder() + "/kernel-6.1-busrtmutex.dat";
    SKIP_WITHOUT(path);
    const auto trace = loadTrace(path, {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    const std::map<std::string, std::uint64_t> expected = {
        {"sched_switch", 2573},    {"sched_waking", 1416},    {"sched_wakeup", 1416},
        {"sched_pi_setprio", 396}, {"contention_begin", 598}, {"contention_end", 598},
        {"smbus_read", 600},       {"smbus_reply", 600},      {"smbus_result", 600},
        {"sched_process_fork", 3}, {"sched_process_exit", 4}, {"sched_wakeup_new", 3},
        {"sched_migrate_task", 2}};
    EXPECT_EQ(countsByName(*trace->store), expected);

    std::map<std::string, int> boosts;
    const auto& setprio = trace->store->table<PiSetprioRow>();
    for (std::size_t index = 0; index < setprio.size(); ++index) {
        const PiSetprioRow& row = setprio[index];
        if (row.newPrio < row.oldPrio)
            ++boosts[std::string(trace->store->text(row.comm)) + " " + std::to_string(row.oldPrio) +
                     "->" + std::to_string(row.newPrio)];
    }
    EXPECT_EQ(boosts, (std::map<std::string, int>{{"prio-0 120->0", 35}, {"prio-m5 115->0", 163}}));
    const auto& begins = trace->store->table<ContentionBegin>();
    for (std::size_t index = 0; index < begins.size(); ++index) {
        EXPECT_EQ(begins[index].flags, 8u); // RT
        EXPECT_EQ(begins[index].address, begins[0].address);
    }
}

TEST(RecordedTraces, StatesOfLinux414AreIndices) {
    const std::string path = tracesFolder() + "/public/hebel23__driver~trace.dat";
    SKIP_WITHOUT(path);
    const auto trace = loadTrace(path, {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    std::map<TaskState, int> states;
    int preempted = 0;
    const auto& switches = trace->store->table<SchedSwitchRow>();
    for (std::size_t index = 0; index < switches.size(); ++index) {
        ++states[switches[index].prevState];
        preempted += switches[index].preempted ? 1 : 0;
    }
    EXPECT_EQ(states[TaskState::Idle], 71);
    EXPECT_EQ(states[TaskState::Zombie], 1);
    EXPECT_EQ(states[TaskState::Traced], 0);
    EXPECT_EQ(preempted, 4);
    EXPECT_THAT(trace->report.warnings,
                testing::Contains("states of this 4.14 kernel were decoded as index"));
}

class References : public testing::TestWithParam<const char*> {};

/// In the file itself, and in what is unpacked again for them.
TEST_P(References, LeadBackToTheRecord) {
    const std::string path = fixturePath(GetParam());
    SKIP_WITHOUT(path);
    const auto records = RecordStore::open(path);
    ASSERT_TRUE(records);
    auto source = PageSource::create(*readDat(*records));
    ASSERT_TRUE(source);
    CollectingSink sink;
    ASSERT_TRUE((*source)->load(StreamId{0}, sink, {}));
    for (int cpu = 0; cpu < 2; ++cpu) {
        for (const CollectedEvent& event : sink.events(StreamId{0}, cpu)) {
            const auto record = (*records)->record(ByteOrder::Little, event.header.offset);
            ASSERT_TRUE(record) << record.error().sentence();
            ASSERT_GE(record->data.size(), 8u);
            EXPECT_EQ(loadInteger<std::uint16_t>(record->data.data(), ByteOrder::Little),
                      sink.type(event).rawId);
            EXPECT_EQ(loadInteger<std::uint32_t>(record->data.data() + 4, ByteOrder::Little),
                      static_cast<std::uint32_t>(event.header.tid));
        }
    }
    EXPECT_GT(sink.eventCount(), 100u);
    EXPECT_EQ((*records)->record(ByteOrder::Little, std::uint64_t{1} << 60).error().code,
              ErrorCode::Corrupt);
}

INSTANTIATE_TEST_SUITE_P(Shared, References,
                         testing::Values("rt-v6-marker", "rt-v7-zstd-mono", "rt-v7-none-mono",
                                         "rt-tc331-v7-zlib-mono", "k612rt-v7-subbuf16k"),
                         fixtureTestName);

TEST(RecordedTraces, StreamsOfOneClockShareAStoreAndItsTypes) {
    const std::string path = fixturePath("rt-v6-twobuf");
    SKIP_WITHOUT(path);
    const auto trace = loadTrace(path, {});
    ASSERT_TRUE(trace) << trace.error().sentence();
    EXPECT_EQ(trace->store->streams().size(), 2u);
    EXPECT_EQ(trace->store->streams()[1].name, "second");
    EXPECT_EQ(trace->store->eventCount(), 4236u);
    int switchTypes = 0;
    for (const EventTypeInfo& type : trace->store->types())
        switchTypes += type.name == "sched_switch" ? 1 : 0;
    EXPECT_EQ(switchTypes, 1);
}

void expectSpecific(const Error& error, const std::string& path) {
    EXPECT_THAT(error.code,
                testing::AnyOf(ErrorCode::Truncated, ErrorCode::Corrupt, ErrorCode::Unsupported));
    EXPECT_FALSE(error.what.empty());
    EXPECT_THAT(error.where, testing::HasSubstr(path));
}

/// Loads whatever it is; an error must say what was expected where. True if it loaded.
bool loadOrExplain(const std::string& path) {
    const auto source = openTraceSource(path);
    if (!source) {
        expectSpecific(source.error(), path);
        return false;
    }
    TouchingSink sink;
    for (const StreamId stream : (*source)->streams())
        EXPECT_TRUE((*source)->load(stream, sink, {}));
    return true;
}

TEST(RecordedTraces, EveryCutLoadsOrSaysWhy) {
    const std::string path = fixturePath("rt-v6-twobuf");
    SKIP_WITHOUT(path);
    const std::string bytes = readBytes(path);
    const TemporaryFile file;
    constexpr std::size_t kCuts = 20;
    std::size_t loaded = 0;
    for (std::size_t cut = 0; cut < kCuts; ++cut) {
        const std::size_t size = bytes.size() * cut / kCuts;
        SCOPED_TRACE(size);
        file.write(bytes.substr(0, size));
        const auto trace = loadTrace(file.path(), {});
        // CPU 0's pages begin at 65536; what is before them is needed, what is behind is not.
        ASSERT_EQ(trace.has_value(), size >= 65536);
        if (!trace) {
            expectSpecific(trace.error(), file.path());
        } else {
            ++loaded;
            EXPECT_FALSE(trace->report.complete);
            EXPECT_THAT(
                trace->report.warnings,
                testing::Contains(testing::HasSubstr("is missing: ")).Times(size < 0x3c100));
            EXPECT_THAT(trace->report.warnings,
                        testing::Contains(testing::ContainsRegex("CPU [01].* bytes are missing")));
            EXPECT_EQ(trace->store->eventCount() > 0, size >= 65536 + 4096);
        }
    }
    EXPECT_EQ(loaded, 16u);
}

class Damage : public testing::TestWithParam<const char*> {};

TEST_P(Damage, RandomBytesNeverDoHarm) {
    const std::string path = fixturePath(GetParam());
    SKIP_WITHOUT(path);
    const std::string whole = readBytes(path);
    const TemporaryFile file;
    std::mt19937_64 random(20091203);
    constexpr int kRounds = 400;
    int loaded = 0;
    for (int round = 0; round < kRounds; ++round) {
        std::string bytes = whole;
        // Half of the rounds damage the head, where sizes and formats are.
        const std::size_t range = round % 2 == 0 ? bytes.size() : bytes.size() / 4;
        const std::size_t flips = std::size_t{1} << random() % 9;
        for (std::size_t flip = 0; flip < flips; ++flip)
            bytes[random() % range] = static_cast<char>(random());
        file.write(bytes);
        SCOPED_TRACE(round);
        loaded += loadOrExplain(file.path()) ? 1 : 0;
    }
    // Both ways were gone often, or the damage is not what it should be.
    EXPECT_GT(loaded, kRounds / 10);
    EXPECT_LT(loaded, kRounds);
}

INSTANTIATE_TEST_SUITE_P(Shared, Damage,
                         testing::Values("rt-v6-marker", "s390x-v6-twobuf", "arm-v6-pi",
                                         "k510rt-tc291-v6-lost", "nonrt-v7-pichain",
                                         "s390x-v7-marker", "arm-v7-none-local-pi",
                                         "rt-tc331-v7-zlib-lost"),
                         fixtureTestName);

} // namespace

} // namespace inversight::test
