// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/field_listing.h"

#include "trace/decode/print_evaluator.h"
#include "trace/decode/print_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace inversight {

namespace {

bool isPrintable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return (code >= 0x20 && code != 0x7f) || c == '\n' || c == '\t' || c == '\r';
    });
}

void appendArray(const EventField& field, std::span<const std::byte> bytes, std::string& out) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string_view text = all.substr(0, std::min(all.find('\0'), all.size()));
    const bool isText = field.type.find("char") != std::string_view::npos &&
                        field.type.find("unsigned") == std::string_view::npos;
    if (isText && isPrintable(text)) {
        out += text;
        return;
    }
    out += '[';
    appendHexBytes(bytes, out);
    out += ']';
}

void appendValue(const EventField& field, const PrintContext& context, std::string& out) {
    PrintAst ast;
    ast.fields.push_back({field.offset, field.size, field.placement,
                          field.isArray || field.size == 0, fieldElement(field, context.longSize)});
    ast.nodes.push_back({.op = PrintOp::Field});
    const PrintEvaluator evaluator(ast, context);
    const auto value = evaluator.value(0);
    if (!value)
        out += '?';
    else if (value->isBytes)
        appendArray(field, evaluator.bytesOf(*value), out);
    else if (field.type.ends_with('*'))
        fmt::format_to(std::back_inserter(out), "0x{:x}", value->integer.bits);
    else if (value->integer.type.isSigned)
        fmt::format_to(std::back_inserter(out), "{}", value->integer.asSigned());
    else
        fmt::format_to(std::back_inserter(out), "{}", value->integer.bits);
}

} // namespace

void appendFields(const EventFormat& format, const PrintContext& context, std::string& out) {
    bool first = true;
    for (const EventField& field : format.fields) {
        if (field.name.starts_with("common_"))
            continue;
        out += std::exchange(first, false) ? "" : " ";
        out += field.name;
        out += '=';
        appendValue(field, context, out);
    }
}

void appendHexBytes(std::span<const std::byte> bytes, std::string& out) {
    constexpr std::size_t kMostBytes = 4096;
    const std::size_t shown = std::min(bytes.size(), kMostBytes);
    for (std::size_t index = 0; index < shown; ++index)
        fmt::format_to(std::back_inserter(out), "{}{:02x}", index == 0 ? "" : " ",
                       std::to_integer<unsigned>(bytes[index]));
    if (shown < bytes.size())
        fmt::format_to(std::back_inserter(out), " ... ({} bytes)", bytes.size());
}

} // namespace inversight
