// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_conversion.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inversight {

namespace {

using Kind = PrintConversion::Kind;

/// Reads one conversion, which begins behind its '%'.
class ConversionReader {
public:
    ConversionReader(std::string_view& text, int longSize) : text_(text), longSize_(longSize) {}

    Result<PrintConversion> read() {
        readFlags();
        readWidth(conversion_.width, conversion_.widthFromArgument);
        if (take('.')) {
            conversion_.precision = 0;
            readWidth(conversion_.precision, conversion_.precisionFromArgument);
        }
        readLength();
        return readKind();
    }

private:
    bool take(char c) {
        if (!text_.starts_with(c))
            return false;
        text_.remove_prefix(1);
        return true;
    }
    char takeAny() {
        const char c = text_.empty() ? '\0' : text_.front();
        text_.remove_prefix(text_.empty() ? 0 : 1);
        return c;
    }

    void readFlags() {
        for (;;) {
            if (take('-'))
                conversion_.left = true;
            else if (take('+'))
                conversion_.plus = true;
            else if (take(' '))
                conversion_.blank = true;
            else if (take('#'))
                conversion_.alternate = true;
            else if (take('0'))
                conversion_.zero = true;
            else
                return;
        }
    }

    void readWidth(std::int32_t& width, bool& fromArgument) {
        if (take('*')) {
            fromArgument = true;
            return;
        }
        while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9')
            width = std::min(width * 10 + (takeAny() - '0'), kWidestField);
    }

    void readLength() {
        std::uint8_t size = 4;
        for (;;) {
            if (take('h'))
                size = size == 2 ? 1 : 2;
            else if (take('l'))
                size = std::exchange(sawLong_, true) ? std::uint8_t{8}
                                                     : static_cast<std::uint8_t>(longSize_);
            else if (take('L') || take('q') || take('j'))
                size = 8;
            else if (take('z') || take('Z') || take('t'))
                size = static_cast<std::uint8_t>(longSize_);
            else
                break;
        }
        conversion_.type.size = size;
    }

    Result<PrintConversion> number(std::uint8_t base, bool isSigned) {
        conversion_.kind = Kind::Integer;
        conversion_.base = base;
        conversion_.type.isSigned = isSigned;
        return std::move(conversion_);
    }
    Result<PrintConversion> plain(Kind kind) {
        conversion_.kind = kind;
        return std::move(conversion_);
    }

    Result<PrintConversion> readKind() {
        const char letter = takeAny();
        switch (letter) {
        case 'd':
        case 'i':
            return number(10, true);
        case 'u':
            return number(10, false);
        case 'X':
            conversion_.uppercase = true;
            return number(16, false);
        case 'x':
            return number(16, false);
        case 'o':
            return number(8, false);
        case 'c':
            return plain(Kind::Character);
        case 's':
            return plain(Kind::Text);
        case 'p':
            return readPointer();
        default:
            return std::unexpected(Error{ErrorCode::Unsupported,
                                         std::string("the conversion %") + letter + " is unknown"});
        }
    }

    struct PointerRow {
        char letter;
        Kind kind;
        std::string_view modifiers; ///< letters that may follow
    };
    static constexpr std::array kPointers = {
        PointerRow{'S', Kind::Symbol, "R"}, PointerRow{'s', Kind::Symbol, ""},
        PointerRow{'F', Kind::Symbol, ""},  PointerRow{'f', Kind::Symbol, ""},
        PointerRow{'B', Kind::Symbol, "b"}, PointerRow{'M', Kind::Mac, "FR"},
        PointerRow{'m', Kind::Mac, "FR"},   PointerRow{'U', Kind::Uuid, "bBlL"},
        PointerRow{'h', Kind::Dump, "CDN"}, PointerRow{'x', Kind::Address, ""},
        PointerRow{'K', Kind::Address, ""},
    };

    Result<PrintConversion> readPointer() {
        if (text_.starts_with('I') || text_.starts_with('i'))
            return readIp();
        if (text_.starts_with("ad") || text_.starts_with("ap") || text_.starts_with("ar")) {
            text_.remove_prefix(2);
            return plain(Kind::Referred);
        }
        const auto row =
            std::ranges::find(kPointers, text_.empty() ? '\0' : text_.front(), &PointerRow::letter);
        if (row == kPointers.end())
            return plain(Kind::Address);
        conversion_.modifiers += takeAny();
        takeModifiers(row->modifiers);
        return plain(row->kind);
    }

