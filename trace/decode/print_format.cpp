// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_format.h"

#include "trace/decode/print_evaluator.h"
#include "trace/decode/print_pointer.h"

#include <algorithm>
#include <fmt/format.h>

namespace inversight {

namespace {

using Kind = PrintConversion::Kind;

/// Prints one record, conversion by conversion.
class RecordPrinter {
public:
    RecordPrinter(const PrintEvaluator& evaluator, const PrintContext& context,
                  std::span<const std::uint32_t> arguments, std::string& out)
        : evaluator_(evaluator), context_(context), arguments_(arguments), out_(out) {}

    bool print(const PrintConversion& conversion) {
        if (conversion.kind == Kind::Literal) {
            out_ += conversion.literal;
            return true;
        }
        PrintConversion effective;
        const PrintConversion* used = &conversion;
        if (conversion.widthFromArgument || conversion.precisionFromArgument) {
            effective = conversion;
            if (!takeSizes(effective))
                return false;
            used = &effective;
        }
        return printArgument(*used, next());
    }

private:
    std::uint32_t next() { return arguments_[position_++]; }

    /// A width given as an argument: negative is "left"; a negative precision is none.
    bool takeSizes(PrintConversion& conversion) {
        if (conversion.widthFromArgument) {
            const auto width = evaluator_.integer(next());
            if (!width)
                return false;
            const std::int64_t value = width->asSigned();
            conversion.left |= value < 0;
            conversion.width = static_cast<std::int32_t>(
                std::min<std::uint64_t>(value < 0 ? 0 - width->bits : width->bits, kWidestField));
            // How many bytes to dump is no width: those are limited by the record.
            bytes_ = std::max<std::int64_t>(value, 0);
        }
        if (conversion.precisionFromArgument) {
            const auto precision = evaluator_.integer(next());
            if (!precision)
                return false;
            conversion.precision = static_cast<std::int32_t>(
                std::clamp<std::int64_t>(precision->asSigned(), -1, kMostText));
        }
        return true;
    }

    bool printArgument(const PrintConversion& conversion, std::uint32_t argument) {
        switch (conversion.kind) {
        case Kind::Integer:
            return printInteger(conversion, argument);
        case Kind::Character:
            return printCharacter(conversion, argument);
        case Kind::Text: {
            const std::size_t begin = out_.size();
            if (!evaluator_.appendText(argument, out_))
                return false;
            padText(conversion, begin, conversion.width, conversion.precision, out_);
            return true;
        }
        default:
            return printPointer(conversion, argument);
        }
    }

    bool printInteger(const PrintConversion& conversion, std::uint32_t argument) {
        const auto value = evaluator_.integer(argument);
        if (!value)
            return false;
        appendInteger(conversion, value->bits, conversion.width,
                      std::min(conversion.precision, kWidestField), out_);
        return true;
    }

    bool printCharacter(const PrintConversion& conversion, std::uint32_t argument) {
        const auto value = evaluator_.integer(argument);
        if (!value)
            return false;
        const std::size_t begin = out_.size();
        if ((value->bits & 0xff) != 0) // a NUL would end the text for whoever reads it
            out_ += static_cast<char>(value->bits);
        padText(conversion, begin, conversion.width, -1, out_);
        return true;
    }

    bool printPointer(const PrintConversion& conversion, std::uint32_t argument) {
        const auto value = evaluator_.value(argument);
        if (!value && conversion.kind == Kind::Address && evaluator_.isUnknown(argument)) {
            out_ += '?'; // a page's address from vmemmap_base: the rest of the event is worth more
            return true;
        }
        if (!value)
            return false;
        const std::int64_t count =
            conversion.widthFromArgument ? bytes_ : std::max(conversion.width, 1);
        return appendPointer(conversion, *value, context_, count, out_);
    }

    static constexpr std::int64_t kMostText = 1 << 16;

    const PrintEvaluator& evaluator_;
    const PrintContext& context_;
    std::span<const std::uint32_t> arguments_;
    std::string& out_;
    std::size_t position_ = 0;
    std::int64_t bytes_ = 0;
};

} // namespace

Result<PrintFormat> PrintFormat::parse(const EventFormat& format, int longSize) {
    ParsedPrint parsed = TRY(parsePrintText(format, longSize));
    std::vector<PrintConversion> conversions = TRY(parseConversions(parsed.formatString, longSize));
    std::size_t wanted = 0;
    for (const PrintConversion& conversion : conversions)
        wanted += static_cast<std::size_t>(conversion.argumentCount());
    if (wanted > parsed.arguments.size())
        return std::unexpected(
            Error{ErrorCode::Corrupt,
                  fmt::format("the format string wants {} arguments, there are {}", wanted,
                              parsed.arguments.size()),
                  fmt::format("print format of {}", format.name)});
    return PrintFormat(std::move(parsed), std::move(conversions));
}

bool PrintFormat::append(const PrintContext& context, std::string& out) const {
    const std::size_t begin = out.size();
    const PrintEvaluator evaluator(parsed_.ast, context);
    RecordPrinter printer(evaluator, context, parsed_.arguments, out);
    const bool done = std::ranges::all_of(conversions_, [&](const PrintConversion& conversion) {
        return printer.print(conversion) && out.size() - begin <= kLongestEventText;
    });
    if (!done)
        out.resize(begin);
    return done;
}

} // namespace inversight
