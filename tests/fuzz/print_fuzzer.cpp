// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Print formats and records of any bytes: parse, evaluate, list the fields. Input: the event's
// format text up to the first NUL, then the record's bytes. Flags in the first byte: bit 0 a
// big-endian machine, bit 1 one with 32-bit longs, bit 2 an event of ftrace itself.
#include "trace/decode/event_printer.h"
#include "trace/decode/field_listing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace inversight;

constexpr std::string_view kFields =
    "name: fuzzed\nID: 7\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n"
    "\tfield:unsigned long p;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:u8 a[16];\toffset:24;\tsize:16;\tsigned:0;\n"
    "\tfield:__data_loc char[] s;\toffset:40;\tsize:4;\tsigned:0;\n"
    "\tfield:__rel_loc u32[] r;\toffset:44;\tsize:4;\tsigned:0;\n"
    "\tfield:char tail[];\toffset:48;\tsize:0;\tsigned:1;\n"
    "\nprint fmt: ";

constexpr std::string_view kSymbols = "ffffffff81000000 T f\n10 t g\n20 t h\n";
constexpr std::string_view kStrings = "0x10 : \"%s %*d %p %c\\n\"\n";

/// Conversions stop at kLongestEventText; the last one, and a listing, may go beyond it by what one
/// record can hold.
void expectBounded(const std::string& out, std::size_t inputSize) {
    if (out.size() > kLongestEventText + 64 * inputSize + 4096)
        std::abort();
}

/// The text of one record by `format`, as its event type alone.
void printOne(const std::string& text, const std::string& record, ByteOrder order, int longSize) {
    const Result<EventFormat> format = parseEventFormat(text);
    if (!format)
        return;
    const FileNames names(kSymbols, kStrings);
    const PrintContext context{std::as_bytes(std::span(record)), order,
                               static_cast<std::uint8_t>(longSize), &names};
    std::string out;
    const Result<PrintFormat> print = PrintFormat::parse(*format, longSize);
    if (print && !print->append(context, out) && !out.empty())
        std::abort();
    appendFields(*format, context, out);
    expectBounded(out, text.size() + record.size());
}

/// The same through a file's catalog, with the ways of its own that some events have.
void printOfFile(const std::string& text, std::string_view system, std::string record,
                 ByteOrder order, int longSize) {
    if (record.size() >= 2) { // else nearly every record would be of an unknown event
        record[0] = order == ByteOrder::Little ? 7 : 0;
        record[1] = order == ByteOrder::Little ? 0 : 7;
    }
    const std::vector<FormatText> formats{{system, text}};
    std::vector<std::string> warnings;
    const EventCatalog catalog = EventCatalog::build(formats, warnings);
    const EventPrinter printer(catalog, order, longSize, kSymbols, kStrings);
    std::string out;
    printer.append(std::as_bytes(std::span(record)), out);
    expectBounded(out, text.size() + record.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::uint8_t flags = data[0];
    const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::size_t end = std::min(input.find('\0'), input.size());
    const std::string text(input.substr(0, end));
    const std::string record(input.substr(std::min(end + 1, input.size())));
    const ByteOrder order = (flags & 1) != 0 ? ByteOrder::Big : ByteOrder::Little;
    const int longSize = (flags & 2) != 0 ? 4 : 8;
    // As the print format of a sound event; as a whole format, with fields of any kind.
    printOne(std::string(kFields) + text + "\n", record, order, longSize);
    if (text.starts_with("name:"))
        printOfFile(text, (flags & 4) != 0 ? "ftrace" : "fuzz", record, order, longSize);
    return 0;
}
