// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/text_table.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace inversight {

namespace {

/// The bytes of the UTF-8 sequence that starts `text`, 0 if it is none (Unicode 15, table 3-7).
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
    };
    const auto continues = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            if ((byte(i) & 0xc0) != 0x80)
                return false;
        return true;
    };
    const std::uint8_t first = byte(0);
    const std::uint8_t second = byte(1);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return continues(1, 2) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool valid = (first != 0xe0 || second >= 0xa0) && (first != 0xed || second < 0xa0);
        return valid && continues(1, 3) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool valid = (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
        return valid && continues(1, 4) ? 4 : 0;
    }
    return 0;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const auto first = static_cast<unsigned char>(text.front());
        // C0, DEL, and C1 (which is C2 80 to C2 9F).
        const bool control =
            first < 0x20 || first == 0x7f ||
            (length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
        if (length == 0 || control)
            out += '?';
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

void TextTable::addRow(std::vector<std::string> cells) {
    assert(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::toText() const {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        widths.push_back(width(columns_[c].title));
        for (const auto& row : rows_)
            widths[c] = std::max(widths[c], width(row[c]));
    }
    std::string out;
    const auto addLine = [&](const auto& cellOf) {
        std::string line;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const std::string& cell = cellOf(c);
            const std::string padding(widths[c] - width(cell), ' ');
            line += "  ";
            line += columns_[c].align == Align::Left ? cell + padding : padding + cell;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    };
    const auto titled = [](const Column& column) { return !column.title.empty(); };
    if (std::ranges::any_of(columns_, titled))
        addLine([&](std::size_t c) -> const std::string& { return columns_[c].title; });
    for (const auto& row : rows_)
        addLine([&](std::size_t c) -> const std::string& { return row[c]; });
    return out;
}

} // namespace inversight
