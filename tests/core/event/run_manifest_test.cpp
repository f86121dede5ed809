// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/event/marker.h"
#include "core/event/run_manifest.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace inversight {
namespace {

RunManifest example() {
    RunManifest manifest;
    manifest.tool = "inversight 0.1.0";
    manifest.argv = {"inversight", "run", "i2c-bus-2009", "--policy", "a|b"};
    manifest.scenario = R"({"name":"i2c-bus-2009","scenario":1,"threads":[]})";
    manifest.seed = 7;
    manifest.policy = "rt_mutex";
    manifest.engine = "real";
    manifest.systemName = "Linux 6.18.44 #1 SMP x86_64";
    manifest.rtLimits = "rt_runtime 950000 of 1000000 us";
    manifest.clock = "mono";
    manifest.tgid = 321;
    manifest.cpuCount = 2;
    manifest.threads = {{322, "prio-0", "other", 0, 0, {1}}, {324, "fifo-99", "fifo", 99, 0, {1}}};
    return manifest;
}

TEST(RunManifest, JsonRoundTripKeepsEveryField) {
    EXPECT_EQ(RunManifest::fromJson(example().toJson()).value(), example());
}

TEST(RunManifest, PartsFitTheMarkerLimitAndComeTogetherInAnyOrderTwice) {
    RunManifest manifest = example();
    for (int i = 0; i < 200; ++i)
        manifest.argv.push_back("%|\nürgent-" + std::to_string(i));
    const auto parts = manifest.toMarkerParts();
    ASSERT_GT(parts.size(), 3u);

    std::vector<std::uint32_t> order;
    for (std::uint32_t index = 1; index <= parts.size(); ++index)
        order.insert(order.end(), {index, index});
    std::ranges::shuffle(order, std::mt19937(3));
    ManifestAssembler assembler;
    const auto count = static_cast<std::uint32_t>(parts.size());
    for (const std::uint32_t index : order) {
        EXPECT_FALSE(parts[index - 1].empty());
        MarkerCodec::Buffer buffer;
        const auto text =
            MarkerCodec::encode({4194304, ManifestPart{index, count, parts[index - 1]}}, buffer);
        EXPECT_LE(text.size(), 900u);
        std::string scratch;
        const auto marker = MarkerCodec::decode(text, scratch);
        ASSERT_TRUE(marker);
        const auto& part = std::get<ManifestPart>(marker->body);
        assembler.add(part.index, part.count, part.text);
    }
    ASSERT_TRUE(assembler.complete());
    EXPECT_EQ(assembler.manifest().value(), manifest);
}

TEST(RunManifest, IncompletePartsSayHowManyAreMissing) {
    ManifestAssembler assembler;
    assembler.add(1, 3, "{");
    const auto manifest = assembler.manifest();
    ASSERT_FALSE(manifest);
    EXPECT_EQ(manifest.error().code, ErrorCode::NotFound);
    EXPECT_EQ(manifest.error().where, "1 of 3 manifest markers");
}

TEST(RunManifest, NewerVersionsAreRefusedByName) {
    const auto manifest = RunManifest::fromJson(R"({"manifest":2})");
    ASSERT_FALSE(manifest);
    EXPECT_EQ(manifest.error().code, ErrorCode::Unsupported);
    EXPECT_NE(manifest.error().what.find("version 2"), std::string::npos);
}

TEST(RunManifest, BadInputIsAnErrorNotAnException) {
    for (const char* text : {"", "[]", "{", "{\"manifest\":\"1\"}", "{\"manifest\":0}",
                             "{\"manifest\":1,\"argv\":3}", "{\"manifest\":1,\"threads\":[3]}"}) {
        const auto manifest = RunManifest::fromJson(text);
        ASSERT_FALSE(manifest) << text;
        EXPECT_EQ(manifest.error().code, ErrorCode::Corrupt) << text;
    }
}

TEST(RunManifest, UnknownKeysAreIgnored) {
    EXPECT_TRUE(RunManifest::fromJson(R"({"manifest":1,"later":[1,2]})"));
}

} // namespace
} // namespace inversight
