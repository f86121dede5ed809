// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/ring_page_builder.h"

#include <cstring>
#include <gmock/gmock.h>

namespace inversight {
namespace {

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> result;
    for (const unsigned value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

std::vector<std::byte> head(std::span<const std::byte> pages, std::size_t size) {
    return {pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(RingPageBuilder, RecordsAreByteForByteTheKernels) {
    RingPageBuilder builder;
    builder.add(0x0102030405060708, bytes({1, 2, 3, 4, 5})); // padded to 8
    builder.add(0x0102030405060708 + 3, bytes({9, 9, 9, 9}));
    builder.add(0x0102030405060708 + 3 + (5ULL << 27) + 6, bytes({7, 7, 7, 7}));
    EXPECT_TRUE(builder.pages().empty());
    builder.flush();
    ASSERT_EQ(builder.pages().size(), 4096U);
    EXPECT_EQ(head(builder.pages(), 56),
              bytes({8,           7, 6, 5, 4, 3, 2, 1,             // time
                     36,          0, 0, 0, 0, 0, 0, 0,             // commit
                     2,           0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, // two words, delta 0
                     0x61,        0, 0, 0, 9, 9, 9, 9,             // one word, delta 3 << 5
                     30 | 6 << 5, 0, 0, 0, 5, 0, 0, 0,             // time extend: 6 + (5 << 27)
                     1,           0, 0, 0, 7, 7, 7, 7,             // one word, delta 0
                     0,           0, 0, 0}));
}

TEST(RingPageBuilder, LongRecordsStateTheirLengthInAWord) {
    RingPageBuilder builder;
    builder.add(0, std::vector<std::byte>(112, std::byte{1}));
    builder.add(0, std::vector<std::byte>(113, std::byte{2}));
    builder.flush();
    const auto page = builder.pages();
    EXPECT_EQ(page[16], std::byte{28});
    EXPECT_EQ(head(page.subspan(16 + 116), 9), bytes({0, 0, 0, 0, 120, 0, 0, 0, 2}));
    EXPECT_EQ(page[8], std::byte{116 + 124});
}

TEST(RingPageBuilder, ALossIsFlaggedAndCountedInItsPageOnly) {
    RingPageBuilder builder;
    builder.add(1, bytes({1, 1, 1, 1}));
    builder.lose(1234);
    builder.add(2, bytes({2, 2, 2, 2}));
    builder.flush();
    builder.add(3, bytes({3, 3, 3, 3}));
    builder.flush();
    const auto pages = builder.pages();
    ASSERT_EQ(pages.size(), 3U * 4096);
    EXPECT_EQ(head(pages.subspan(8), 8), bytes({8, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(head(pages.subspan(4096 + 8), 8), bytes({8, 0, 0, 0xc0, 0, 0, 0, 0}));
    EXPECT_EQ(head(pages.subspan(4096 + 24), 8), bytes({0xd2, 4, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(head(pages.subspan(2 * 4096 + 8), 8), bytes({8, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(RingPageBuilder, TheLongestRecordFitsAlsoBesideALossCount) {
    RingPageBuilder builder;
    builder.lose(5);
    builder.add(1, std::vector<std::byte>(RingPageBuilder::kMaxRecordBytes, std::byte{7}));
    builder.flush();
    ASSERT_EQ(builder.pages().size(), 4096U);
    EXPECT_EQ(builder.pages()[4087], std::byte{7});
    EXPECT_EQ(builder.pages()[4088], std::byte{5});
}

TEST(RingPageBuilder, TakenPagesAreGone) {
    RingPageBuilder builder;
    builder.add(1, bytes({1, 1, 1, 1}));
    builder.flush();
    builder.add(2, bytes({2, 2, 2, 2}));
    EXPECT_EQ(builder.pages().size(), 4096U);
    builder.dropPages();
    EXPECT_TRUE(builder.pages().empty());
    builder.add(5, bytes({3, 3, 3, 3}));
    builder.flush();
    ASSERT_EQ(builder.pages().size(), 4096U);
    EXPECT_EQ(head(builder.pages(), 32),
              bytes({2, 0, 0, 0, 0, 0, 0, 0, 16,         0, 0, 0, 0, 0, 0, 0,
                     1, 0, 0, 0, 2, 2, 2, 2, 1 | 3 << 5, 0, 0, 0, 3, 3, 3, 3}));
}

} // namespace
} // namespace inversight
