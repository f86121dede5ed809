// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Print formats: each construct on its own, and formats nobody would write.
#include "trace/decode/field_listing.h"
#include "trace/decode/print_format.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <span>

namespace inversight::test {

namespace {

using testing::HasSubstr;

/// Some symbols and one string.
class Names final : public KernelNames {
public:
    std::optional<KernelSymbol> symbol(std::uint64_t address) const override {
        if (address < 0xffffffff81000000 || address >= 0xffffffff81000100)
            return std::nullopt;
        return KernelSymbol{"vfs_read", address - 0xffffffff81000000};
    }
    std::optional<std::string_view> text(std::uint64_t address) const override {
        return address == 0x1000 ? std::optional<std::string_view>("from the kernel")
                                 : std::nullopt;
    }
};

/// An event of one's own: fields with their values, a print format.
class Sample {
public:
    explicit Sample(int longSize = 8, ByteOrder order = ByteOrder::Little)
        : longSize_(longSize), order_(order) {
        number("unsigned short common_type", 7, 2);
        number("int common_pid", 1, 4);
    }

    Sample& number(const std::string& declaration, std::uint64_t value, std::uint32_t size,
                   bool isSigned = true) {
        field(declaration, size, isSigned);
        for (std::uint32_t index = 0; index < size; ++index) {
            const std::uint32_t place = order_ == ByteOrder::Little ? index : size - 1 - index;
            record_ += static_cast<char>(value >> (8 * place));
        }
        return *this;
    }
    Sample& bytes(const std::string& declaration, const std::string& value) {
        field(declaration, static_cast<std::uint32_t>(value.size()), false);
        record_ += value;
        return *this;
    }
    /// A __data_loc field, whose bytes finish() puts at the end.
    Sample& dynamic(const std::string& declaration, const std::string& value) {
        dynamic_.push_back({record_.size(), value});
        return number("__data_loc " + declaration, 0, 4, false);
    }
    /// Cuts the record.
    Sample& cut(std::size_t size) {
        cut_ = size;
        return *this;
    }

    [[nodiscard]] Result<std::string> text(const std::string& printFormat) const {
        const std::string all =
            "name: sample\nID: 7\nformat:\n" + fields_ + "\nprint fmt: " + printFormat + "\n";
        const EventFormat format = TRY(parseEventFormat(all));
        const PrintFormat print = TRY(PrintFormat::parse(format, longSize_));
        const std::string record = finished();
        std::string out = "> ";
        const Names names;
        const PrintContext context{std::as_bytes(std::span(record)), order_,
                                   static_cast<std::uint8_t>(longSize_), &names};
        if (!print.append(context, out)) {
            EXPECT_EQ(out, "> ");
            return std::unexpected(Error{ErrorCode::Unavailable, "not for this record"});
        }
        return out.substr(2);
    }
    [[nodiscard]] std::string listing() const {
        const std::string all = "name: sample\nID: 7\nformat:\n" + fields_;
        const auto format = parseEventFormat(all);
        const std::string record = finished();
        std::string out;
        appendFields(*format,
                     {std::as_bytes(std::span(record)), order_,
                      static_cast<std::uint8_t>(longSize_), nullptr},
                     out);
        return out;
    }

private:
    void field(const std::string& declaration, std::uint32_t size, bool isSigned) {
        fields_ += fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", declaration,
                               record_.size(), size, isSigned ? 1 : 0);
    }
    [[nodiscard]] std::string finished() const {
        std::string record = record_;
        for (const auto& [place, value] : dynamic_) {
            const auto word = static_cast<std::uint32_t>(value.size() << 16 | record.size());
            for (std::uint32_t index = 0; index < 4; ++index)
                record[place + (order_ == ByteOrder::Little ? index : 3 - index)] =
                    static_cast<char>(word >> (8 * index));
            record += value;
        }
        return record.substr(0, cut_);
    }

