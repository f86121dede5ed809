// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace inversight {

std::optional<PrintInteger> PrintEvaluator::load(std::size_t begin, IntegerType type) const {
    const std::span<const std::byte> record = context_.record;
    if (begin > record.size() || type.size > record.size() - begin)
        return std::nullopt;
    const std::byte* bytes = record.data() + begin;
    switch (type.size) {
    case 1:
        return PrintInteger::of(loadInteger<std::uint8_t>(bytes, context_.order), type);
    case 2:
        return PrintInteger::of(loadInteger<std::uint16_t>(bytes, context_.order), type);
    case 4:
        return PrintInteger::of(loadInteger<std::uint32_t>(bytes, context_.order), type);
    default:
        return PrintInteger::of(loadInteger<std::uint64_t>(bytes, context_.order), type);
    }
}

std::optional<PrintValue> PrintEvaluator::located(const PrintField& field) const {
    const auto word = load(field.offset, {4, false});
    if (!word)
        return std::nullopt;
    const std::size_t size = word->bits >> 16;
    std::size_t begin = word->bits & 0xffff;
    if (field.placement == FieldPlacement::RelativeLocation)
        begin += field.offset + 4U;
    if (begin > context_.record.size() || size > context_.record.size() - begin)
        return std::nullopt;
    return PrintValue{true, {}, begin, size, field.element};
}

std::optional<PrintValue> PrintEvaluator::field(const PrintField& field) const {
    if (field.placement != FieldPlacement::Fixed)
        return located(field);
    const std::size_t recordSize = context_.record.size();
    if (field.offset > recordSize || field.size > recordSize - field.offset)
        return std::nullopt;
    if (!field.isArray && field.size == field.element.size) {
        const auto loaded = load(field.offset, field.element);
        return loaded ? std::optional(PrintValue::of(*loaded)) : std::nullopt;
    }
    const std::size_t size = field.size != 0 ? field.size : recordSize - field.offset;
    return PrintValue{true, {}, field.offset, size, field.element};
}

std::optional<PrintValue> PrintEvaluator::cast(const PrintNode& node) const {
    const auto operand = integer(node.a);
    return operand ? std::optional(PrintValue::of(operand->convertedTo(node.type))) : std::nullopt;
}

std::optional<PrintValue> PrintEvaluator::pointerCast(const PrintNode& node) const {
    auto operand = value(node.a);
    if (!operand)
        return std::nullopt;
    if (!operand->isBytes)
        return PrintValue::of(operand->integer.convertedTo({context_.longSize, false}));
    operand->element = node.type;
    return operand;
}

std::optional<PrintValue> PrintEvaluator::binary(const PrintNode& node) const {
    auto left = value(node.a);
    const auto right = integer(node.b);
    if (!left || !right)
        return std::nullopt;
    if (!left->isBytes) {
        const auto result = applyBinary(node.op, left->integer, *right);
        return result ? std::optional(PrintValue::of(*result)) : std::nullopt;
    }
    // A pointer into the record: only forwards, and only inside its array.
    if (node.op != PrintOp::Add || right->bits > left->size / left->element.size)
        return std::nullopt;
    const std::size_t skipped = right->bits * left->element.size;
    left->begin += skipped;
    left->size -= skipped;
    return left;
}

std::optional<PrintValue> PrintEvaluator::logical(const PrintNode& node) const {
    const bool isAnd = node.op == PrintOp::LogicalAnd;
    const auto left = integer(node.a);
    if (!left)
        return std::nullopt;
    if ((left->bits != 0) != isAnd)
        return PrintValue::of({isAnd ? 0U : 1U, {}});
    const auto right = integer(node.b);
    return right ? std::optional(PrintValue::of({right->bits != 0 ? 1U : 0U, {}})) : std::nullopt;
}

std::optional<PrintValue> PrintEvaluator::element(const PrintNode& node) const {
    const auto array = value(node.a);
    const auto index = node.op == PrintOp::Subscript ? integer(node.b) : PrintInteger{};
    if (!array || !index || !array->isBytes || index->bits >= array->size / array->element.size)
        return std::nullopt;
    const auto loaded = load(array->begin + index->bits * array->element.size, array->element);
    return loaded ? std::optional(PrintValue::of(*loaded)) : std::nullopt;
}

