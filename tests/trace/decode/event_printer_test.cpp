// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Records to text through a file's catalog, symbols and strings.
#include "trace/decode/event_printer.h"

#include <gmock/gmock.h>

#include <span>

namespace inversight::test {

namespace {

using testing::HasSubstr;

/// A catalog of a few formats and its printer.
struct Printer {
    explicit Printer(const std::string& printFormat,
                     const std::string& fields = "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n",
                     std::string_view system = "test", const std::string& name = "sample")
        : text("name: " + name +
               "\nID: 7\nformat:\n"
               "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
               "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n" +
               fields + "\nprint fmt: " + printFormat + "\n"),
          formats{{system, text}}, catalog(EventCatalog::build(formats, warnings)),
          printer(catalog, ByteOrder::Little, 8,
                  "ffffffff81000000 T first\nffffffff81000000 t alias\n"
                  "ffffffff81000010 T second\t[module]\n0000000000001000 A percpu\n"
                  "ffffffff81000020 T last\n",
                  "0xffffffff82000000 : \"n=%d s=%s w=%4u l=%lx p=%ps\\n\"\n"
                  "0xffffffff82000100 : \"with \\\"quotes\\\"\\n\"\n") {}

    [[nodiscard]] std::string print(const std::string& record) const {
        std::string out;
        printer.append(std::as_bytes(std::span(record)), out);
        return out;
    }

    std::string text;
    std::vector<FormatText> formats;
    std::vector<std::string> warnings;
    EventCatalog catalog;
    EventPrinter printer;
};

std::string little(std::uint64_t value, int size) {
    std::string bytes;
    for (int index = 0; index < size; ++index)
        bytes += static_cast<char>(value >> (8 * index));
    return bytes;
}
const std::string kHeader = little(7, 4) + little(1, 4);

TEST(EventPrinter, UsesThePrintFormatAndRemovesOneNewline) {
    EXPECT_EQ(Printer(R"("x=%d\n\n", REC->x)").print(kHeader + little(5, 4)), "x=5\n");
    EXPECT_EQ(Printer(R"("")").print(kHeader + little(5, 4)), "");
}

TEST(EventPrinter, FallsBackToTheFields) {
    const Printer unknown(R"("x=%s", decode(REC->x))");
    EXPECT_EQ(unknown.print(kHeader + little(5, 4)), "x=5");
    EXPECT_THAT(unknown.printer.refusal(7), HasSubstr("decode"));
    EXPECT_EQ(Printer(R"("1/x=%d", 1 / REC->x)").print(kHeader + little(0, 4)), "x=0");
    EXPECT_EQ(Printer("\"x=%d\x01\xff").print(kHeader + little(5, 4)), "x=5"); // no closing quote
    EXPECT_EQ(Printer(R"("x=%d", REC->x)").print(kHeader), "x=?");
}

TEST(EventPrinter, UnknownEventsShowTheirBytes) {
    EXPECT_EQ(Printer(R"("")").print(little(65000, 2) + "\x01\xff"),
              "unknown event 65000: e8 fd 01 ff");
    EXPECT_EQ(Printer(R"("")").print("\x01"), "unknown event: 01");
    EXPECT_EQ(Printer(R"("")").print(""), "unknown event: ");
}

TEST(EventPrinter, SymbolsAndStringsOfTheFile) {
    const Printer printer(R"("%pS %s", (void *)REC->ip, REC->s)",
                          "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
                          "\tfield:const char * s;\toffset:16;\tsize:8;\tsigned:0;\n");
    const auto shownAt = [&](std::uint64_t address) {
        return printer.print(kHeader + little(address, 8) + little(0xffffffff82000100, 8));
    };
    EXPECT_EQ(shownAt(0xffffffff81000000), "first+0x0 with \"quotes\"");
    EXPECT_EQ(shownAt(0xffffffff8100001f), "second+0xf with \"quotes\"");
    EXPECT_EQ(shownAt(0xffffffff81000020), "last+0x0 with \"quotes\"");
    EXPECT_EQ(shownAt(0xffffffff81000021), "0xffffffff81000021 with \"quotes\"");
    EXPECT_EQ(shownAt(0x1000), "0x1000 with \"quotes\"");
}

TEST(EventPrinter, TracePrintkWithBinaryArguments) {
    const Printer printer(R"("%ps: %s", (void *)REC->ip, REC->fmt)",
                          "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
                          "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
                          "\tfield:u32 buf;\toffset:24;\tsize:0;\tsigned:0;\n",
                          "ftrace", "bprint");
    const std::string head = kHeader + little(0xffffffff81000012, 8);
    const std::string arguments = little(static_cast<std::uint32_t>(-3), 4) +
                                  std::string("abc\0", 4) + little(9, 4) + little(0xabcdef0123, 8) +
                                  little(0xffffffff81000010, 8);
    EXPECT_EQ(printer.print(head + little(0xffffffff82000000, 8) + arguments),
              "second: n=-3 s=abc w=   9 l=abcdef0123 p=second");
    EXPECT_EQ(printer.print(head + little(0x123, 8) + arguments),
              "second: (NO FORMAT FOUND at 123)");
    // Without all of its arguments: what the print format alone says.
    EXPECT_EQ(printer.print(head + little(0xffffffff82000000, 8) + "\x01"),
              "second: n=%d s=%s w=%4u l=%lx p=%ps");
}

TEST(EventPrinter, StacksHaveAsManyLinesAsTheyHaveCallers) {
    const Printer printer(
        R"("\t=> %ps\n\t=> %ps\n", (void *)REC->caller[0], (void *)REC->caller[1])",
        "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
        "\tfield:unsigned long caller;\toffset:16;\tsize:0;\tsigned:0;\n",
        "ftrace", "kernel_stack");
    std::string record = kHeader + little(3, 8);
    for (const std::uint64_t caller : {0xffffffff81000001, 0xffffffff81000011, 0xffffffff81000020})
        record += little(caller, 8);
    EXPECT_EQ(printer.print(record), "\t=> first\n\t=> second\n\t=> last");
    EXPECT_EQ(printer.print(record + little(~0ULL, 8) + little(1, 8)),
              "\t=> first\n\t=> second\n\t=> last");
    EXPECT_EQ(printer.print(kHeader + little(0, 8)), "");
}

} // namespace

} // namespace inversight::test
