// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Every small fixture cut off at evenly spaced offsets: each prefix loads or says why not.
#include "touching_sink.h"
#include "trace/decode/page_source.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace inversight::test {

namespace {

/// The committed files take the fixtures' place where those are absent.
std::vector<std::string> smallTraces() {
    constexpr std::uintmax_t kSmall = 450'000;
    std::vector<std::string> paths;
    for (const std::string& name : fixtureNames()) {
        if (std::filesystem::file_size(fixturePath(name)) <= kSmall)
            paths.push_back(fixturePath(name));
    }
    for (const char* name : {"v7-none", "v7-zlib", "v7-zstd", "i2c-bus-2009-rt_mutex"})
        paths.push_back(std::string(INVERSIGHT_TEST_DATA "/") + name + ".dat");
    return paths;
}

class Cuts : public testing::TestWithParam<std::string> {};

/// A prefix that loads must know that it is one.
void expectHonest(const DatFile& file, const std::string& whole, std::size_t size) {
    const auto source = PageSource::create(file);
    ASSERT_TRUE(source) << source.error().sentence();
    TouchingSink sink;
    bool complete = true;
    for (const StreamId stream : (*source)->streams()) {
        const auto report = (*source)->load(stream, sink, {});
        ASSERT_TRUE(report) << report.error().sentence();
        complete &= report->complete;
    }
    // Behind the last options there may be texts nothing depends on.
    const std::size_t rest = whole.size() - size;
    EXPECT_TRUE(!complete || rest < 300) << rest;
}

TEST_P(Cuts, EveryPrefixLoadsOrSaysWhy) {
    const std::string whole = readBytes(GetParam());
    std::size_t loaded = 0;
    for (std::size_t cut = 0; cut < INVERSIGHT_CUTS; ++cut) {
        const std::size_t size = whole.size() * cut / INVERSIGHT_CUTS;
        SCOPED_TRACE(size);
        const auto file = readDat(RecordStore::fromBytes(whole.substr(0, size), "FILE"));
        if (file) {
            ++loaded;
            expectHonest(*file, whole, size);
            continue;
        }
        EXPECT_EQ(file.error().code, ErrorCode::Truncated) << file.error().sentence();
        EXPECT_THAT(file.error().what, testing::HasSubstr("expected "));
        EXPECT_THAT(file.error().where, testing::HasSubstr("FILE, offset "));
    }
    // Both ways were gone: the first bytes are no file, most of it is.
    EXPECT_GT(loaded, 0u);
    EXPECT_LT(loaded, std::size_t{INVERSIGHT_CUTS});
}

INSTANTIATE_TEST_SUITE_P(Small, Cuts, testing::ValuesIn(smallTraces()), [](const auto& info) {
    std::string name = std::filesystem::path(info.param).stem();
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

} // namespace

} // namespace inversight::test
