// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// What fuzzers begin with and what they once found: every file loads or says why not.
#include "touching_sink.h"
#include "trace/decode/page_source.h"
#include "trace_files.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace inversight::test {

namespace {

std::vector<std::string> corpus() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(INVERSIGHT_FUZZ_CORPUS "/dat"))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    return paths;
}

class FuzzCorpus : public testing::TestWithParam<std::string> {};

TEST_P(FuzzCorpus, LoadsOrSaysWhy) {
    const auto file = readDat(RecordStore::fromBytes(readBytes(GetParam()), "FILE"));
    if (!file) {
        EXPECT_THAT(file.error().where, testing::HasSubstr("FILE"));
        return;
    }
    const auto source = PageSource::create(*file);
    if (!source) {
        EXPECT_EQ(source.error().code, ErrorCode::Unsupported); // a latency tracer's text
        return;
    }
    TouchingSink sink;
    for (const StreamId stream : (*source)->streams())
        EXPECT_TRUE((*source)->load(stream, sink, {}));
}

INSTANTIATE_TEST_SUITE_P(Files, FuzzCorpus, testing::ValuesIn(corpus()), [](const auto& info) {
    std::string name = std::filesystem::path(info.param).stem();
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

} // namespace

} // namespace inversight::test
