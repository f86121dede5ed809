// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Recordings of real machines, written again in every form: the same records.
#include "collecting_sink.h"
#include "trace/decode/page_source.h"
#include "trace/file/dat_rewriter.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <sstream>

namespace inversight::test {

namespace {

constexpr DatForm kForms[] = {
    {6, Compression::None}, {7, Compression::None}, {7, Compression::Zlib}, {7, Compression::Zstd}};

/// "second/3 167856137740 0 sched/sched_switch flags 1 2 lost -1 {...}" of every event.
std::vector<std::string> recordsOf(const DatFile& file) {
    const auto source = PageSource::create(file);
    EXPECT_TRUE(source) << source.error().sentence();
    CollectingSink sink;
    for (const StreamId stream : (*source)->streams())
        EXPECT_TRUE((*source)->load(stream, sink, {}));
    std::vector<std::string> records;
    for (std::size_t stream = 0; stream < sink.streams.size(); ++stream) {
        const StreamId id{static_cast<std::uint16_t>(stream)};
        for (int cpu = 0; cpu < file.cpuCount; ++cpu) {
            for (const CollectedEvent& event : sink.events(id, cpu)) {
                std::ostringstream line;
                line << sink.streams[stream].name << '/' << sink.streams[stream].clock.name << '/'
                     << cpu << ' ' << event.header.time << ' ' << event.header.tid << ' '
                     << sink.typeName(event) << " flags " << int{event.header.flags} << ' '
                     << int{event.header.preemptCount} << " lost " << event.lostBefore.value_or(0)
                     << ' '
                     << event.fields.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
                records.push_back(line.str());
            }
        }
    }
    return records;
}

DatFile opened(std::shared_ptr<const RecordStore> records) {
    auto file = readDat(std::move(records));
    EXPECT_TRUE(file) << file.error().sentence();
    return file ? *std::move(file) : DatFile{};
}

class Rewritten : public testing::TestWithParam<std::string> {};

TEST_P(Rewritten, HasTheSameRecordsInEveryForm) {
    SKIP_WITHOUT_TRACES(GetParam());
    const auto records = RecordStore::open(fixturePath(GetParam()));
    ASSERT_TRUE(records) << records.error().sentence();
    const DatFile file = opened(*records);
    const std::vector<std::string> before = recordsOf(file);
    for (const DatForm& form : kForms) {
        std::ostringstream bytes;
        const auto done = rewriteDat(file, form, {}, bytes);
        ASSERT_TRUE(done) << done.error().sentence();
        const DatFile again = opened(RecordStore::fromBytes(bytes.str(), "again"));
        EXPECT_EQ(again.version, form.version);
        EXPECT_EQ(again.systemName, file.systemName);
        EXPECT_EQ(again.cpuStats, file.cpuStats);
        EXPECT_TRUE(recordsOf(again) == before)
            << "version " << form.version << ", " << compressionName(form.compression);
        std::ostringstream twice;
        ASSERT_TRUE(rewriteDat(again, form, {}, twice));
        EXPECT_TRUE(twice.str() == bytes.str());
    }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Rewritten, testing::ValuesIn(orAbsent(fixtureNames())),
                         fixtureTestName);

} // namespace

} // namespace inversight::test
