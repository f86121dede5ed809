// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/event_format.h"

#include "trace/decode/field_access.h"

#include <gmock/gmock.h>

#include <deque>

namespace inversight::test {

namespace {

constexpr std::string_view kWaking = R"(name: sched_waking
ID: 318
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t pid;	offset:24;	size:4;	signed:1;

print fmt: "comm=%s pid=%d", REC->comm, REC->pid
)";

/// A format with these field lines.
std::string withFields(const std::string& lines) {
    return "name: x\nID: 7\nformat:\n" + lines + "\nprint fmt: \"\"\n";
}

EventField onlyField(const std::string& line) {
    static std::deque<std::string> texts; // the fields' views point into them
    const auto format = parseEventFormat(texts.emplace_back(withFields(line + "\n")));
    if (!format || format->fields.size() != 1) {
        ADD_FAILURE() << line;
        return {};
    }
    return format->fields[0];
}

std::string failure(std::string_view text) {
    const auto format = parseEventFormat(text);
    return format ? "" : format.error().sentence();
}

TEST(EventFormat, ReadsAKernelFormat) {
    const auto format = parseEventFormat(kWaking);
    ASSERT_TRUE(format) << format.error().sentence();
    EXPECT_EQ(format->name, "sched_waking");
    EXPECT_EQ(format->id, 318);
    ASSERT_EQ(format->fields.size(), 6u);
    EXPECT_EQ(format->fields[0].type, "unsigned short");
    EXPECT_EQ(format->fields[0].name, "common_type");
    EXPECT_FALSE(format->fields[0].isArray);
    EXPECT_EQ(format->fields[4].type, "char");
    EXPECT_EQ(format->fields[4].name, "comm");
    EXPECT_TRUE(format->fields[4].isArray);
    EXPECT_EQ(format->fields[4].offset, 8u);
    EXPECT_EQ(format->fields[4].size, 16u);
    EXPECT_TRUE(format->fields[5].isSigned);
    EXPECT_EQ(format->printFormat, "\"comm=%s pid=%d\", REC->comm, REC->pid");
    EXPECT_EQ(format->find("pid")->offset, 24u);
    EXPECT_EQ(format->find("prio"), nullptr);
}

TEST(EventFormat, ReadsEveryFormOfDeclaration) {
    EventField field = onlyField("\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;");
    EXPECT_EQ(field.placement, FieldPlacement::DataLocation);
    EXPECT_EQ(field.name, "name");
    EXPECT_EQ(field.type, "char");
    EXPECT_TRUE(field.isArray);

    field = onlyField("\tfield:__rel_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;");
    EXPECT_EQ(field.placement, FieldPlacement::RelativeLocation);

    field = onlyField("\tfield:u32 * uaddr;\toffset:16;\tsize:8;\tsigned:0;");
    EXPECT_EQ(field.type, "u32 *");
    EXPECT_EQ(field.name, "uaddr");
    EXPECT_FALSE(field.isArray);

    field = onlyField("\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;");
    EXPECT_EQ(field.name, "args");
    EXPECT_TRUE(field.isArray);

    field = onlyField("\tfield:__u8 addr[2][ETH_ALEN];\toffset:16;\tsize:12;\tsigned:0;");
    EXPECT_EQ(field.name, "addr");
    EXPECT_TRUE(field.isArray);

    field = onlyField("\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;");
    EXPECT_EQ(field.name, "buf");
    EXPECT_EQ(field.size, 0u);
}

TEST(EventFormat, AFieldThatIsThereTwiceIsFoundFirst) {
    // regmap and some syscall events of older kernels.
    const std::string text = withFields("field:int nr; offset:8; size:4; signed:1;\n"
                                        "field:long nr; offset:16; size:8; signed:1;\n");
    const auto format = parseEventFormat(text);
    ASSERT_TRUE(format);
    EXPECT_EQ(format->find("nr")->offset, 8u);
}

TEST(EventFormat, AStringWithoutEndCostsOnlyThePrintFormat) {
    const std::string text =
        "name: x\nID: 7\nformat:\n\tfield:int a; offset:0; size:4; signed:1;\n\n"
        "print fmt: \"%s\x01\xff";
    const auto format = parseEventFormat(text);
    ASSERT_TRUE(format);
    EXPECT_TRUE(format->printFormatDamaged);
    EXPECT_EQ(format->printFormat, "");
    EXPECT_EQ(format->fields.size(), 1u);
}

TEST(EventFormat, QuotesInsideStringsAndNewlinesBelongToThem) {
    const std::string text =
        "name: x\nID: 7\nformat:\n\tfield:int a; offset:0; size:4; signed:1;\n\n"
        "print fmt: \"a \\\" b\n c\", REC->a\n";
    const auto format = parseEventFormat(text);
    ASSERT_TRUE(format);
    EXPECT_FALSE(format->printFormatDamaged);
    EXPECT_EQ(format->printFormat, "\"a \\\" b\n c\", REC->a");
}

TEST(EventFormat, ErrorsNameLineAndExpectation) {
    EXPECT_EQ(failure(""), "expected \"name:\" (event format, line 0)");
    EXPECT_EQ(failure("nam: x\n"), "expected \"name:\" (event format, line 1)");
    EXPECT_EQ(failure("name:\n"),
              "expected an event name of printable characters (event format, line 1)");
    EXPECT_EQ(failure("name: a b\n"),
              "expected an event name of printable characters (event format, line 1)");
    EXPECT_EQ(failure("name: " + std::string(200, 'x') + "\n"),
              "expected an event name of printable characters (event format, line 1)");
    EXPECT_EQ(failure("name: x\n"), "expected \"ID:\" (event format, line 1)");
    EXPECT_EQ(failure("name: x\nID: 70000\n"),
              "expected a number from 0 to 65535 after \"ID:\" (event format, line 2)");
    EXPECT_EQ(failure("name: x\nID: 7 8\n"),
              "expected a number from 0 to 65535 after \"ID:\" (event format, line 2)");
    EXPECT_EQ(failure("name: x\nID: 7\nfields:\n"), "expected \"format:\" (event format, line 3)");
    EXPECT_EQ(failure("name: x\nID: 7\nformat:\n"),
              "expected at least one \"field:\" line (event format, line 3)");
    EXPECT_EQ(failure(withFields("junk\n")), "expected \"field:\" (event format, line 4)");
    EXPECT_EQ(failure(withFields("field:int; offset:0; size:4; signed:1;\n")),
              "expected a type and a name after \"field:\" (event format, line 4)");
    EXPECT_EQ(failure(withFields("field:]]]; offset:0; size:4; signed:1;\n")),
              "expected a type and a name after \"field:\" (event format, line 4)");
    EXPECT_EQ(failure(withFields("field:__data_loc char[] s; offset:0; size:8; signed:1;\n")),
              "expected a size of 4 for a __data_loc or __rel_loc field (event format, line 4)");
    EXPECT_EQ(failure(withFields("field:int a; offset:0; size:4294967296; signed:1;\n")),
              "expected a number up to 16777216 after \"size:\" (event format, line 4)");
    std::string many;
    for (std::size_t index = 0; index <= kMaxEventFields; ++index)
        many += "field:int f" + std::to_string(index) + "; offset:0; size:4; signed:1;\n";
    EXPECT_EQ(failure(withFields(many)), "expected at most 256 fields (event format, line 260)");
}

TEST(FieldAccess, LoadsIntegersInBothOrdersWithTheirSign) {
    const std::byte bytes[] = {std::byte{0xff}, std::byte{0xfe}, std::byte{0xfd}, std::byte{0xfc},
                               std::byte{0xff}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};
    EXPECT_EQ((IntegerField{0, 1, true}.load(bytes, ByteOrder::Little)), -1);
    EXPECT_EQ((IntegerField{0, 1, false}.load(bytes, ByteOrder::Little)), 255);
    EXPECT_EQ((IntegerField{1, 2, false}.load(bytes, ByteOrder::Big)), 0xfefd);
    EXPECT_EQ((IntegerField{1, 2, true}.load(bytes, ByteOrder::Little)), 0xfdfe - 0x10000);
    EXPECT_EQ((IntegerField{4, 4, true}.load(bytes, ByteOrder::Big)), -1);
    EXPECT_EQ((IntegerField{4, 4, false}.load(bytes, ByteOrder::Big)), 0xffffffff);
    EXPECT_EQ((IntegerField{0, 8, true}.load(bytes, ByteOrder::Big)), -0x1020300000001);
    EXPECT_EQ((IntegerField{}.load(bytes, ByteOrder::Big)), 0);
}

TEST(FieldAccess, LoadsTextsWhereverTheyAre) {
    // A word that says "5 bytes at 8", a fixed array, the text.
    std::string record("\x08\0\x05\0abcdhello\0x", 15);
    const auto bytes = std::as_bytes(std::span(record.data(), record.size()));
    const TextField located{0, 4, FieldPlacement::DataLocation};
    EXPECT_EQ(located.load(bytes, ByteOrder::Little), "hello");
    EXPECT_EQ((TextField{4, 4, FieldPlacement::Fixed}.load(bytes, ByteOrder::Little)), "abcd");
    EXPECT_EQ((TextField{8, 0, FieldPlacement::Fixed}.load(bytes, ByteOrder::Little)), "hello");
    record[0] = 4; // counted from behind the word
    const TextField relative{0, 4, FieldPlacement::RelativeLocation};
    EXPECT_EQ(relative.load(bytes, ByteOrder::Little), "hello");
    record[0] = 14;
    record[2] = 2; // one byte too many
    EXPECT_EQ(located.load(bytes, ByteOrder::Little), "");
    record[1] = '\xff';
    EXPECT_EQ(located.load(bytes, ByteOrder::Little), "");
    EXPECT_EQ(relative.load(bytes, ByteOrder::Little), "");
}

} // namespace

} // namespace inversight::test