std::optional<PrintValue> PrintEvaluator::conditional(const PrintNode& node) const {
    const auto condition = integer(node.a);
    return condition ? value(condition->bits != 0 ? node.b : node.c) : std::nullopt;
}

std::optional<PrintInteger> PrintEvaluator::integer(std::uint32_t node) const {
    const auto result = value(node);
    return result && !result->isBytes ? std::optional(result->integer) : std::nullopt;
}

bool PrintEvaluator::isUnknown(std::uint32_t index) const {
    if (index == PrintNode::kNone)
        return false;
    const PrintNode& node = ast_.nodes[index];
    if (node.op == PrintOp::Flags || node.op == PrintOp::Symbolic)
        return isUnknown(node.a);
    return node.op == PrintOp::Unknown || isUnknown(node.a) || isUnknown(node.b) ||
           isUnknown(node.c);
}

std::optional<PrintValue> PrintEvaluator::value(std::uint32_t index) const {
    const PrintNode& node = ast_.nodes[index];
    switch (node.op) {
    case PrintOp::Constant:
        return PrintValue::of({node.value, node.type});
    case PrintOp::Field:
        return field(ast_.fields[node.value]);
    case PrintOp::LocationWord: {
        const auto word = load(ast_.fields[node.value].offset, {4, false});
        return word ? std::optional(PrintValue::of(*word)) : std::nullopt;
    }
    case PrintOp::AddressOf: {
        PrintField bytes = ast_.fields[node.value];
        bytes.isArray = true;
        return field(bytes);
    }
    case PrintOp::DynamicLength: {
        const auto bytes = located(ast_.fields[node.value]);
        return bytes ? std::optional(PrintValue::of({bytes->size, {4, true}})) : std::nullopt;
    }
    case PrintOp::Cast:
        return cast(node);
    case PrintOp::PointerCast:
        return pointerCast(node);
    case PrintOp::Negate:
    case PrintOp::Complement:
    case PrintOp::Not: {
        const auto operand = integer(node.a);
        const auto result = operand ? applyUnary(node.op, *operand) : std::nullopt;
        return result ? std::optional(PrintValue::of(*result)) : std::nullopt;
    }
    case PrintOp::LogicalAnd:
    case PrintOp::LogicalOr:
        return logical(node);
    case PrintOp::Conditional:
        return conditional(node);
    case PrintOp::Subscript:
    case PrintOp::Dereference:
        return element(node);
    case PrintOp::Text:
    case PrintOp::Unknown:
    case PrintOp::Flags:
    case PrintOp::Symbolic:
    case PrintOp::Hex:
    case PrintOp::HexString:
    case PrintOp::Array:
    case PrintOp::Bitmask:
        return std::nullopt;
    default:
        return binary(node);
    }
}

bool PrintEvaluator::appendText(std::uint32_t index, std::string& out) const {
    const PrintNode& node = ast_.nodes[index];
    switch (node.op) {
    case PrintOp::Text:
        out += ast_.texts[node.value];
        return true;
    case PrintOp::Conditional: {
        const auto condition = integer(node.a);
        return condition && appendText(condition->bits != 0 ? node.b : node.c, out);
    }
    case PrintOp::PointerCast:
        return appendText(node.a, out);
    case PrintOp::Flags:
        return appendFlags(node, out);
    case PrintOp::Symbolic:
        return appendSymbolic(node, out);
    case PrintOp::Hex:
    case PrintOp::HexString:
        return appendHex(node, out);
    case PrintOp::Array:
        return appendArray(node, out);
    case PrintOp::Bitmask:
        return appendBitmask(node, out);
    default:
        return appendBytesOrPointer(index, out);
    }
}

/// A string in the record up to its NUL; or the string constant of the kernel a pointer points to,
/// and where the file does not hold that, the pointer.
bool PrintEvaluator::appendBytesOrPointer(std::uint32_t node, std::string& out) const {
    const auto result = value(node);
    if (!result)
        return false;
    if (result->isBytes) {
        const auto bytes = bytesOf(*result);
        const auto end = std::ranges::find(bytes, std::byte{0});
        out.append(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::size_t>(end - bytes.begin()));
        return true;
    }
    if (result->integer.type.size != context_.longSize)
        return false;
    const std::uint64_t address = result->integer.bits;
    const auto text = context_.names != nullptr ? context_.names->text(address) : std::nullopt;
    if (text)
        out += *text;
    else
        fmt::format_to(std::back_inserter(out), "{:x}", address);
    return true;
}

