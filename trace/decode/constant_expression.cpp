// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/constant_expression.h"

#include <array>
#include <charconv>
#include <string>

namespace inversight {

namespace {

struct Operator {
    std::string_view text;
    int precedence;
};

// C's precedence, loosest first.
constexpr std::array<Operator, 8> kOperators = {{
    {"<<", 4},
    {">>", 4},
    {"|", 1},
    {"^", 2},
    {"&", 3},
    {"+", 5},
    {"-", 5},
    {"*", 6},
}};
constexpr int kLoosest = 1;
constexpr int kTightest = 6;
constexpr int kDeepest = 64;

std::uint64_t combine(std::string_view op, std::uint64_t a, std::uint64_t b) {
    switch (op.front()) {
    case '<':
        return b < 64 ? a << b : 0;
    case '>':
        return b < 64 ? a >> b : 0;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    default:
        return a * b;
    }
}

class Evaluator {
public:
    explicit Evaluator(std::string_view& text) : text_(text) {}

    Result<std::uint64_t> binary(int precedence, int depth) {
        if (precedence > kTightest)
            return unary(depth);
        std::uint64_t value = TRY(binary(precedence + 1, depth));
        while (const Operator* op = peek(precedence)) {
            text_.remove_prefix(op->text.size());
            value = combine(op->text, value, TRY(binary(precedence + 1, depth)));
        }
        return value;
    }

private:
    void skipBlanks() {
        while (!text_.empty() &&
               (text_.front() == ' ' || text_.front() == '\t' || text_.front() == '\n'))
            text_.remove_prefix(1);
    }
    bool take(char c) {
        skipBlanks();
        if (!text_.starts_with(c))
            return false;
        text_.remove_prefix(1);
        return true;
    }
    /// The operator of this precedence that is next; || and && are none.
    const Operator* peek(int precedence) {
        skipBlanks();
        if (text_.starts_with("||") || text_.starts_with("&&"))
            return nullptr;
        for (const Operator& op : kOperators) {
            if (text_.starts_with(op.text))
                return op.precedence == precedence ? &op : nullptr;
        }
        return nullptr;
    }
    std::unexpected<Error> corrupt(const char* what) const {
        return std::unexpected(
            Error{ErrorCode::Corrupt, what, "before \"" + std::string(text_.substr(0, 20)) + "\""});
    }

    Result<std::uint64_t> unary(int depth) {
        if (depth == kDeepest)
            return corrupt("expected an expression with fewer parentheses");
        if (take('~'))
            return ~TRY(unary(depth + 1));
        if (take('-'))
            return -TRY(unary(depth + 1));
        if (!take('('))
            return number();
        const std::uint64_t value = TRY(binary(kLoosest, depth + 1));
        if (!take(')'))
            return corrupt("expected \")\"");
        return value;
    }

    Result<std::uint64_t> number() {
        skipBlanks();
        int base = 10;
        if (text_.starts_with("0x") || text_.starts_with("0X")) {
            base = 16;
            text_.remove_prefix(2);
        } else if (text_.starts_with('0')) {
            base = 8;
        }
        std::uint64_t value = 0;
        const auto [end, failure] =
            std::from_chars(text_.data(), text_.data() + text_.size(), value, base);
        if (failure != std::errc())
            return corrupt("expected a number");
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        while (text_.starts_with('U') || text_.starts_with('L') || text_.starts_with('u') ||
               text_.starts_with('l'))
            text_.remove_prefix(1);
        return value;
    }

    std::string_view& text_;
};

} // namespace

Result<std::uint64_t> takeConstantExpression(std::string_view& text) {
    return Evaluator(text).binary(kLoosest, 0);
}

} // namespace inversight
