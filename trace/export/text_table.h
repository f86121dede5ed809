// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// `text` fit for a terminal: control characters, which a task may well have in its name, become
/// '?', and bytes that are not UTF-8 too.
[[nodiscard]] std::string printable(std::string_view text);

enum class Align { Left, Right };

/// Columns of text, each as wide as its widest cell. Thread-bound.
class TextTable {
public:
    struct Column {
        std::string title;
        Align align = Align::Left;
    };
    explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// As many cells as there are columns.
    void addRow(std::vector<std::string> cells);
    /// Each line indented by two spaces and without trailing ones; the titles first, unless all are
    /// empty.
    [[nodiscard]] std::string toText() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace inversight
