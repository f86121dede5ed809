// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_reader.h"

#include "byte_builder.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

constexpr std::uint64_t kMissed = std::uint64_t{1} << 31;
constexpr std::uint64_t kStored = std::uint64_t{1} << 30;

struct Seen {
    std::uint64_t time = 0;
    std::string data;
    bool operator==(const Seen&) const = default;
};

void PrintTo(const Seen& seen, std::ostream* out) {
    *out << seen.time << " \"" << seen.data << '"';
}

struct Walk {
    std::vector<Seen> records;
    PageReader::Step end = PageReader::Step::End;
    std::string damage;
    std::optional<MissedEvents> missed;
};

Walk walk(const std::string& page, const PageLayout& layout = {}) {
    const auto bytes = std::as_bytes(std::span(page.data(), page.size()));
    Result<PageReader> reader = PageReader::open(bytes, layout);
    EXPECT_TRUE(reader.has_value());
    Walk walk;
    walk.missed = reader->missed();
    RingRecord record;
    while ((walk.end = reader->next(record)) == PageReader::Step::Record) {
        const auto* text = reinterpret_cast<const char*>(record.data.data());
        walk.records.push_back({record.time, std::string(text, record.data.size())});
        // The offset leads back to the same bytes.
        const auto again = recordAt(bytes, layout.order, record.pageOffset);
        EXPECT_TRUE(again.has_value());
        EXPECT_EQ(again->data(), record.data.data());
        EXPECT_EQ(again->size(), record.data.size());
    }
    if (walk.end == PageReader::Step::Damaged)
        walk.damage = reader->damage().what;
    return walk;
}

TEST(PageReader, ReadsShortAndLongData) {
    const std::string page = PageBytes(1000)
                                 .head(1, 0)
                                 .data("abcd")
                                 .head(2, 5)
                                 .data("efghijkl")
                                 .head(0, 7)
                                 .word(4 + 6)
                                 .data("sixlen\0\0")
                                 .word(0)
                                 .build();
    // The bytes behind "sixlen" round the record up to a word.
    const Walk result = walk(page);
    EXPECT_THAT(result.records, testing::ElementsAre(Seen{1000, "abcd"}, Seen{1005, "efghijkl"},
                                                     Seen{1012, "sixlen"}));
    EXPECT_FALSE(result.missed);
}

TEST(PageReader, ReadsBigEndian32BitPages) {
    const PageLayout layout{ByteOrder::Big, 4096, 8, 4, 12};
    const std::string page = PageBytes(1 << 20, layout)
                                 .head(1, 3)
                                 .data("abcd")
                                 .head(30, 1)
                                 .word(2)
                                 .head(1, 0)
                                 .data("efgh")
                                 .build();
    EXPECT_THAT(walk(page, layout).records,
                testing::ElementsAre(Seen{(1 << 20) + 3, "abcd"},
                                     Seen{(1 << 20) + 4 + (2ULL << 27), "efgh"}));
}

TEST(PageReader, TimeExtendAddsFiftyNineBits) {
    const std::string page = PageBytes(100).head(30, 7).word(3).head(1, 1).data("abcd").build();
    EXPECT_THAT(walk(page).records, testing::ElementsAre(Seen{100 + 7 + (3ULL << 27) + 1, "abcd"}));
}

TEST(PageReader, AbsoluteTimeReplacesTheTime) {
    const std::uint64_t time = 1651097314396951318ULL & ((1ULL << 59) - 1);
    const std::string page = PageBytes(50)
                                 .head(31, static_cast<std::uint32_t>(time & ((1 << 27) - 1)))
                                 .word(static_cast<std::uint32_t>(time >> 27))
                                 .head(1, 5)
                                 .data("abcd")
                                 .build();
    EXPECT_THAT(walk(page).records, testing::ElementsAre(Seen{time + 5, "abcd"}));
}

TEST(PageReader, AbsoluteTimeTakesItsHighBitsFromTheTimeBefore) {
    const std::uint64_t tai = 1651097314396951318ULL; // has bits above 59
    const std::uint64_t low = tai & ((1ULL << 59) - 1);
    const std::string page = PageBytes(tai - 10)
                                 .head(31, static_cast<std::uint32_t>(low & ((1 << 27) - 1)))
                                 .word(static_cast<std::uint32_t>(low >> 27))
                                 .head(1, 5)
                                 .data("abcd")
                                 .build();
    EXPECT_THAT(walk(page).records, testing::ElementsAre(Seen{tai + 5, "abcd"}));
}

TEST(PageReader, AbsoluteTimeThatRanOverCarries) {
    const std::uint64_t before = (2ULL << 59) - 4; // the next bit 59 is near
    const std::string page = PageBytes(before).head(31, 6).word(0).head(1, 0).data("abcd").build();
    EXPECT_THAT(walk(page).records, testing::ElementsAre(Seen{(2ULL << 59) + 6, "abcd"}));
}

TEST(PageReader, SkipsDiscardedRecordsWithTheirTime) {
    const std::string page =
        PageBytes(10).head(29, 3).word(8).word(0xdeadbeef).head(1, 2).data("abcd").build();
    EXPECT_THAT(walk(page).records, testing::ElementsAre(Seen{15, "abcd"}));
}

