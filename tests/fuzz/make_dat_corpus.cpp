// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Writes the seeds a fuzzer of trace.dat files begins with: small files, each with something of the
// formats that the others have not. make_dat_corpus FOLDER
#include "tests/support/trace_script.h"
#include "tests/trace/file/dat7_bytes.h"
#include "trace/file/kernel_event_writer.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace inversight::test {

namespace {

constexpr std::uint32_t kPage = 256; // small pages make small files

std::string headerPage(std::uint32_t longSize) {
    return fmt::format("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                       "\tfield: local_t commit;\toffset:8;\tsize:{0};\tsigned:1;\n"
                       "\tfield: char data;\toffset:{1};\tsize:{2};\tsigned:0;\n",
                       longSize, 8 + longSize, kPage - 8 - longSize);
}

PageLayout layout(ByteOrder order, std::uint32_t longSize) {
    return {order, kPage, 8, longSize, 8 + longSize};
}

std::string format(const std::string& name, int id, const std::string& fields,
                   const std::string& print = "\"\"") {
    return fmt::format("name: {}\nID: {}\nformat:\n"
                       "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                       "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                       "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;"
                       "\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n{}\n"
                       "print fmt: {}\n",
                       name, id, fields, print);
}

std::string field(const std::string& declaration, int offset, int size, int isSigned = 0) {
    return fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", declaration, offset, size,
                       isSigned);
}

std::string switchFormat() {
    return format(
        "sched_switch", 300,
        field("char prev_comm[16]", 8, 16) + field("pid_t prev_pid", 24, 4, 1) +
            field("int prev_prio", 28, 4, 1) + field("long prev_state", 32, 8, 1) +
            field("char next_comm[16]", 40, 16) + field("pid_t next_pid", 56, 4, 1) +
            field("int next_prio", 60, 4, 1),
        "\"%s\", __print_flags(REC->prev_state & 0xff, \"|\", { 0x1, \"S\" }, { 0x2, \"D\" })");
}

std::string forkFormat() {
    return format(
        "sched_process_fork", 301,
        field("__data_loc char[] parent_comm", 8, 4) + field("pid_t parent_pid", 12, 4, 1) +
            field("__rel_loc char[] child_comm", 16, 4) + field("pid_t child_pid", 20, 4, 1));
}

std::string printFormat() {
    return format("print", 5, field("unsigned long ip", 8, 8) + field("char buf[]", 16, 0));
}

ByteBuilder common(ByteOrder order, std::uint16_t type) {
    ByteBuilder record(order);
    record.u16(type).u8(1).u8(2).u32(7);
    return record;
}

std::string switchRecord(ByteOrder order) {
    ByteBuilder record = common(order, 300);
    record.text("low").padTo(24).u32(7).u32(120).u64(1).text("high").padTo(56).u32(9).u32(0);
    return record.bytes();
}

std::string forkRecord(ByteOrder order) {
    ByteBuilder record = common(order, 301);
    record.u32(3 << 16 | 24).u32(7).u32(3 << 16 | 8).u32(8).text(std::string("a\0\0\0b\0\0\0", 8));
    return record.bytes();
}

std::string printRecord(ByteOrder order, const std::string& text) {
    ByteBuilder record = common(order, 5);
    record.u64(0).text(text);
    return record.padTo((record.bytes().size() + 4) / 4 * 4).bytes();
}

/// Every kind of record: data short and long, a time extension, an absolute time, a discarded one.
std::string page(ByteOrder order, std::uint32_t longSize) {
    const std::string print = printRecord(order, "B|1|wait m");
    const auto words = [](const std::string& record) {
        return static_cast<std::uint32_t>(record.size() / 4);
    };
    PageBytes page(1000, layout(order, longSize));
    page.head(words(switchRecord(order)), 5).data(switchRecord(order));
    page.head(30, 1).word(2);
    page.head(0, 3).word(static_cast<std::uint32_t>(print.size() + 4)).data(print);
    page.head(29, 4).word(8).word(0);
    page.head(31, 77).word(3);
    page.head(words(forkRecord(order)), 1).data(forkRecord(order));
    return page.build();
}

std::string lossyPage(ByteOrder order, std::uint32_t longSize) {
    PageBytes page(5'000'000, layout(order, longSize));
    page.head(16, 1).data(switchRecord(order)).commitFlags(0xc0000000U).behind(1234);
    return page.build();
}

