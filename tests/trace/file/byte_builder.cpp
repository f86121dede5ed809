// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "byte_builder.h"

#include <fmt/format.h>

namespace inversight::test {

std::string PageBytes::build() const {
    const std::string& records = records_.bytes();
    const std::uint64_t size = size_ >= 0 ? static_cast<std::uint64_t>(size_) : records.size();
    ByteBuilder page(layout_.order);
    page.u64(time_).padTo(layout_.commitOffset);
    if (layout_.commitSize == 8)
        page.u64(size | flags_);
    else
        page.u32(static_cast<std::uint32_t>(size | flags_));
    page.padTo(layout_.dataOffset).text(records);
    if (behind_ != 0 && layout_.commitSize == 8)
        page.u64(behind_);
    else if (behind_ != 0)
        page.u32(static_cast<std::uint32_t>(behind_));
    return page.padTo(layout_.pageSize).bytes();
}

std::string DatBytes::headerPageText(int longSize) {
    return fmt::format("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                       "\tfield: local_t commit;\toffset:8;\tsize:{0};\tsigned:1;\n"
                       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                       "\tfield: char data;\toffset:{1};\tsize:{2};\tsigned:0;\n",
                       longSize, 8 + longSize, 4096 - 8 - longSize);
}

std::string DatBytes::clockText(const std::string& text) const {
    return ByteBuilder(order).u64(text.size()).text(text).bytes();
}

std::string DatBytes::build() const {
    ByteBuilder file(order);
    file.text("\x17\x08\x44tracing").text(version).u8(0);
    file.u8(order == ByteOrder::Big ? 1 : 0).u8(longSize).u32(pageSize);
    file.text(std::string_view("header_page\0", 12)).u64(headerPage.size()).text(headerPage);
    file.text(std::string_view("header_event\0", 13)).u64(5).text("event");
    file.u32(static_cast<std::uint32_t>(ftraceFormats.size()));
    for (const std::string& format : ftraceFormats)
        file.u64(format.size()).text(format);
    file.u32(static_cast<std::uint32_t>(systems.size()));
    for (const auto& [system, formats] : systems) {
        file.text(system).u8(0).u32(static_cast<std::uint32_t>(formats.size()));
        for (const std::string& format : formats)
            file.u64(format.size()).text(format);
    }
    file.u32(3).text("sym").u32(4).text("prin");
    file.u64(savedCmdlines.size()).text(savedCmdlines);
    file.u32(static_cast<std::uint32_t>(cpus.size()));
    if (!options.empty()) {
        file.text(std::string_view("options  \0", 10));
        for (const Option& option : options)
            file.u16(option.id)
                .u32(static_cast<std::uint32_t>(option.content.size()))
                .text(option.content);
        file.u16(0);
    }
    file.text(tail);
    for (const Cpu& cpu : cpus)
        file.u64(cpu.offset).u64(cpu.size);
    return file.text(clock).bytes();
}

} // namespace inversight::test
