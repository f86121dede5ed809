// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/special_events.h"

#include "trace/decode/print_conversion.h"
#include "trace/decode/print_evaluator.h"
#include "trace/decode/print_format.h"
#include "trace/decode/print_pointer.h"
#include "trace/decode/print_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace inversight {

namespace {

using Kind = PrintConversion::Kind;

/// A field's value, without a print format.
std::optional<PrintValue> fieldValue(const EventFormat& format, std::string_view name,
                                     const PrintContext& context) {
    const EventField* field = format.find(name);
    if (field == nullptr)
        return std::nullopt;
    PrintAst ast;
    ast.fields.push_back({field->offset, field->size, field->placement,
                          field->isArray || field->size == 0,
                          fieldElement(*field, context.longSize)});
    ast.nodes.push_back({.op = PrintOp::Field});
    return PrintEvaluator(ast, context).value(0);
}

/// The arguments of a trace_printk(), packed behind each other: numbers of 4 or 8 bytes at offsets
/// that are multiples of 4, texts with their NUL (lib/vsprintf.c, vbin_printf()).
class BinaryArguments {
public:
    BinaryArguments(std::span<const std::byte> bytes, std::size_t begin,
                    const PrintContext& context)
        : record_(bytes), position_(begin), context_(context) {}

    std::optional<std::uint64_t> number(std::uint8_t size) {
        position_ = (position_ + 3) & ~std::size_t{3};
        if (position_ > record_.size() || size > record_.size() - position_)
            return std::nullopt;
        const std::byte* bytes = record_.data() + std::exchange(position_, position_ + size);
        return size == 8 ? loadInteger<std::uint64_t>(bytes, context_.order)
                         : loadInteger<std::uint32_t>(bytes, context_.order);
    }
    std::optional<std::string_view> text() {
        const auto rest = record_.subspan(std::min(position_, record_.size()));
        const auto end = std::ranges::find(rest, std::byte{0});
        if (end == rest.end())
            return std::nullopt;
        const auto size = static_cast<std::size_t>(end - rest.begin());
        position_ += size + 1;
        return std::string_view(reinterpret_cast<const char*>(rest.data()), size);
    }

private:
    std::span<const std::byte> record_;
    std::size_t position_;
    const PrintContext& context_;
};

bool appendBinary(const PrintConversion& conversion, BinaryArguments& arguments,
                  const PrintContext& context, std::string& out) {
    PrintConversion effective = conversion;
    if (conversion.widthFromArgument || conversion.precisionFromArgument) {
        for (const bool wanted : {conversion.widthFromArgument, conversion.precisionFromArgument}) {
            const auto size = wanted ? arguments.number(4) : 0;
            if (!size)
                return false;
            const auto limited =
                std::min<std::int64_t>(static_cast<std::int32_t>(*size), kWidestField);
            if (wanted && (effective.widthFromArgument && effective.width == 0))
                effective.width = static_cast<std::int32_t>(std::max<std::int64_t>(limited, 0));
            else if (wanted)
                effective.precision = static_cast<std::int32_t>(limited);
        }
    }
    const std::size_t begin = out.size();
    switch (conversion.kind) {
    case Kind::Literal:
        out += conversion.literal;
        return true;
    case Kind::Text: {
        const auto text = arguments.text();
        out += text.value_or("");
        padText(effective, begin, effective.width, effective.precision, out);
        return text.has_value();
    }
    case Kind::Integer:
    case Kind::Character: {
        const bool wide = conversion.kind == Kind::Integer && conversion.type.size == 8;
        const auto value = arguments.number(wide ? 8 : 4);
        if (!value)
            return false;
        if (conversion.kind == Kind::Character)
            out += static_cast<char>(*value);
        else
            appendInteger(effective, *value, effective.width,
                          std::min(effective.precision, kWidestField), out);
        return true;
    }
    case Kind::Address:
    case Kind::Symbol: {
        const auto value = arguments.number(context.longSize);
        const PrintInteger address{value.value_or(0), {context.longSize, false}};
        return value && appendPointer(conversion, PrintValue::of(address), context, 0, out);
    }
    default: { // since Linux 4.17 what the pointer pointed to is saved as text
        const auto text = arguments.text();
        out += text.value_or("");
        return text.has_value();
    }
    }
}

/// ftrace:bprint: "function: " and the text.
bool appendBinaryPrintk(const EventFormat& format, const PrintContext& context, std::string& out) {
    const std::size_t begin = out.size();
    const auto ip = fieldValue(format, "ip", context);
    const auto fmtAddress = fieldValue(format, "fmt", context);
    const auto buffer = fieldValue(format, "buf", context);
    if (!ip || ip->isBytes || !fmtAddress || fmtAddress->isBytes || !buffer || !buffer->isBytes)
        return false;
    appendSymbol(ip->integer.bits, context.names, false, out);
    out += ": ";
    const std::uint64_t address = fmtAddress->integer.bits;
    const auto text = context.names != nullptr ? context.names->text(address) : std::nullopt;
    if (!text) {
        fmt::format_to(std::back_inserter(out), "(NO FORMAT FOUND at {:x})", address);
        return true;
    }
    const auto conversions = parseConversions(*text, context.longSize);
    BinaryArguments arguments(context.record, buffer->begin, context);
    const bool done =
        conversions && std::ranges::all_of(*conversions, [&](const PrintConversion& conversion) {
            return appendBinary(conversion, arguments, context, out) &&
                   out.size() - begin <= kLongestEventText;
        });
    if (!done)
        out.resize(begin);
    return done;
}

/// ftrace:kernel_stack, ftrace:user_stack: a line per caller, however many there are. The print
/// format always shows eight; some kernels also declare eight and write less or more.
bool appendStack(const EventFormat& format, const PrintContext& context, std::string& out) {
    const EventField* field = format.find("caller");
    const std::size_t size = context.longSize;
    if (field == nullptr || field->placement != FieldPlacement::Fixed)
        return false;
    const std::uint64_t end = size == 8 ? ~std::uint64_t{0} : 0xffffffffU;
    for (std::size_t place = field->offset; place + size <= context.record.size(); place += size) {
        const std::byte* bytes = context.record.data() + place;
        const std::uint64_t caller = size == 8 ? loadInteger<std::uint64_t>(bytes, context.order)
                                               : loadInteger<std::uint32_t>(bytes, context.order);
        if (caller == end || caller == 0)
            break;
        out += "\t=> ";
        appendSymbol(caller, context.names, false, out);
        out += '\n';
    }
    return true;
}

struct SpecialRow {
    std::string_view system;
    std::string_view name;
    SpecialPrint print;
};
constexpr std::array kSpecialEvents = {
    SpecialRow{"ftrace", "bprint", appendBinaryPrintk},
    SpecialRow{"ftrace", "kernel_stack", appendStack},
    SpecialRow{"ftrace", "user_stack", appendStack},
};

} // namespace

SpecialPrint findSpecialPrint(std::string_view system, std::string_view name) {
    const auto row = std::ranges::find_if(kSpecialEvents, [&](const SpecialRow& candidate) {
        return candidate.name == name && candidate.system == system;
    });
    return row == kSpecialEvents.end() ? nullptr : row->print;
}

} // namespace inversight
