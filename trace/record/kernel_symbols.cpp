// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/kernel_symbols.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace inversight {

namespace {

constexpr std::string_view kMarkerFunction = " tracing_mark_write\n";

std::string_view lineAround(std::string_view text, std::size_t position) {
    const std::size_t before =
        position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(begin, text.find('\n', position) - begin);
}

/// 0 if the line does not start with an address.
std::uint64_t lineAddress(std::string_view line) {
    std::uint64_t address = 0;
    std::from_chars(line.data(), line.data() + line.size(), address, 16);
    return address;
}

/// The first line of the lowest address above `address`; empty if there is none.
std::string_view nextSymbol(std::string_view kallsyms, std::uint64_t address) {
    std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
    std::string_view found;
    while (!kallsyms.empty()) {
        const std::size_t end = std::min(kallsyms.find('\n'), kallsyms.size());
        const std::string_view line = kallsyms.substr(0, end);
        if (const std::uint64_t candidate = lineAddress(line);
            candidate > address && candidate < lowest) {
            lowest = candidate;
            found = line;
        }
        kallsyms.remove_prefix(std::min(end + 1, kallsyms.size()));
    }
    return found;
}

} // namespace

std::string markerSymbols(std::string_view kallsyms) {
    const std::size_t position = kallsyms.find(kMarkerFunction);
    if (position == std::string_view::npos)
        return {};
    const std::string_view marker = lineAround(kallsyms, position);
    const std::uint64_t address = lineAddress(marker);
    if (address == 0)
        return {};
    std::string lines = std::string(marker) + "\n";
    if (const std::string_view next = nextSymbol(kallsyms, address); !next.empty())
        lines += std::string(next) + "\n";
    return lines;
}

} // namespace inversight
