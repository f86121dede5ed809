// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Print formats and records of any bytes: parse, evaluate, list the fields. Input: the event's
// format text up to the first NUL, then the record's bytes. Flags in the first byte: bit 0 a
// big-endian machine, bit 1 one with 32-bit longs.
#include "trace/decode/event_printer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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

/// The text of one record of type 7 by `format`.
void print(const std::string& format, std::string_view system, std::string record, ByteOrder order,
           int longSize) {
    if (record.size() >= 2) { // else nearly every record would be of an unknown event
        record[0] = order == ByteOrder::Little ? 7 : 0;
        record[1] = order == ByteOrder::Little ? 0 : 7;
    }
    const std::vector<FormatText> formats{{system, format}};
    std::vector<std::string> warnings;
    const EventCatalog catalog = EventCatalog::build(formats, warnings);
    const EventPrinter printer(catalog, order, longSize, "ffffffff81000000 T f\n10 t g\n20 t h\n",
                               "0x10 : \"%s %*d %p %c\\n\"\n");
    std::string out;
    printer.append(std::as_bytes(std::span(record)), out);
    // Conversions stop at kLongestEventText; the last one, and a listing, may go beyond it by what
    // one record can hold.
    if (out.size() > kLongestEventText + 64 * (record.size() + format.size()) + 4096)
        std::abort();
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
    // As the print format of a sound event, and as a whole format with fields of any kind.
    print(std::string(kFields) + text + "\n", "fuzz", record, order, longSize);
    print(text, (flags & 4) != 0 ? "ftrace" : "fuzz", record, order, longSize);
    return 0;
}