namespace {

/// The kernel takes flags and symbols as unsigned long.
std::uint64_t longMask(const PrintContext& context, const PrintInteger& value) {
    return context.longSize == 4 && value.type.size <= 4 ? 0xffffffffU : ~std::uint64_t{0};
}

} // namespace

// As the kernel's trace_print_flags_seq() does it.
bool PrintEvaluator::appendFlags(const PrintNode& node, std::string& out) const {
    const auto flags = integer(node.a);
    if (!flags)
        return false;
    const std::uint64_t known = longMask(context_, *flags);
    std::uint64_t left = flags->bits & known;
    const std::string& delimiter = ast_.texts[node.value];
    bool first = true;
    const auto separate = [&] {
        if (!std::exchange(first, false))
            out += delimiter;
    };
    for (std::uint32_t row = node.b; row < node.b + node.c && left != 0; ++row) {
        const std::uint64_t mask = ast_.rows[row].value & known;
        if ((left & mask) != mask)
            continue;
        separate();
        out += ast_.texts[ast_.rows[row].text];
        left &= ~mask;
    }
    if (left != 0) {
        separate();
        fmt::format_to(std::back_inserter(out), "0x{:x}", left);
    }
    return true;
}

bool PrintEvaluator::appendSymbolic(const PrintNode& node, std::string& out) const {
    const auto key = integer(node.a);
    if (!key)
        return false;
    const std::uint64_t known = longMask(context_, *key);
    for (std::uint32_t row = node.b; row < node.b + node.c; ++row) {
        if (((ast_.rows[row].value ^ key->bits) & known) == 0) {
            out += ast_.texts[ast_.rows[row].text];
            return true;
        }
    }
    fmt::format_to(std::back_inserter(out), "0x{:x}", key->bits & known);
    return true;
}

bool PrintEvaluator::appendHex(const PrintNode& node, std::string& out) const {
    const auto array = value(node.a);
    const auto count = integer(node.b);
    if (!array || !count || !array->isBytes || count->asSigned() < 0 || count->bits > array->size)
        return false;
    const bool blanks = node.op == PrintOp::Hex;
    bool first = true;
    for (const std::byte byte : bytesOf(*array).first(count->bits))
        fmt::format_to(std::back_inserter(out), "{}{:02x}",
                       std::exchange(first, false) || !blanks ? "" : " ",
                       std::to_integer<unsigned>(byte));
    return true;
}

bool PrintEvaluator::appendArray(const PrintNode& node, std::string& out) const {
    const auto array = value(node.a);
    const auto size = integer(node.c);
    if (!array || !array->isBytes || !size)
        return false;
    if (size->bits != 1 && size->bits != 2 && size->bits != 4 && size->bits != 8)
        return false;
    std::uint64_t count = array->size / size->bits;
    if (node.b != PrintNode::kNone) {
        const auto wanted = integer(node.b);
        if (!wanted || wanted->asSigned() < 0 || wanted->bits > count)
            return false;
        count = wanted->bits;
    }
    const IntegerType type{static_cast<std::uint8_t>(size->bits), false};
    out += '{';
    for (std::uint64_t index = 0; index < count; ++index)
        fmt::format_to(std::back_inserter(out), "{}0x{:x}", index == 0 ? "" : ",",
                       load(array->begin + index * type.size, type)->bits);
    out += '}';
    return true;
}

/// As %*pb: groups of 32 bits in hex, highest first. The kernel's bitmap is an array of longs, so
/// the order of its bytes is that of the machine.
bool PrintEvaluator::appendBitmask(const PrintNode& node, std::string& out) const {
    const auto mask = field(ast_.fields[node.value]);
    if (!mask || !mask->isBytes)
        return false;
    const auto bytes = bytesOf(*mask);
    for (std::size_t left = bytes.size(); left > 0; --left) {
        const std::size_t index = left - 1;
        const std::size_t group = index / context_.longSize * context_.longSize;
        const bool whole = group + context_.longSize <= bytes.size();
        const std::size_t place = context_.order == ByteOrder::Big && whole
                                      ? group + context_.longSize - 1 - (index - group)
                                      : index;
        fmt::format_to(std::back_inserter(out), "{:02x}{}", std::to_integer<unsigned>(bytes[place]),
                       index % 4 == 0 && index > 0 ? "," : "");
    }
    return true;
}

} // namespace inversight
