// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "dat7_bytes.h"

#include <algorithm>
#include <stdexcept>
#include <zlib.h>
#include <zstd.h>

namespace inversight::test {

namespace {

constexpr std::uint16_t kDone = 0;
constexpr std::uint16_t kBuffer = 3;

std::string zlibPacked(const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string packed(size, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK)
        throw std::runtime_error("zlib");
    return packed.substr(0, size);
}

std::string zstdPacked(const std::string& bytes) {
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size =
        ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3);
    if (ZSTD_isError(size) != 0)
        throw std::runtime_error("zstd");
    return packed.substr(0, size);
}

} // namespace

Dat7Bytes::Dat7Bytes(const Head& head) : head_(head) {
    ByteBuilder file = builder();
    file.text("\x17\x08\x44tracing").text("7").u8(0);
    file.u8(head.order == ByteOrder::Big ? 1 : 0).u8(head.longSize).u32(head.pageSize);
    file.text(head.compression).u8(0).text("1.0").u8(0);
    firstOptionsAt_ = file.bytes().size();
    bytes_ = file.u64(0).bytes();
}

std::string Dat7Bytes::pack(const std::string& bytes) const {
    if (head_.compression == "zlib")
        return zlibPacked(bytes);
    return head_.compression == "zstd" ? zstdPacked(bytes) : bytes;
}

std::uint64_t Dat7Bytes::plainSection(std::uint16_t id, const std::string& content,
                                      std::uint16_t flags) {
    const std::uint64_t offset = bytes_.size();
    bytes_ += builder().u16(id).u16(flags).u32(0).u64(content.size()).text(content).bytes();
    return offset;
}

std::uint64_t Dat7Bytes::section(std::uint16_t id, const std::string& content) {
    if (head_.compression == "none")
        return plainSection(id, content);
    const std::string packed = pack(content);
    return plainSection(id,
                        builder()
                            .u32(static_cast<std::uint32_t>(packed.size()))
                            .u32(static_cast<std::uint32_t>(content.size()))
                            .text(packed)
                            .bytes(),
                        1);
}

Dat7Bytes& Dat7Bytes::option(std::uint16_t id, const std::string& content) {
    options_ +=
        builder().u16(id).u32(static_cast<std::uint32_t>(content.size())).text(content).bytes();
    return *this;
}

Dat7Bytes& Dat7Bytes::pointer(std::uint16_t id, std::uint64_t offset) {
    return option(id, builder().u64(offset).bytes());
}

Dat7Bytes& Dat7Bytes::sectionWithOption(std::uint16_t id, const std::string& content) {
    return pointer(id, section(id, content));
}

std::uint64_t Dat7Bytes::options() {
    option(kDone, builder().u64(0).bytes());
    const std::uint64_t offset = plainSection(kDone, options_);
    options_.clear();
    if (doneAt_ == 0)
        setFirstOptions(offset);
    else
        patch64(doneAt_, offset);
    doneAt_ = bytes_.size() - 8;
    return offset;
}

std::string Dat7Bytes::headerInfo() const {
    const std::string page = DatBytes::headerPageText(head_.longSize);
    return builder()
        .text(std::string_view("header_page\0", 12))
        .u64(page.size())
        .text(page)
        .text(std::string_view("header_event\0", 13))
        .u64(5)
        .text("event")
        .bytes();
}

Dat7Bytes& Dat7Bytes::standardHead(
    const std::vector<std::string>& ftraceFormats,
    const std::vector<std::pair<std::string, std::vector<std::string>>>& systems) {
    sectionWithOption(16, headerInfo());
    ByteBuilder ftrace = builder();
    ftrace.u32(static_cast<std::uint32_t>(ftraceFormats.size()));
    for (const std::string& format : ftraceFormats)
        ftrace.u64(format.size()).text(format);
    sectionWithOption(17, ftrace.bytes());
    ByteBuilder events = builder();
    events.u32(static_cast<std::uint32_t>(systems.size()));
    for (const auto& [system, formats] : systems) {
        events.text(system).u8(0).u32(static_cast<std::uint32_t>(formats.size()));
        for (const std::string& format : formats)
            events.u64(format.size()).text(format);
    }
    return sectionWithOption(18, events.bytes());
}

std::string Dat7Bytes::chunks(const std::string& bytes, std::size_t chunkSize) const {
    ByteBuilder packed = builder();
    std::uint32_t count = 0;
    for (std::size_t begin = 0; begin < bytes.size(); begin += chunkSize, ++count) {
        const std::string chunk = bytes.substr(begin, chunkSize);
        const std::string inside = pack(chunk);
        packed.u32(static_cast<std::uint32_t>(inside.size()))
            .u32(static_cast<std::uint32_t>(chunk.size()))
            .text(inside);
    }
    return builder().u32(count).text(packed.bytes()).bytes();
}

Dat7Bytes& Dat7Bytes::buffer(const std::string& name, const std::string& clock,
                             const std::vector<Cpu>& cpus, std::uint32_t pageSize,
                             std::size_t chunkSize) {
    const bool packed = head_.compression != "none";
    const std::uint64_t offset = plainSection(kBuffer, "", packed ? 1 : 0);
    ByteBuilder option = builder();
    option.u64(offset).text(name).u8(0).text(clock).u8(0);
    option.u32(pageSize != 0 ? pageSize : head_.pageSize);
    option.u32(static_cast<std::uint32_t>(cpus.size()));
    for (const Cpu& cpu : cpus) {
        bytes_.resize((bytes_.size() + head_.pageSize - 1) / head_.pageSize * head_.pageSize, '\0');
        const std::string data = packed ? chunks(cpu.pages, chunkSize) : cpu.pages;
        option.u32(cpu.cpu).u64(bytes_.size()).u64(packed ? data.size() - 4 : data.size());
        bytes_ += data;
    }
    patch64(offset + 8, bytes_.size() - offset - 16);
    return this->option(kBuffer, option.bytes());
}

void Dat7Bytes::setFirstOptions(std::uint64_t offset) {
    patch64(firstOptionsAt_, offset);
}

void Dat7Bytes::patch64(std::uint64_t at, std::uint64_t value) {
    bytes_.replace(at, 8, builder().u64(value).bytes());
}

} // namespace inversight::test