TEST(PageReader, PaddingWithoutTimeEndsThePage) {
    const std::string page =
        PageBytes(10).head(1, 1).data("abcd").head(29, 0).word(0).head(1, 0).data("efgh").build();
    const Walk result = walk(page);
    EXPECT_THAT(result.records, testing::ElementsAre(Seen{11, "abcd"}));
    EXPECT_EQ(result.end, PageReader::Step::End);
}

TEST(PageReader, APageOfPaddingAndTimesHasNoRecord) {
    const std::string page = PageBytes(10).head(29, 1).word(4).head(30, 1).word(1).build();
    const Walk result = walk(page);
    EXPECT_THAT(result.records, testing::IsEmpty());
    EXPECT_EQ(result.end, PageReader::Step::End);
}

TEST(PageReader, MissedEventsWithAndWithoutTheirNumber) {
    const Walk counted = walk(
        PageBytes(10).head(1, 0).data("abcd").commitFlags(kMissed | kStored).behind(1234).build());
    ASSERT_TRUE(counted.missed);
    EXPECT_EQ(counted.missed->count, 1234u);
    const Walk unknown = walk(PageBytes(10).head(1, 0).data("abcd").commitFlags(kMissed).build());
    ASSERT_TRUE(unknown.missed);
    EXPECT_EQ(unknown.missed->count, std::nullopt);
    // Bit 30 alone says nothing.
    EXPECT_FALSE(walk(PageBytes(10).head(1, 0).data("abcd").commitFlags(kStored).build()).missed);
}

TEST(PageReader, TheStoredNumberHasTheSizeOfALong) {
    const PageLayout layout{ByteOrder::Little, 4096, 8, 4, 12};
    const Walk result = walk(PageBytes(10, layout)
                                 .head(1, 0)
                                 .data("abcd")
                                 .commitFlags(kMissed | kStored)
                                 .behind(77)
                                 .build(),
                             layout);
    ASSERT_TRUE(result.missed);
    EXPECT_EQ(result.missed->count, 77u);
}

TEST(PageReader, AFullPageHasNoRoomForTheNumber) {
    PageBytes page(10);
    page.head(29, 1).word(4096 - 16 - 4).commitFlags(kMissed | kStored).commitSize(4096 - 16);
    const Walk result = walk(page.build());
    ASSERT_TRUE(result.missed);
    EXPECT_EQ(result.missed->count, std::nullopt);
}

TEST(PageReader, RefusesACommitLargerThanThePage) {
    const std::string page = PageBytes(10).commitSize(4081).build();
    const auto reader =
        PageReader::open(std::as_bytes(std::span(page.data(), page.size())), PageLayout{});
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(reader.error().what,
              "expected at most 4080 bytes of records in a page, its commit word says 4081");
}

TEST(PageReader, SizesThatLeadOutAreDamage) {
    const Walk tooLong =
        walk(PageBytes(10).head(1, 0).data("abcd").head(2, 0).data("efgh").build());
    EXPECT_THAT(tooLong.records, testing::ElementsAre(Seen{10, "abcd"}));
    EXPECT_EQ(tooLong.end, PageReader::Step::Damaged);
    EXPECT_EQ(tooLong.damage, "expected a record at byte 24 of the page, but its size leads past "
                              "the data in use");
    EXPECT_EQ(walk(PageBytes(10).head(0, 0).word(9).data("efgh").build()).damage,
              "expected a record at byte 16 of the page, but its size leads past the data in use");
    EXPECT_EQ(walk(PageBytes(10).head(0, 0).word(3).data("efgh").build()).damage,
              "expected a record at byte 16 of the page, but its size leads past the data in use");
    EXPECT_EQ(walk(PageBytes(10).head(29, 1).word(0).data("efgh").build()).damage,
              "expected a record at byte 16 of the page, but its size leads past the data in use");
    EXPECT_EQ(walk(PageBytes(10).head(30, 0).build()).damage,
              "expected a record at byte 16 of the page, but its second word is missing");
}

TEST(RecordAt, RefusesWhatIsNoRecord) {
    const auto at = [](const ByteBuilder& bytes, std::uint64_t offset) {
        const auto record = recordAt(bytes.span(), ByteOrder::Little, offset);
        return record ? "" : record.error().sentence();
    };
    EXPECT_EQ(at(ByteBuilder().u32(30).u32(0), 0),
              "expected a data record, found padding or a time (offset 0)");
    EXPECT_EQ(at(ByteBuilder().u32(28).u32(0), 0),
              "expected a whole record, the file ends inside it (offset 0)");
    EXPECT_EQ(at(ByteBuilder().u32(0).u32(3), 0),
              "expected a record's size of at least 4 bytes (offset 0)");
    EXPECT_EQ(at(ByteBuilder().u32(0).u32(5), 0),
              "expected a whole record, the file ends inside it (offset 0)");
    EXPECT_EQ(at(ByteBuilder().u32(0).u32(4), 1),
              "expected a record, the file ends before it (offset 1)");
    EXPECT_EQ(at(ByteBuilder().u32(0), 0), "expected a record, the file ends before it (offset 0)");
}

} // namespace

} // namespace inversight::test
