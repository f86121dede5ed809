// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_output.h"

#include "trace/file/byte_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <ostream>

namespace inversight {

namespace {

constexpr std::string_view kWriting = "writing the trace";

Error outputFailed() {
    return {ErrorCode::Io, "the output could not be written", "output",
            "check that there is space left"};
}

} // namespace

DatOutput::DatOutput(std::ostream& out, const JobContext& job)
    : out_(out), job_(job), begin_(out.tellp()) {}

void DatOutput::put(std::string_view bytes) {
    out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    position_ += bytes.size();
}

void DatOutput::put(std::span<const std::byte> bytes) {
    put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void DatOutput::align(std::uint64_t alignment) {
    fillTo((position_ + alignment - 1) / alignment * alignment);
}

void DatOutput::fillTo(std::uint64_t position) {
    static constexpr std::array<char, 4096> kZeros{};
    assert(position >= position_);
    while (position_ < position)
        put(std::string_view(kZeros.data(),
                             std::min<std::uint64_t>(kZeros.size(), position - position_)));
}

void DatOutput::patch(std::uint64_t position, std::uint64_t value, ByteOrder order) {
    assert(canPatch() && position + sizeof value <= position_);
    std::array<std::byte, sizeof value> bytes{};
    storeInteger(bytes.data(), value, order);
    out_.seekp(begin_ + static_cast<std::int64_t>(position));
    out_.write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    out_.seekp(begin_ + static_cast<std::int64_t>(position_));
}

Result<void> DatOutput::check() const {
    if (!out_)
        return std::unexpected(outputFailed());
    job_.report({kWriting, position_, 0});
    return job_.check(kWriting);
}

Result<void> DatOutput::checkSupplied(const BufferToWrite::Cpu& cpu, std::uint64_t size) {
    if (size == cpu.size)
        return {};
    return std::unexpected(Error{
        ErrorCode::Truncated, fmt::format("expected {} bytes of pages, found {}", cpu.size, size),
        fmt::format("CPU {}", cpu.cpu)});
}

Result<void> DatOutput::finish() {
    out_.flush();
    return check();
}

} // namespace inversight
