// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/file_names.h"

#include "trace/decode/print_lexer.h"
#include "trace/file/field_line.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace inversight {

namespace {

/// Calls `use` with each line.
template <class Use>
void forEachLine(std::string_view text, const Use& use) {
    text = text.substr(0, std::min(text.find('\0'), text.size()));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Takes a hexadecimal address from the begin of `line`, with or without "0x".
std::optional<std::uint64_t> takeAddress(std::string_view& line) {
    if (line.starts_with("0x"))
        line.remove_prefix(2);
    std::uint64_t address = 0;
    const auto [end, failure] =
        std::from_chars(line.data(), line.data() + line.size(), address, 16);
    if (failure != std::errc())
        return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return address;
}

} // namespace

/// "ffffffff81000000 T _stext", "ffffffffc0263028 d lock\t[i2c_core]".
void FileNames::parseSymbols() const {
    if (kallsyms_.size() > std::numeric_limits<std::uint32_t>::max())
        return;
    forEachLine(kallsyms_, [&](std::string_view line) {
        const auto address = takeAddress(line);
        constexpr std::size_t kNameAt = 3; // " T "
        if (!address || line.size() <= kNameAt)
            return;
        const std::string_view name = line.substr(kNameAt, line.find('\t') - kNameAt);
        // Absolute symbols are per-CPU offsets and the like; $a, $d mark code and data of ARM.
        if (line[1] == 'A' || line[1] == 'a' || name.empty() || name.front() == '$')
            return;
        symbols_.push_back({*address, static_cast<std::uint32_t>(name.data() - kallsyms_.data()),
                            static_cast<std::uint32_t>(name.size())});
    });
    std::ranges::stable_sort(symbols_, {}, &Symbol::address);
    symbols_.shrink_to_fit();
}

/// 0xffffffff81a8cda8 : "Rescheduling interrupts"
void FileNames::parseTexts() const {
    forEachLine(printkFormats_, [&](std::string_view line) {
        const auto address = takeAddress(line);
        const std::size_t colon = line.find(':');
        if (!address || colon == std::string_view::npos)
            return;
        std::string_view quoted = trimBlanks(line.substr(colon + 1));
        if (quoted.starts_with('"'))
            quoted.remove_prefix(1);
        if (quoted.ends_with('"'))
            quoted.remove_suffix(1);
        if (quoted.ends_with("\\n"))
            quoted.remove_suffix(2);
        Text entry{*address, {}};
        appendUnescaped(quoted, entry.text);
        texts_.push_back(std::move(entry));
    });
    std::ranges::stable_sort(texts_, {}, &Text::address);
}

std::optional<KernelSymbol> FileNames::symbol(std::uint64_t address) const {
    std::call_once(symbolsParsed_, [&] { parseSymbols(); });
    const auto above = std::ranges::upper_bound(symbols_, address, {}, &Symbol::address);
    if (above == symbols_.begin())
        return std::nullopt;
    const std::uint64_t start = std::prev(above)->address;
    // What lies behind the last symbol belongs to nobody we know.
    if (above == symbols_.end() && start != address)
        return std::nullopt;
    const auto first = std::ranges::lower_bound(symbols_, start, {}, &Symbol::address);
    return KernelSymbol{kallsyms_.substr(first->nameBegin, first->nameSize), address - start};
}

std::optional<std::string_view> FileNames::text(std::uint64_t address) const {
    std::call_once(textsParsed_, [&] { parseTexts(); });
    const auto found = std::ranges::lower_bound(texts_, address, {}, &Text::address);
    if (found == texts_.end() || found->address != address)
        return std::nullopt;
    return found->text;
}

} // namespace inversight
