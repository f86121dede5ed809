// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "byte_builder.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inversight::test {

/// A version 7 trace.dat by hand: sections in the order they are asked for. Options are collected
/// until options() writes them as a section, to which the options section before it leads.
///
///     Dat7Bytes dat;
///     dat.standardHead();
///     dat.buffer("", "mono", {{0, page}});
///     dat.options();
///     const std::string bytes = dat.build();
class Dat7Bytes {
public:
    struct Head {
        ByteOrder order = ByteOrder::Little;
        std::string compression = "none"; ///< also "zlib", "zstd"; other names pack nothing
        std::uint8_t longSize = 8;
        std::uint32_t pageSize = 4096;
    };
    struct Cpu {
        std::uint32_t cpu = 0;
        std::string pages;
    };

    Dat7Bytes() : Dat7Bytes(Head{}) {}
    explicit Dat7Bytes(const Head& head);

    [[nodiscard]] ByteBuilder builder() const { return ByteBuilder(head_.order); }
    [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

    /// Appends a section and yields its offset; compressed where the file is.
    std::uint64_t section(std::uint16_t id, const std::string& content);
    std::uint64_t plainSection(std::uint16_t id, const std::string& content,
                               std::uint16_t flags = 0);
    Dat7Bytes& option(std::uint16_t id, const std::string& content);
    /// An option that says where a section is.
    Dat7Bytes& pointer(std::uint16_t id, std::uint64_t offset);
    /// A section and the option that leads to it.
    Dat7Bytes& sectionWithOption(std::uint16_t id, const std::string& content);
    /// The collected options; yields the section's offset.
    std::uint64_t options();

    /// HEADER_INFO, formats of ftrace (`ftraceFormats`) and of `systems`.
    Dat7Bytes&
    standardHead(const std::vector<std::string>& ftraceFormats = {},
                 const std::vector<std::pair<std::string, std::vector<std::string>>>& systems = {});
    [[nodiscard]] std::string headerInfo() const;

    /// A BUFFER section, in chunks of `chunkSize` bytes where the file is compressed, and its
    /// option. `pageSize` 0: the file's.
    Dat7Bytes& buffer(const std::string& name, const std::string& clock,
                      const std::vector<Cpu>& cpus, std::uint32_t pageSize = 0,
                      std::size_t chunkSize = 40960);
    [[nodiscard]] std::string chunks(const std::string& bytes, std::size_t chunkSize) const;
    [[nodiscard]] std::string pack(const std::string& bytes) const;

    void setFirstOptions(std::uint64_t offset);
    /// Writes over a number that is already there.
    void patch64(std::uint64_t at, std::uint64_t value);
    /// Where the last options section says where the next one is.
    [[nodiscard]] std::uint64_t doneAt() const { return doneAt_; }
    [[nodiscard]] std::string build() const { return bytes_; }

private:
    Head head_;
    std::string bytes_;
    std::string options_;
    std::uint64_t firstOptionsAt_ = 0;
    std::uint64_t doneAt_ = 0;
};

} // namespace inversight::test
