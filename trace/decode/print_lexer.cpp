// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace inversight {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

constexpr std::array<std::string_view, 9> kTwoCharacters = {
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->"};
constexpr std::string_view kOneCharacter = "()[]{},;:?.!~+-*/%&|^<>=";

int hexDigit(char c) {
    if (isDigit(c))
        return c - '0';
    const int lower = std::tolower(static_cast<unsigned char>(c));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The value of \NNN or \xNN at the begin of `text`, which is shortened by it.
char takeNumericEscape(std::string_view& text) {
    const bool hex = text.front() == 'x';
    if (hex)
        text.remove_prefix(1);
    const int base = hex ? 16 : 8;
    unsigned value = 0;
    for (int count = hex ? 2 : 3; count > 0 && !text.empty(); --count) {
        const int digit = hexDigit(text.front());
        if (digit < 0 || digit >= base)
            break;
        value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
        text.remove_prefix(1);
    }
    return static_cast<char>(value);
}

char namedEscape(char c) {
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'v':
        return '\v';
    case 'e':
        return '\x1b';
    default:
        return c; // \\ \" \' and what C does not know
    }
}

} // namespace

PrintToken PrintLexer::run(PrintToken::Kind kind, std::size_t length) {
    const PrintToken token{kind, rest_.substr(0, length)};
    rest_.remove_prefix(length);
    return token;
}

PrintToken PrintLexer::quoted(char quote, PrintToken::Kind kind) {
    for (std::size_t index = 1; index < rest_.size(); ++index) {
        if (rest_[index] == '\\') {
            ++index;
        } else if (rest_[index] == quote) {
            const PrintToken token{kind, rest_.substr(1, index - 1)};
            rest_.remove_prefix(index + 1);
            return token;
        }
    }
    return run(PrintToken::Kind::Bad, rest_.size());
}

void PrintLexer::advance() {
    while (!rest_.empty() && isBlank(rest_.front()))
        rest_.remove_prefix(1);
    const auto lengthOf = [&](auto&& accepts) {
        return static_cast<std::size_t>(std::ranges::find_if_not(rest_, accepts) - rest_.begin());
    };
    if (rest_.empty())
        token_ = {};
    else if (isDigit(rest_.front()))
        token_ = run(PrintToken::Kind::Number, lengthOf(isNameCharacter));
    else if (isNameCharacter(rest_.front()))
        token_ = run(PrintToken::Kind::Name, lengthOf(isNameCharacter));
    else if (rest_.front() == '"')
        token_ = quoted('"', PrintToken::Kind::String);
    else if (rest_.front() == '\'')
        token_ = quoted('\'', PrintToken::Kind::Character);
    else if (std::ranges::find(kTwoCharacters, rest_.substr(0, 2)) != kTwoCharacters.end())
        token_ = run(PrintToken::Kind::Operator, 2);
    else if (kOneCharacter.find(rest_.front()) != std::string_view::npos)
        token_ = run(PrintToken::Kind::Operator, 1);
    else
        token_ = run(PrintToken::Kind::Bad, 1);
}

void appendUnescaped(std::string_view quoted, std::string& out) {
    while (!quoted.empty()) {
        const char c = quoted.front();
        quoted.remove_prefix(1);
        if (c != '\\' || quoted.empty()) {
            out += c;
        } else if (quoted.front() == 'x' || (quoted.front() >= '0' && quoted.front() <= '7')) {
            out += takeNumericEscape(quoted);
        } else {
            out += namedEscape(quoted.front());
            quoted.remove_prefix(1);
        }
    }
}

} // namespace inversight
