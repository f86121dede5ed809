// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/event/marker.h"

#include <gtest/gtest.h>
#include <random>

namespace inversight {
namespace {

std::string encoded(const MarkerBody& body, std::int32_t tgid = 42) {
    MarkerCodec::Buffer buffer;
    return std::string(MarkerCodec::encode({tgid, body}, buffer));
}

struct Golden {
    MarkerBody body;
    const char* text;
};

// Version 1, byte for byte: files in the field hold these.
const Golden kGolden[] = {
    {WaitBegin{"i2c-2 bus lock"}, "B|42|wait i2c-2 bus lock"},
    {TransferBegin{"i2c-2", "read_byte_data"}, "B|42|xfer i2c-2 read_byte_data"},
    {OtherSliceBegin{"frame 7"}, "B|42|frame 7"},
    {SliceEnd{}, "E|42"},
    {HoldBegin{"i2c-2 bus lock", 17}, "S|42|hold i2c-2 bus lock|17"},
    {HoldEnd{"i2c-2 bus lock", 17}, "F|42|hold i2c-2 bus lock|17"},
    {Release{3, 1796060801574118070}, "I|42|release 3 planned=1796060801574118070"},
    {LockAnnouncement{"m", 0x7ffd1234, LockAddressKind::Futex},
     "I|42|lock m addr=0x7ffd1234 kind=futex"},
    {LockAnnouncement{"i2c-1", 0xffff888003e81430, LockAddressKind::Kernel},
     "I|42|lock i2c-1 addr=0xffff888003e81430 kind=kernel"},
    {ManifestPart{2, 3, "{\"tool\""}, "I|42|inversight.manifest 2/3 {\"tool\""},
    {Note{"hello"}, "I|42|hello"},
    {WaitBegin{"a|b%c\nd\re"}, "B|42|wait a%7Cb%25c%0Ad%0De"},
};

TEST(MarkerCodec, EncodesTheGoldenTexts) {
    for (const Golden& golden : kGolden)
        EXPECT_EQ(encoded(golden.body), golden.text);
}

TEST(MarkerCodec, DecodesWhatItEncodes) {
    for (const Golden& golden : kGolden) {
        std::string scratch;
        const auto marker = MarkerCodec::decode(golden.text, scratch);
        ASSERT_TRUE(marker) << golden.text;
        EXPECT_EQ(*marker, (Marker{42, golden.body})) << golden.text;
        const std::string withNewline = std::string(golden.text) + "\n";
        EXPECT_EQ(MarkerCodec::decode(withNewline, scratch), (Marker{42, golden.body}));
    }
}

TEST(MarkerCodec, RefusesWhatIsNoMarker) {
    std::string scratch;
    for (const char* text : {"", "\n", "start_cycle 17", "B", "B|", "B|x|name", "B|1", "C|1|v|3",
                             "S|1|hold m", "S|1|hold m|x", "F|1|other|3", "Z|1|a"})
        EXPECT_FALSE(MarkerCodec::decode(text, scratch)) << text;
}

TEST(MarkerCodec, ReadsForeignSlices) {
    std::string scratch;
    // A percent sign that escapes nothing is somebody else's text.
    const auto slice = MarkerCodec::decode("B|18998|Texture upload 50% 52x50", scratch);
    ASSERT_TRUE(slice);
    EXPECT_EQ(*slice, (Marker{18998, OtherSliceBegin{"Texture upload 50% 52x50"}}));
    EXPECT_EQ(MarkerCodec::decode("E", scratch), (Marker{0, SliceEnd{}}));
    EXPECT_EQ(MarkerCodec::decode("I|7|lock with no address", scratch),
              (Marker{7, Note{"lock with no address"}}));
}

TEST(MarkerCodec, NeverWritesPastItsBuffer) {
    const std::string name(3 * kMaxMarkerBytes, '|');
    EXPECT_EQ(encoded(Note{name}).size(), kMaxMarkerBytes);
}

TEST(MarkerCodec, AnyBytesAreDecodedOrRefused) {
    std::mt19937 random(1);
    const std::string_view alphabet = "BESFI|0123456789 %xholdwaitxfer\n\xff=/";
    std::string scratch;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (unsigned length = random() % 40; length > 0; --length)
            text += alphabet[random() % alphabet.size()];
        if (const auto marker = MarkerCodec::decode(text, scratch)) {
            std::string again;
            EXPECT_EQ(MarkerCodec::decode(encoded(marker->body, marker->tgid), again), marker);
        }
    }
}

} // namespace
} // namespace inversight
