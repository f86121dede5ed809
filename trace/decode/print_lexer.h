// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace inversight {

/// A token of a print format. `text` points into the format; of a string or character constant it
/// is what stands between the quotes, escapes and all.
struct PrintToken {
    enum class Kind : std::uint8_t { End, Name, Number, Character, String, Operator, Bad };
    Kind kind = Kind::End;
    std::string_view text;

    [[nodiscard]] bool is(std::string_view op) const {
        return kind == Kind::Operator && text == op;
    }
};

/// Cuts the C text behind "print fmt:" into tokens, one ahead. Copies are cheap, so that a parser
/// may try something and go back. Thread-bound.
class PrintLexer {
public:
    explicit PrintLexer(std::string_view text) : rest_(text) { advance(); }

    [[nodiscard]] const PrintToken& peek() const { return token_; }
    PrintToken take() {
        const PrintToken token = token_;
        advance();
        return token;
    }
    /// Takes the operator if it is next.
    bool take(std::string_view op) {
        const bool found = token_.is(op);
        if (found)
            advance();
        return found;
    }

private:
    void advance();
    PrintToken quoted(char quote, PrintToken::Kind kind);
    PrintToken run(PrintToken::Kind kind, std::size_t length);

    std::string_view rest_;
    PrintToken token_;
};

/// Appends the text a string constant stands for: C's escapes resolved.
void appendUnescaped(std::string_view quoted, std::string& out);

} // namespace inversight
