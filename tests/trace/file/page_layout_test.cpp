// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/page_layout.h"

#include "byte_builder.h"
#include "trace/file/field_line.h"

#include <gmock/gmock.h>

namespace inversight::test {

namespace {

std::string layoutFailure(std::string_view headerPage, std::uint32_t pageSize = 4096) {
    const auto layout = PageLayout::parse(headerPage, ByteOrder::Little, pageSize);
    return layout ? "" : layout.error().sentence();
}

TEST(PageLayout, FollowsTheHeaderOfThe64And32BitKernels) {
    const auto wide = PageLayout::parse(DatBytes::headerPageText(8), ByteOrder::Big, 4096);
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->commitSize, 8u);
    EXPECT_EQ(wide->dataOffset, 16u);
    EXPECT_EQ(wide->dataSize(), 4080u);
    EXPECT_EQ(wide->order, ByteOrder::Big);
    const auto narrow = PageLayout::parse(DatBytes::headerPageText(4), ByteOrder::Little, 4096);
    ASSERT_TRUE(narrow);
    EXPECT_EQ(narrow->commitSize, 4u);
    EXPECT_EQ(narrow->dataOffset, 12u);
}

TEST(PageLayout, SubBuffersMayBeLargerThanPages) {
    std::string text = DatBytes::headerPageText(8);
    text.replace(text.find("4080"), 4, "16368");
    const auto layout = PageLayout::parse(text, ByteOrder::Little, 4096);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->pageSize, 16384u);
}

TEST(PageLayout, OldKernelsHaveNoHeader) {
    const auto layout = PageLayout::withoutHeader(ByteOrder::Little, 4096, 4);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layout->commitSize, 4u);
    EXPECT_EQ(layout->dataOffset, 12u);
    EXPECT_FALSE(PageLayout::withoutHeader(ByteOrder::Little, 0, 4));
}

TEST(PageLayout, SaysWhatIsMissing) {
    EXPECT_EQ(layoutFailure(""), "expected a field \"timestamp\" of 8 bytes at offset 0");
    EXPECT_EQ(layoutFailure("field: u64 timestamp; offset:0; size:8; signed:0;\n"),
              "expected a field \"commit\" of 4 or 8 bytes");
    EXPECT_EQ(layoutFailure("field: u64 timestamp; offset:0; size:8; signed:0;\n"
                            "field: local_t commit; offset:8; size:8; signed:1;\n"),
              "expected a field \"data\" behind the time stamp");
    EXPECT_EQ(layoutFailure("field: u64 timestamp; offset:0; size:8; signed:0;\n"
                            "field: local_t commit; offset:16; size:8; signed:1;\n"
                            "field: char data; offset:16; size:4080; signed:0;\n"),
              "expected the commit word before the data, and the data inside the page");
    EXPECT_EQ(layoutFailure("field: u64 timestamp; offset:0; size:8; signed:0;\n"
                            "field: local_t commit; offset:8; size:8; signed:1;\n"
                            "field: char data; offset:16; size:4; signed:0;\n",
                            0),
              "expected a page size from 128 to 8388608 bytes, found 0");
    EXPECT_EQ(layoutFailure("nonsense\n"), "expected \"field:\"");
}

TEST(FieldLine, ReadsKernelLines) {
    const auto field =
        parseFieldLine("\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;");
    ASSERT_TRUE(field);
    EXPECT_EQ(field->declaration, "unsigned short common_type");
    EXPECT_EQ(field->size, 2u);
    EXPECT_FALSE(field->isSigned);
    const auto old = parseFieldLine("field:int x; offset:4; size:4;");
    ASSERT_TRUE(old);
    EXPECT_EQ(old->offset, 4u);
    EXPECT_TRUE(parseFieldLine("field special:char x; offset:4; size:4;"));
}

TEST(FieldLine, SaysWhatItExpected) {
    const auto lineFailure = [](std::string_view line) {
        const auto field = parseFieldLine(line);
        return field ? "" : field.error().what;
    };
    EXPECT_EQ(lineFailure(""), "expected \"field:\"");
    EXPECT_EQ(lineFailure("feld:int x; offset:0; size:4;"), "expected \"field:\"");
    EXPECT_EQ(lineFailure("field:"), "expected a declaration that ends with ';' after \"field:\"");
    EXPECT_EQ(lineFailure("field:int x"),
              "expected a declaration that ends with ';' after \"field:\"");
    EXPECT_EQ(lineFailure("field:int x; size:4; offset:0;"), "expected \"offset:NUMBER;\"");
    EXPECT_EQ(lineFailure("field:int x; offset:0; size:4"), "expected \"size:NUMBER;\"");
    EXPECT_EQ(lineFailure("field:int x; offset:-1; size:4;"),
              "expected a number up to 16777216 after \"offset:\"");
    EXPECT_EQ(lineFailure("field:int x; offset:99999999999; size:4;"),
              "expected a number up to 16777216 after \"offset:\"");
    EXPECT_EQ(lineFailure("field:int x; offset:0; size:4; signed:1; more"),
              "expected the end of the line after \"signed:NUMBER;\"");
}

} // namespace

} // namespace inversight::test
