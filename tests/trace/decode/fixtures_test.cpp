// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Every shared trace, record by record, against what an independent reader (libtracecmd) says.
#include "collecting_sink.h"
#include "raw_fields.h"
#include "trace/decode/page_source.h"
#include "trace_files.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

using nlohmann::json;

/// Loads every stream.
LoadReport loadAll(const DatFile& file, CollectingSink& sink) {
    auto source = PageSource::create(file);
    if (!source) {
        ADD_FAILURE() << source.error().sentence();
        return {};
    }
    LoadReport total;
    for (const StreamId stream : (*source)->streams()) {
        auto report = (*source)->load(stream, sink, JobContext());
        if (!report) {
            ADD_FAILURE() << report.error().sentence();
            return total;
        }
        total.complete &= report->complete;
        total.warnings = std::move(report->warnings); // every stream says what concerns the file
    }
    return total;
}

/// What the marker's columns stand for, as it was written.
std::string markerText(const CollectedEvent& event) {
    const std::string subject = event.fields["subject"];
    const std::string tgid = std::to_string(event.fields["tgid"].get<int>());
    switch (*event.markerKind) {
    case MarkerKind::SliceBegin:
        return "B|" + tgid + "|" + subject + "\n";
    case MarkerKind::SliceEnd:
        return tgid == "0" ? "E\n" : "E|" + tgid + "\n";
    case MarkerKind::Note:
        return "I|" + tgid + "|" + subject + "\n";
    default:
        return subject + "\n";
    }
}

void expectFields(const CollectedEvent& actual, const json& expected) {
    for (const auto& [name, value] : actual.fields.items()) {
        if (!expected.contains(name))
            ADD_FAILURE() << "no field " << name << " in " << expected;
        else if (value.is_string())
            EXPECT_EQ(value, expected[name]) << name;
        else if (name == "uaddr" || name == "lock_addr" || name == "ret" || name == "msg" ||
                 name == "xfer")
            EXPECT_EQ(integer(value), integer(expected[name])) << name;
        else // the columns hold 32 bits
            EXPECT_EQ(static_cast<std::uint32_t>(integer(value)),
                      static_cast<std::uint32_t>(integer(expected[name])))
                << name;
    }
    if (actual.prevState) {
        const auto raw = static_cast<std::uint64_t>(integer(expected["prev_state"]));
        EXPECT_EQ(*actual.prevState, modernState(raw)) << raw;
        EXPECT_EQ(actual.preempted, (raw & 0x100) != 0) << raw;
    }
}

void expectMarker(const CollectedEvent& actual, const json& expected) {
    std::string text = expected["buf"];
    if (!text.ends_with('\n'))
        text += '\n';
    EXPECT_EQ(markerText(actual), text);
}

/// libtracecmd adds a date, which is in ns, to clocks that count ticks too; we do not.
std::int64_t expectedTime(const DatFile& file, const StreamInfo& stream, const json& expected) {
    const auto time = expected["ts"].get<std::int64_t>();
    return stream.clock.unit == ClockUnit::Ticks ? time - file.time.date : time;
}

std::vector<std::string> expectedWarnings(const std::string& name) {
    if (name == "rt-v7-date-tsc")
        return {"the date in the file was not added: its clock counts ticks"};
    return {};
}

void expectRecord(const CollectingSink& sink, const CollectedEvent& actual, const json& expected) {
    EXPECT_EQ(sink.typeName(actual), expected["ev"].get<std::string>());
    EXPECT_EQ(actual.header.tid, expected["pid"].get<int>());
    EXPECT_EQ(actual.header.flags, expected["flags"].get<int>());
    EXPECT_EQ(actual.header.preemptCount, expected["pc"].get<int>());
    EXPECT_EQ(actual.lostBefore.value_or(0), expected.value("missed", std::int64_t{0}));
    EXPECT_EQ(actual.fields.is_null(), sink.type(actual).kind == EventKind::Other);
    if (actual.markerKind)
        expectMarker(actual, expected["f"]);
    else if (!actual.fields.is_null())
        expectFields(actual, expected["f"]);
}

/// All records of all buffers; stops at the first that differs.
void expectTrace(const DatFile& file, const CollectingSink& sink, const std::string& name) {
    const ExpectedRecords expected = readExpected(name);
    const RawFields fields(file);
    std::size_t total = 0;
    for (const auto& [key, records] : expected) {
        const auto stream = std::ranges::find(sink.streams, key.first, &StreamInfo::name);
        ASSERT_NE(stream, sink.streams.end()) << "buffer " << key.first;
        const StreamId id{static_cast<std::uint16_t>(stream - sink.streams.begin())};
        const auto& actual = sink.events(id, key.second);
        for (std::size_t index = 0; index < std::min(actual.size(), records.size()); ++index) {
            expectRecord(sink, actual[index], records[index]);
            EXPECT_EQ(actual[index].header.time, expectedTime(file, *stream, records[index]));
            EXPECT_EQ(fields.differences(sink.type(actual[index]).rawId,
                                         actual[index].header.offset, records[index]["f"]),
                      "");
            ASSERT_FALSE(testing::Test::HasFailure())
                << "CPU " << key.second << ", record " << index << ": " << records[index];
        }
        ASSERT_EQ(actual.size(), records.size()) << "CPU " << key.second;
        total += records.size();
    }
    EXPECT_EQ(sink.eventCount(), total);
}

class Fixture : public testing::TestWithParam<std::string> {};

TEST_P(Fixture, YieldsEveryRecordAsExpected) {
    SKIP_WITHOUT_TRACES(GetParam());
    auto records = RecordStore::open(fixturePath(GetParam()));
    ASSERT_TRUE(records) << records.error().sentence();
    auto file = readDat(*records);
    ASSERT_TRUE(file) << file.error().sentence();
    CollectingSink sink;
    const LoadReport report = loadAll(*file, sink);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.warnings, expectedWarnings(GetParam()));
    expectTrace(*file, sink, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shared, Fixture, testing::ValuesIn(orAbsent(fixtureNames())),
                         fixtureTestName);

} // namespace

} // namespace inversight::test