    int longSize_;
    ByteOrder order_;
    std::string fields_;
    std::string record_;
    std::vector<std::pair<std::size_t, std::string>> dynamic_;
    std::size_t cut_ = std::string::npos;
};

std::string shown(const Sample& sample, const std::string& printFormat) {
    const auto text = sample.text(printFormat);
    return text ? *text : "error: " + text.error().what;
}
std::string shown(const std::string& printFormat) {
    return shown(Sample(), printFormat);
}

TEST(PrintFormat, LiteralsAndEscapes) {
    EXPECT_EQ(shown(R"("plain")"), "plain");
    EXPECT_EQ(shown(R"("")"), "");
    EXPECT_EQ(shown(R"("a" "b"  "c%%")"), "abc%");
    EXPECT_EQ(shown(R"("\"q\"\t\\n\x41\101\n")"), "\"q\"\t\\nAA\n");
}

TEST(PrintFormat, TheReportedExpression) { // libtraceevent 62823da, 0b9a34e, 5bc98bd
    Sample sample;
    sample.number("int d", 5, 4).number("int x", 0, 4).number("u32 hi", 1, 4, false);
    sample.number("u32 lo", 2, 4, false);
    EXPECT_EQ(shown(sample, R"("delta %+d c=%c t=%llu", REC->d, REC->x ? 'a' : 'b', )"
                            R"((((u64)(REC)->hi << 32) | (REC)->lo))"),
              "delta +5 c=b t=4294967298");
}

struct Case {
    std::string format;
    std::string expected;
};
class Arithmetic : public testing::TestWithParam<Case> {};
TEST_P(Arithmetic, IsThatOfC) {
    EXPECT_EQ(shown(GetParam().format), GetParam().expected) << GetParam().format;
}
INSTANTIATE_TEST_SUITE_P(
    PrintFormat, Arithmetic,
    testing::Values(
        Case{R"("%d", 1 + 2 * 3 - 4 / 2)", "5"}, Case{R"("%d", (1 + 2) * 3 % 5)", "4"},
        Case{R"("%d", 10 - 3 - 2)", "5"}, Case{R"("%d", 1 | 6 & 3 ^ 8)", "11"},
        Case{R"("%d", 1 << 4 >> 2)", "4"}, Case{R"("%d", -8 >> 1)", "-4"},
        Case{R"("%d", -1 < 0U)", "0"}, Case{R"("%d", -1 < 0)", "1"}, Case{R"("%d", -1L < 0U)", "1"},
        Case{R"("%llu", -1)", "18446744073709551615"}, Case{R"("%llu", (u32)-1 + 1)", "0"},
        Case{R"("%llu", (u8)300)", "44"}, Case{R"("%lld", (s8)200)", "-56"},
        Case{R"("%lld", (unsigned short)-1)", "65535"}, Case{R"("%d", !5 + !0)", "1"},
        Case{R"("%x", ~0)", "ffffffff"}, Case{R"("%d", 3 > 2 && 2 >= 2 || 0)", "1"},
        Case{R"("%d", 1 == 2 ? 3 : 4 != 4 ? 5 : 6)", "6"}, Case{R"("%d", 0 && 1 / 0)", "0"},
        Case{R"("%d", 1 || 1 / 0)", "1"}, Case{R"("%d", sizeof(long))", "8"},
        Case{R"("%d", sizeof(struct x *) + sizeof(u16))", "10"},
        Case{R"("%d", sizeof(REC->common_type))", "2"},
        Case{R"("%d %d %d", 010, 0x1F, 10UL)", "8 31 10"},
        Case{R"("%llx", 0xffffffffffffffffULL)", "ffffffffffffffff"},
        Case{R"("%c%c%c", 'a', '\n', '\x42')", "a\nB"}, Case{R"("%d", '\0')", "0"},
        Case{R"("%d", __builtin_expect(!!(5), 1))", "1"},
        Case{R"("%d", ((unsigned int) ((0x800003) >> 20)))", "8"},
        Case{R"("%d", (enum zone)3)", "3"}, Case{R"("%d", (foo_t)(7))", "7"},
        Case{R"("%llu.%06u", __print_ns_to_secs(1500000000), __print_ns_without_secs(1500000000))",
             "1.500000000"},
        // what C leaves undefined
        Case{R"("%d", 1 << 32)", "0"}, Case{R"("%d", 1 << -1)", "0"},
        Case{R"("%lld", (-9223372036854775807LL - 1) / -1)", "-9223372036854775808"},
        Case{R"("%lld", (-9223372036854775807LL - 1) % -1)", "0"},
        Case{R"("%d", (-2147483647 - 1) / -1)", "-2147483648"},
        Case{R"("%d", 1 / 0)", "error: not for this record"},
        Case{R"("%d", 1 % 0)", "error: not for this record"}));

class Conversions : public testing::TestWithParam<Case> {};
TEST_P(Conversions, AreThoseOfPrintf) {
    EXPECT_EQ(shown(GetParam().format), GetParam().expected) << GetParam().format;
}
INSTANTIATE_TEST_SUITE_P(
    PrintFormat, Conversions,
    testing::Values(
        Case{R"("[%5d|%-5d|%05d|%+d|% d]", 42, 42, 42, 42, 42)", "[   42|42   |00042|+42| 42]"},
        Case{R"("[%5d|%05d|%-5d]", -42, -42, -42)", "[  -42|-0042|-42  ]"},
        Case{R"("[%.3d|%5.3d|%05.3d|%.0d]", 7, 7, 7, 7)", "[007|  007|  007|7]"},
        Case{R"("[%x|%X|%#x|%#X|%#010x|%#x|%o|%#o]", 255, 255, 255, 255, 255, 0, 8, 8)",
             "[ff|FF|0xff|0XFF|0x000000ff|0|10|010]"},
        Case{
            R"("[%hhd|%hd|%hu|%d|%ld|%lld|%zd|%Lx]", 511, 65535, 65535, 4294967295, 4294967295, 1, -2, 16)",
            "[-1|-1|65535|-1|4294967295|1|-2|10]"},
        Case{R"("[%*d|%*d|%.*d|%-*d]", 4, 7, -4, 7, 3, 7, 3, 7)", "[   7|7   |007|7  ]"},
        Case{R"("[%s|%5s|%-5s|%.2s|%5.2s|%.*s]", "abc", "abc", "abc", "abc", "abc", 1, "abc")",
             "[abc|  abc|abc  |ab|   ab|a]"},
        Case{R"("[%3c|%-3c]", 'x', 'y')", "[  x|y  ]"}, Case{R"("%", 1)", ""},
        Case{R"("%n", 1)", "error: the conversion %n is unknown"},
        Case{R"("%d")", "error: the format string wants 1 arguments, there are 0"},
        Case{R"("%d", 1, 2)", "1"}));

TEST(PrintFormat, FieldsHaveTheSizeAndSignOfTheRecord) {
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
        Sample sample(8, order);
        sample.number("int i", static_cast<std::uint32_t>(-2), 4).number("u8 b", 200, 1, false);
        sample.number("long l", static_cast<std::uint64_t>(-3), 8);
        EXPECT_EQ(shown(sample, R"("%d %ld %lld %u", REC->i, REC->l, REC->i, REC->b)"),
                  "-2 -3 -2 200");
        EXPECT_EQ(shown(sample, R"("%d", REC->common_pid)"), "1");
    }
    Sample small(4);
    small.number("unsigned long p", 0xc0a1b2c3, 4, false);
    EXPECT_EQ(shown(small, R"("%lx %p %s", REC->p, REC->p, (char *)REC->p)"),
              "c0a1b2c3 0xc0a1b2c3 c0a1b2c3");
}

TEST(PrintFormat, TextsOfTheRecordAndOfTheKernel) {
    Sample sample;
    sample.bytes("char comm[8]", std::string("bash\0xyz", 8));
    sample.bytes("char full[4]", "full").dynamic("char[] name", std::string("eth0\0", 5));
    sample.number("const char * why", 0x1000, 8, false).number("char * other", 0x2000, 8, false);
    EXPECT_EQ(
        shown(sample,
              R"("%s|%s|%6s|%s|%s", REC->comm, REC->full, __get_str(name), REC->why, REC->other)"),
        "bash|full|  eth0|from the kernel|2000");
    EXPECT_EQ(shown(sample, R"("%s", REC->common_pid ? __get_str(name) : "none")"), "eth0");
    EXPECT_EQ(shown(sample, R"("%x", REC->__data_loc_name >> 16)"), "5");
    EXPECT_EQ(shown(sample, R"("%s", REC->common_pid)"), "error: not for this record");
}

TEST(PrintFormat, RelativeLocations) {
    Sample sample;
    sample.number("__rel_loc char[] s", 3U << 16, 4, false).bytes("char tail[3]", "abc");
    EXPECT_EQ(shown(sample, R"("%s %d", __get_rel_str(s), __get_rel_dynamic_array_len(s))"),
              "abc 3");
}

TEST(PrintFormat, Arrays) {
    Sample sample;
    sample.bytes("u8 mac[6]", std::string("\x00\x1b\x21\xaa\xbb\xcc", 6));
    sample.bytes("__u16 words[2]", std::string("\x01\x00\x02\x80", 4));
    sample.dynamic("u32[] list", std::string("\x01\0\0\0\xff\0\0\0", 8)).dynamic("u8[] none", "");
    EXPECT_EQ(shown(sample, R"("%d %d", REC->words[1], REC->mac[1])"), "32770 27");
    EXPECT_EQ(shown(sample, R"("%s", __print_hex(REC->mac, 3))"), "00 1b 21");
    EXPECT_EQ(shown(sample, R"("[%s]", __print_hex_str(REC->mac, 0))"), "[]");
    EXPECT_EQ(shown(sample, R"("%s", __print_hex_str(__get_dynamic_array(list), 2))"), "0100");
    EXPECT_EQ(shown(sample, R"("%s", __print_array(__get_dynamic_array(list), )"
                            R"(__get_dynamic_array_len(list) / sizeof(u32), 4))"),
              "{0x1,0xff}");
    EXPECT_EQ(shown(sample, R"("%s", __print_array(REC->words, 2, sizeof(u16)))"), "{0x1,0x8002}");
    EXPECT_EQ(shown(sample, R"("%s", __print_dynamic_array(none, 4))"),
              "error: not for this record"); // a name, no field of the record
    EXPECT_EQ(shown(sample, R"("%d", ((u8 *)__get_dynamic_array(list))[4])"), "255");
    EXPECT_EQ(shown(sample, R"("%d", *(u32 *)__get_dynamic_array(list))"), "1");
    EXPECT_EQ(shown(sample, R"("%d", *((u32 *)__get_dynamic_array(list) + 1))"), "255");
    EXPECT_EQ(shown(sample, R"("%pM %pm %pMF %pMR", REC->mac, REC->mac, REC->mac, REC->mac)"),
              "00:1b:21:aa:bb:cc 001b21aabbcc 00-1b-21-aa-bb-cc cc:bb:aa:21:1b:00");
    EXPECT_EQ(shown(sample, R"("%*ph|%2phC|%*phN", 3, REC->mac, REC->mac, 6, REC->mac)"),
              "00 1b 21|00:1b|001b21aabbcc");
}

TEST(PrintFormat, OutsideTheRecordOrTheArrayIsRefused) {
    Sample sample;
    sample.bytes("u8 a[4]", "1234").number("u32 n", 1000, 4, false).dynamic("u8[] d", "xy");
    for (const char* format :
         {R"("%d", REC->a[4])", R"("%d", REC->a[-1])", R"("%d", REC->a[REC->n])",
          R"("%s", __print_hex(REC->a, 5))", R"("%s", __print_hex(REC->a, REC->n))",
          R"("%s", __print_hex(REC->a, -1))", R"("%s", __print_array(REC->a, 4, 2))",
          R"("%s", __print_array(REC->a, 1, 3))", R"("%s", __print_array(REC->a, 1, 0))",
          R"("%d", *(u32 *)__get_dynamic_array(d))", R"("%pM", REC->a)", R"("%pU", REC->a)",
          R"("%d", *(REC->a + 5))"})
        EXPECT_EQ(shown(sample, format), "error: not for this record") << format;
    sample.cut(12);
    EXPECT_EQ(shown(sample, R"("%d", REC->n)"), "error: not for this record");
    EXPECT_EQ(shown(sample, R"("%s", __get_str(d))"), "error: not for this record");
    EXPECT_EQ(sample.listing(), "a=[31 32 33 34] n=? d=?");
}

TEST(PrintFormat, FlagsAndSymbols) {
    Sample sample;
    sample.number("unsigned long f", 0x105, 8, false).number("int s", 2, 4);
    const std::string rows = R"({ 0x1, "S" }, { (1UL << (2)), "T" }, { 0x2UL, "D" })";
    EXPECT_EQ(shown(sample, R"("%s", __print_flags(REC->f, "|", )" + rows + ")"), "S|T|0x100");
    EXPECT_EQ(shown(sample, R"("%s", __print_flags(REC->f & 8, "|", )" + rows + ")"), "");
    EXPECT_EQ(shown(sample, R"("%s", __print_flags(REC->f, "", )" + rows + ")"), "ST0x100");
    EXPECT_EQ(shown(sample, R"("%-4s|", __print_symbolic(REC->s, )" + rows + ")"), "D   |");
    EXPECT_EQ(shown(sample, R"("%s", __print_symbolic(REC->f, )" + rows + ")"), "0x105");
    EXPECT_EQ(shown(sample, R"("%s", __print_symbolic(REC->s, { GFP_WHAT, "x" }, { 2, "two" }))"),
              "two");
    EXPECT_EQ(shown(sample, R"("%s", __print_symbolic(REC->s, { NET_TX_SOFTIRQ, "NET_TX" }))"),
              "NET_TX");
    EXPECT_EQ(shown(sample, R"("%s", __print_symbolic(REC->s, { -1, "x" }))"), "0x2");
    EXPECT_EQ(shown(sample, R"("%s", __print_symbolic((int)-1, { -1, "minus" }))"), "minus");
    EXPECT_EQ(shown(sample, R"("%s", REC->s ? __print_symbolic(REC->s, { 2, "a" "b" }) : "R")"),
              "ab");
}

TEST(PrintFormat, SchedSwitchStates) {
    const std::string format =
        R"("%s%s", (REC->prev_state & ((((0x0000 | 0x0001 | 0x0002 | 0x0004 | 0x0008 | 0x0010 | )"
        R"(0x0020 | 0x0040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x0000 | 0x0001 | )"
        R"(0x0002 | 0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) - 1), "|", { 0x0001, "S" }, )"
        R"({ 0x0002, "D" }, { 0x0080, "I" }) : "R", REC->prev_state & (((0x0000 | 0x0001 | 0x0002 | )"
        R"(0x0004 | 0x0008 | 0x0010 | 0x0020 | 0x0040) + 1) << 1) ? "+" : "")";
    for (const auto& [state, text] : std::initializer_list<std::pair<std::uint64_t, const char*>>{
             {0, "R"}, {1, "S"}, {0x100, "R+"}, {0x80, "I"}, {3, "S|D"}})
        EXPECT_EQ(shown(Sample().number("long prev_state", state, 8), format), text);
}

TEST(PrintFormat, PointersAndSymbols) {
    Sample sample;
    sample.number("unsigned long ip", 0xffffffff81000012, 8, false);
    sample.number("void * p", 0x10, 8, false);
    EXPECT_EQ(shown(sample, R"("%ps %pS %pf %pF %pB", (void *)REC->ip, (void *)REC->ip, )"
                            R"((void *)REC->ip, (void *)REC->ip, (void *)REC->ip)"),
              "vfs_read vfs_read+0x12 vfs_read vfs_read+0x12 vfs_read+0x12");
    EXPECT_EQ(shown(sample, R"("%pS %p %px %pK %016p", REC->p, REC->p, REC->p, REC->p, REC->p)"),
              "0x10 0x10 0x10 0x10 0x10");
}

TEST(PrintFormat, OnlyThePointerThatNeedsAnUnknownNameIsNotShown) {
    Sample sample;
    sample.number("unsigned long pfn", 3, 8, false);
    EXPECT_EQ(shown(sample,
                    R"("page=%p pfn=0x%lx", REC->pfn != -1UL ? (((struct page *)vmemmap_base) )"
                    R"(+ (REC->pfn)) : ((void *)0), REC->pfn)"),
              "page=? pfn=0x3");
    EXPECT_EQ(shown(sample, R"("%d", FOO + 1)"), "error: not for this record");
    EXPECT_EQ(shown(sample, R"("%p", REC->pfn / 0)"), "error: not for this record");
}

TEST(PrintFormat, NetworkAddressesAndUuids) {
    Sample sample;
    sample.bytes("__u8 a4[4]", "\x7f\x01\x02\x03");
    sample.bytes("__u8 a6[16]", std::string("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16));
    sample.bytes("__u8 s4[16]", std::string("\x02\0\x1f\x90\x0a\0\0\x01\0\0\0\0\0\0\0\0", 16));
    sample.bytes("__u8 s6[28]", std::string("\x0a\0\0\x50\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0"
                                            "\0\x01\0\0\0\0",
                                            28));
    EXPECT_EQ(shown(sample, R"("%pI4 %pi4 %pI4l", REC->a4, REC->a4, REC->a4)"),
              "127.1.2.3 127.001.002.003 3.2.1.127");
    EXPECT_EQ(shown(sample, R"("%pI6c %pi6", REC->a6, REC->a6)"),
              "2001:db8::1 20010db8000000000000000000000001");
    EXPECT_EQ(shown(sample, R"("%pI6", REC->a6)"), "2001:0db8:0000:0000:0000:0000:0000:0001");
    EXPECT_EQ(shown(sample, R"("%pISpc %pIS", REC->s4, REC->s4)"), "10.0.0.1:8080 10.0.0.1");
    EXPECT_EQ(shown(sample, R"("%pISpc %pISc", REC->s6, REC->s6)"), "[fe80::1]:80 fe80::1");
    EXPECT_EQ(shown(sample, R"("%pU|%pUl|%pUB", REC->a6, REC->a6, REC->a6)"),
              "20010db8-0000-0000-0000-000000000001|b80d0120-0000-0000-0000-000000000001|"
              "20010DB8-0000-0000-0000-000000000001");
}

TEST(PrintFormat, Bitmasks) {
    Sample little;
    little.dynamic("unsigned long[] cpus", std::string("\x03\x02\x01\0\0\0\0\x80", 8));
    EXPECT_EQ(shown(little, R"("%s", __get_bitmask(cpus))"), "80000000,00010203");
    Sample big(8, ByteOrder::Big);
    big.dynamic("unsigned long[] cpus", std::string("\x80\0\0\0\0\x01\x02\x03", 8));
    EXPECT_EQ(shown(big, R"("%s", __get_cpumask(cpus))"), "80000000,00010203");
}

TEST(PrintFormat, WhatCannotBeEvaluatedSaysWhy) {
    Sample sample;
    sample.number("int x", 1, 4);
    for (const auto& [format, why] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"("%s", ({ char *s; s; }))", "statements are not evaluated"},
             {R"("%s", scsi_trace_parse_cdb(p, REC->x))", "function \"scsi_trace_parse_cdb\""},
             {R"("%d", REC->missing)", "no field \"missing\""},
             {R"("%d", REC->x.y.z)", "no field \"z\""},
             {R"("%d", REC->x)) trailing)", "expected the end or a comma"},
             {R"("%d", REC->)", "no field"},
             {R"("%d", (REC->x)", "expected \")\""},
             {R"("%d", REC->x ? 1)", "expected \":\""},
             {R"("%d", 12monkeys)", "expected a number"},
             {R"("%d", 'ab')", "character constant"},
             {R"("%s", __print_flags(REC->x, "|", { 1 "a" }))", "expected \",\""},
             {R"("%s", __print_symbolic(REC->x, { 1, a }))", "a row's text"},
             {R"(REC->x)", "a format string"},
             {R"("%d", #)", "an expression"}}) {
        const auto text = sample.text(format);
        ASSERT_FALSE(text) << format << " printed " << *text;
        EXPECT_THAT(text.error().what, HasSubstr(why)) << format;
    }
}

TEST(PrintFormat, DeepNestingAndHugeFormatsAreRefused) {
    const auto repeated = [](const std::string& part, std::size_t count) {
        std::string text;
        for (std::size_t index = 0; index < count; ++index)
            text += part;
        return text;
    };
    constexpr std::size_t kMany = 100000;
    for (const std::string& format :
         {"\"%d\", " + repeated("(", kMany), "\"%d\", " + repeated("-", kMany) + "1",
          "\"%d\", " + repeated("(u8)", kMany) + "1", "\"%d\", 1" + repeated("+1", kMany),
          "\"%d\", " + repeated("1?", kMany), "\"%d\", REC->x" + repeated("[0]", kMany),
          "\"%d\", " + repeated("1,", kMany) + "1", "\"" + repeated("%d", kMany) + "\"",
          "\"%d\", " + repeated("*&", kMany) + "REC->x",
          "\"%s\", __print_flags(1, \"\"" + repeated(", {1,\"a\"}", kMany) + ")",
          "\"%d\", " + repeated("__builtin_expect(", kMany)}) {
        const auto text = Sample().number("int x", 1, 4).text(format);
        EXPECT_FALSE(text) << format.substr(0, 40);
    }
    EXPECT_EQ(shown("\"" + repeated("x", kMany) + "\"").size(), kMany);
}

TEST(PrintFormat, HugeWidthsAreCut) {
    Sample sample;
    sample.number("int w", 0x7fffffff, 4).number("int m", 0x80000000, 4);
    for (const char* format :
         {R"("%2147483647d", 1)", R"("%99999999999999999999d", 1)", R"("%.99999999999d", 1)",
          R"("%*d", REC->w, 1)", R"("%*d", REC->m, 1)", R"("%.*d", REC->w, 1)",
          R"("%*s", REC->w, "x")"})
        EXPECT_EQ(shown(sample, format).size(), static_cast<std::size_t>(kWidestField)) << format;
    EXPECT_EQ(shown(sample, R"("%.*s", REC->w, "x")"), "x");
    EXPECT_EQ(shown(sample, R"("%.*s", REC->m, "xyz")"), "xyz");
    EXPECT_EQ(shown(sample, R"("%*ph", REC->w, REC->common_pid)"), "error: not for this record");
}

TEST(FieldListing, ShowsEveryKindOfField) {
    Sample sample;
    sample.number("int i", static_cast<std::uint32_t>(-1), 4).number("u32 u", 7, 4, false);
    sample.number("void * p", 0xff, 8, false).bytes("char comm[4]", std::string("ab\0\x01", 4));
    sample.bytes("u8 raw[2]", "\x01\xff").bytes("char odd[2]", "\x01\x02");
    sample.dynamic("char[] s", std::string("text\0", 5)).bytes("u8 three[3]", "abc");
    EXPECT_EQ(sample.listing(),
              "i=-1 u=7 p=0xff comm=ab raw=[01 ff] odd=[01 02] s=text three=[61 62 63]");
}

} // namespace

} // namespace inversight::test
