// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The committed recordings in version 7 hold what they hold in version 6.
#include "collecting_sink.h"
#include "trace/decode/page_source.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

struct Pair {
    const char* version7;
    const char* version6;
    const char* compression;
};

struct Loaded {
    std::shared_ptr<const RecordStore> records;
    DatFile file;
    CollectingSink sink;
    LoadReport report;
};

std::unique_ptr<Loaded> load(const std::string& name) {
    auto loaded = std::make_unique<Loaded>();
    const auto records = RecordStore::open(INVERSIGHT_TEST_DATA "/" + name);
    EXPECT_TRUE(records) << records.error().sentence();
    loaded->records = *records;
    auto file = readDat(*records);
    EXPECT_TRUE(file) << file.error().sentence();
    loaded->file = *file;
    const auto source = PageSource::create(*file);
    EXPECT_TRUE(source);
    auto report = (*source)->load(StreamId{0}, loaded->sink, {});
    EXPECT_TRUE(report);
    loaded->report = *std::move(report);
    return loaded;
}

std::string bytesOf(const Loaded& loaded, const CollectedEvent& event) {
    const auto record = loaded.records->record(ByteOrder::Little, event.header.offset);
    EXPECT_TRUE(record) << record.error().sentence();
    return {reinterpret_cast<const char*>(record->data.data()), record->data.size()};
}

class CommittedV7 : public testing::TestWithParam<Pair> {};

TEST_P(CommittedV7, HasTheRecordsOfVersion6) {
    const auto seven = load(GetParam().version7);
    const auto six = load(GetParam().version6);
    EXPECT_EQ(seven->file.version, 7);
    EXPECT_EQ(seven->file.compression, GetParam().compression);
    EXPECT_TRUE(seven->report.complete);
    EXPECT_THAT(seven->report.warnings, testing::IsEmpty());
    EXPECT_TRUE(seven->report.manifest.has_value());
    EXPECT_EQ(seven->file.buffers[0].clock, six->file.buffers[0].clock);
    EXPECT_EQ(seven->sink.names, six->sink.names);
    for (int cpu = 0; cpu < 2; ++cpu) {
        const auto& sevens = seven->sink.events(StreamId{0}, cpu);
        const auto& sixes = six->sink.events(StreamId{0}, cpu);
        ASSERT_EQ(sevens.size(), sixes.size());
        ASSERT_GT(sixes.size(), 10u);
        for (std::size_t index = 0; index < sixes.size(); ++index) {
            ASSERT_EQ(sevens[index].header.time, sixes[index].header.time) << index;
            ASSERT_EQ(sevens[index].fields, sixes[index].fields) << index;
            ASSERT_EQ(bytesOf(*seven, sevens[index]), bytesOf(*six, sixes[index])) << index;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CommittedV7,
                         testing::Values(Pair{"v7-none.dat", "i2c-bus-2009-rt_mutex.dat", "none"},
                                         Pair{"v7-zlib.dat", "i2c-bus-2009-mutex-2009.dat", "zlib"},
                                         Pair{"v7-zstd.dat", "i2c-bus-2009-mutex-2009.dat",
                                              "zstd"}),
                         [](const auto& info) { return std::string(info.param.compression); });

} // namespace

} // namespace inversight::test