    Result<PrintConversion> readIp() {
        conversion_.modifiers += takeAny();
        const char family = takeAny();
        if (family == '4') {
            takeModifiers("hnbl");
            return plain(Kind::Ip4);
        }
        if (family == '6') {
            takeModifiers("c");
            return plain(Kind::Ip6);
        }
        if (family != 'S')
            return std::unexpected(Error{ErrorCode::Unsupported, std::string("the conversion %pI") +
                                                                     family + " is unknown"});
        takeModifiers("pfschnbl");
        return plain(Kind::Socket);
    }

    void takeModifiers(std::string_view allowed) {
        while (!text_.empty() && allowed.find(text_.front()) != std::string_view::npos)
            conversion_.modifiers += takeAny();
    }

    std::string_view& text_;
    int longSize_;
    bool sawLong_ = false;
    PrintConversion conversion_;
};

void addLiteral(std::string_view text, std::vector<PrintConversion>& parts) {
    if (text.empty())
        return;
    if (parts.empty() || parts.back().kind != Kind::Literal)
        parts.emplace_back();
    parts.back().literal += text;
}

/// The digits of `value`, last ones at the end of `buffer`.
std::string_view digits(std::uint64_t value, unsigned base, bool uppercase,
                        std::array<char, 24>& buffer) {
    const char* letters = uppercase ? "0123456789ABCDEF" : "0123456789abcdef";
    std::size_t begin = buffer.size();
    do {
        buffer[--begin] = letters[value % base];
        value /= base;
    } while (value != 0);
    return {buffer.data() + begin, buffer.size() - begin};
}

/// "-", "+", " ", "0x", "0" or nothing.
std::string_view prefixOf(const PrintConversion& conversion, bool negative, bool isZero) {
    if (conversion.base == 10 && conversion.type.isSigned)
        return negative ? "-" : conversion.plus ? "+" : conversion.blank ? " " : "";
    if (!conversion.alternate || isZero)
        return "";
    if (conversion.base == 8)
        return "0";
    return conversion.base == 16 ? (conversion.uppercase ? "0X" : "0x") : "";
}

std::size_t beyond(std::int64_t wanted, std::size_t have) {
    const auto missing = wanted - static_cast<std::int64_t>(have);
    return missing > 0 ? static_cast<std::size_t>(missing) : 0;
}

} // namespace

Result<std::vector<PrintConversion>> parseConversions(std::string_view format, int longSize) {
    std::vector<PrintConversion> parts;
    while (!format.empty()) {
        const std::size_t percent = std::min(format.find('%'), format.size());
        addLiteral(format.substr(0, percent), parts);
        format.remove_prefix(std::min(percent + 1, format.size()));
        if (format.starts_with('%')) {
            addLiteral("%", parts);
            format.remove_prefix(1);
        } else if (!format.empty()) {
            parts.push_back(TRY(ConversionReader(format, longSize).read()));
        }
        if (parts.size() > kMostConversions)
            return std::unexpected(
                Error{ErrorCode::Unsupported, "the format string has too many conversions"});
    }
    return parts;
}

void appendInteger(const PrintConversion& conversion, std::uint64_t value, std::int32_t width,
                   std::int32_t precision, std::string& out) {
    const PrintInteger argument = PrintInteger::of(value, conversion.type);
    const bool negative = conversion.type.isSigned && argument.asSigned() < 0;
    std::array<char, 24> buffer;
    const std::string_view number = digits(negative ? 0 - argument.bits : argument.bits,
                                           conversion.base, conversion.uppercase, buffer);
    const std::string_view prefix = prefixOf(conversion, negative, argument.bits == 0);
    std::size_t zeros = beyond(precision, number.size());
    std::size_t blanks = beyond(width, prefix.size() + zeros + number.size());
    if (conversion.zero && !conversion.left && precision < 0)
        zeros += std::exchange(blanks, 0);
    if (!conversion.left)
        out.append(blanks, ' ');
    out += prefix;
    out.append(zeros, '0');
    out += number;
    if (conversion.left)
        out.append(blanks, ' ');
}

void padText(const PrintConversion& conversion, std::size_t begin, std::int32_t width,
             std::int32_t precision, std::string& out) {
    if (precision >= 0)
        out.resize(std::min(out.size(), begin + static_cast<std::size_t>(precision)));
    const std::size_t blanks = beyond(width, out.size() - begin);
    out.insert(conversion.left ? out.size() : begin, blanks, ' ');
}

} // namespace inversight
