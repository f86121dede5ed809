// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/trace_dat_writer.h"

#include <gmock/gmock.h>
#include <string_view>

namespace inversight {
namespace {

using namespace std::string_literals;

TraceMetadata smallMetadata() {
    TraceMetadata metadata;
    metadata.pageSize = 256;
    metadata.headerPage = "HP";
    metadata.headerEvent = "HEV";
    metadata.ftraceFormats = {"F"};
    metadata.systems = {{"sched", {"S1", "S2"}}};
    metadata.kallsyms = "K";
    metadata.printkFormats = "PK";
    metadata.savedCmdlines = "1 a\n";
    metadata.traceClock = "local [mono]";
    metadata.systemName = "U";
    metadata.cpuStats = {"x\n"};
    metadata.cpuCount = 3;
    return metadata;
}

TEST(TraceDatWriter, EveryByteOfASmallFile) {
    const std::vector<std::uint64_t> sizes{256, 0, 512};
    const TraceDatLayout layout = layoutTraceDat(smallMetadata(), sizes);
    const std::string expected =
        "\x17\x08\x44tracing6\0\0\x08\0\x01\0\0"s
        "header_page\0\x02\0\0\0\0\0\0\0HP"s
        "header_event\0\x03\0\0\0\0\0\0\0HEV"s
        "\x01\0\0\0\x01\0\0\0\0\0\0\0F"s
        "\x01\0\0\0sched\0\x02\0\0\0\x02\0\0\0\0\0\0\0S1\x02\0\0\0\0\0\0\0S2"s
        "\x01\0\0\0K\x02\0\0\0PK\x04\0\0\0\0\0\0\0"s
        "1 a\n\x03\0\0\0options  \0"s
        "\x04\0\x0d\0\0\0local [mono]\0"s
        "\x05\0\x02\0\0\0U\0"s
        "\x02\0\x0a\0\0\0CPU: 0\nx\n\0"s
        "\0\0flyrecord\0"s
        "\0\x02\0\0\0\0\0\0\0\x01\0\0\0\0\0\0"s
        "\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s
        "\0\x03\0\0\0\0\0\0\0\x02\0\0\0\0\0\0"s
        "\x06\0\0\0\0\0\0\0[mono]"s;
    EXPECT_EQ(layout.head, expected);
    ASSERT_EQ(layout.cpus.size(), 3U);
    EXPECT_EQ(layout.cpus[0].offset, 512U);
    EXPECT_EQ(layout.cpus[1].offset, 768U);
    EXPECT_EQ(layout.cpus[2].offset, 768U);
    EXPECT_EQ(layout.cpus[2].size, 512U);
}

TEST(TraceDatWriter, NumbersFollowTheRecordingMachinesByteOrder) {
    TraceMetadata metadata = smallMetadata();
    metadata.bigEndian = true;
    metadata.longSize = 4;
    const TraceDatLayout layout = layoutTraceDat(metadata, std::vector<std::uint64_t>{256, 0, 0});
    EXPECT_TRUE(layout.head.starts_with("\x17\x08\x44tracing6\0\x01\x04\0\0\x01\0header_page\0"
                                        "\0\0\0\0\0\0\0\x02HP"s));
    EXPECT_THAT(layout.head,
                testing::HasSubstr("flyrecord\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\0"s));
}

TEST(TraceDatWriter, WhatIsNotKnownIsNotWritten) {
    TraceMetadata metadata = smallMetadata();
    metadata.traceClock.clear();
    metadata.systemName.clear();
    metadata.cpuStats.clear();
    metadata.cpuCount = 1;
    const TraceDatLayout layout = layoutTraceDat(metadata, std::vector<std::uint64_t>{0});
    EXPECT_TRUE(layout.head.ends_with("\x01\0\0\0options  \0\0\0flyrecord\0"
                                      "\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s));
}

} // namespace
} // namespace inversight