std::string version6(ByteOrder order, std::uint8_t longSize) {
    DatBytes dat;
    dat.order = order;
    dat.longSize = longSize;
    dat.pageSize = kPage;
    dat.headerPage = headerPage(longSize);
    dat.ftraceFormats = {printFormat()};
    dat.systems = {{"sched", {switchFormat(), forkFormat()}}};
    dat.options = {{4, "[mono]"}, {1, "0x10"}, {7, "-5"}, {9999, "unknown"}};
    dat.clock = dat.clockText("[mono]");
    dat.cpus = {{0, 1}, {0, 1}};
    const std::size_t begin = (dat.build().size() + kPage - 1) / kPage * kPage;
    dat.cpus = {{begin, 2 * kPage}, {begin + 2 * kPage, kPage}};
    const std::string pages =
        page(order, longSize) + lossyPage(order, longSize) + page(order, longSize);
    return ByteBuilder().text(dat.build()).padTo(begin).text(pages).bytes();
}

std::string timeShift() {
    ByteBuilder option;
    option.u64(77).u32(1).u32(1).u32(2).u64(1000).u64(2000).u64(100).u64(200).u64(1).u64(1);
    return option.u64(0).u64(0).bytes();
}

std::string version7(const Dat7Bytes::Head& head) {
    Dat7Bytes dat(head);
    const std::string text = headerPage(head.longSize);
    dat.sectionWithOption(16, dat.builder()
                                  .text(std::string_view("header_page\0", 12))
                                  .u64(text.size())
                                  .text(text)
                                  .text(std::string_view("header_event\0", 13))
                                  .u64(0)
                                  .bytes());
    const auto sized = [](ByteBuilder& bytes, const std::string& format) {
        bytes.u64(format.size()).text(format);
    };
    ByteBuilder ftrace = dat.builder();
    sized(ftrace.u32(1), printFormat());
    dat.sectionWithOption(17, ftrace.bytes());
    ByteBuilder events = dat.builder();
    events.u32(1).text("sched").u8(0).u32(2);
    sized(events, switchFormat());
    sized(events, forkFormat());
    dat.sectionWithOption(18, events.bytes());
    dat.sectionWithOption(21, dat.builder().u64(9).text("7 worker\n").bytes());
    dat.option(4, "[mono]").option(8, dat.builder().u32(2).bytes());
    if (head.order == ByteOrder::Little)
        dat.option(12, timeShift());
    dat.options();
    const std::string pages = page(head.order, head.longSize);
    dat.buffer("", "mono", {{0, pages + lossyPage(head.order, head.longSize)}, {1, pages}}, kPage,
               head.compression == "zlib" ? 384 : 512); // a chunk that ends inside a page
    dat.options();
    return dat.build();
}

std::string latencyText() {
    Dat7Bytes dat({.compression = "zstd"});
    dat.standardHead();
    const std::uint64_t offset = dat.plainSection(22, dat.chunks("# tracer: wakeup\n", 8), 1);
    dat.option(22, dat.builder().u64(offset).u8(0).text("mono").u8(0).bytes());
    dat.options();
    return dat.build();
}

/// What our own writer writes: the kernel's page size and formats.
void writeScript(const std::string& path) {
    TraceScript script;
    script.task(10, "low", 120).task(30, "high", 0);
    script.at(1000).switchTo(10).at(2000).waking(30).at(2010).switchTo(30);
    script.at(2100).marker(WaitBegin{"m"}).setprio(10, 0).futexEnter(0x1000, 6);
    script.at(2200).switchTo(10, kTaskInterruptible).at(2300).setprio(10, 120).exit();
    auto writer = KernelEventWriter::create(path, {.cpuCount = 1});
    script.emitTo(**writer);
    if (!(*writer)->finish())
        std::fprintf(stderr, "cannot write %s\n", path.c_str());
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

void writeAll(const std::filesystem::path& folder) {
    write(folder / "v6-little-64.dat", version6(ByteOrder::Little, 8));
    write(folder / "v6-big-32.dat", version6(ByteOrder::Big, 4));
    write(folder / "v7-none.dat", version7({.compression = "none", .pageSize = kPage}));
    write(folder / "v7-zlib.dat", version7({.compression = "zlib", .pageSize = kPage}));
    write(folder / "v7-zstd.dat", version7({.compression = "zstd", .pageSize = kPage}));
    write(folder / "v7-big-32.dat",
          version7(
              {.order = ByteOrder::Big, .compression = "zlib", .longSize = 4, .pageSize = kPage}));
    write(folder / "v7-latency.dat", latencyText());
    writeScript((folder / "v6-script.dat").string());
}

} // namespace

} // namespace inversight::test

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_dat_corpus FOLDER\n");
        return 2;
    }
    inversight::test::writeAll(argv[1]);
    return 0;
}
