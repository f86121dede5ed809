// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/print_ast.h"
#include "trace/decode/print_context.h"

#include <optional>
#include <string>

namespace inversight {

/// What an expression yields: an integer, or bytes of the record (an array, or what a pointer into
/// the record points to).
struct PrintValue {
    bool isBytes = false;
    PrintInteger integer;
    std::size_t begin = 0; ///< of the bytes, inside the record
    std::size_t size = 0;
    IntegerType element;

    [[nodiscard]] static PrintValue of(PrintInteger integer) { return {false, integer, 0, 0, {}}; }
};

/// Evaluates nodes of one format for one record. Nothing, or false, where that is impossible: a
/// field outside the record, a division by zero, text where a number is needed. Every access is
/// inside the record; the work is at most that of visiting each node once. Thread-bound, cheap.
class PrintEvaluator {
public:
    PrintEvaluator(const PrintAst& ast, const PrintContext& context)
        : ast_(ast), context_(context) {}

    [[nodiscard]] std::optional<PrintValue> value(std::uint32_t node) const;
    [[nodiscard]] std::optional<PrintInteger> integer(std::uint32_t node) const;
    /// Appends what %s shows of the node.
    [[nodiscard]] bool appendText(std::uint32_t node, std::string& out) const;
    /// Whether the node cannot be evaluated because no file tells a name's value.
    [[nodiscard]] bool isUnknown(std::uint32_t node) const;
    [[nodiscard]] std::span<const std::byte> bytesOf(const PrintValue& value) const {
        return context_.record.subspan(value.begin, value.size);
    }

private:
    [[nodiscard]] std::optional<PrintValue> field(const PrintField& field) const;
    [[nodiscard]] std::optional<PrintValue> located(const PrintField& field) const;
    [[nodiscard]] std::optional<PrintInteger> load(std::size_t begin, IntegerType type) const;
    [[nodiscard]] std::optional<PrintValue> cast(const PrintNode& node) const;
    [[nodiscard]] std::optional<PrintValue> pointerCast(const PrintNode& node) const;
    [[nodiscard]] std::optional<PrintValue> binary(const PrintNode& node) const;
    [[nodiscard]] std::optional<PrintValue> logical(const PrintNode& node) const;
    [[nodiscard]] std::optional<PrintValue> element(const PrintNode& node) const;
    [[nodiscard]] std::optional<PrintValue> conditional(const PrintNode& node) const;
    [[nodiscard]] bool appendFlags(const PrintNode& node, std::string& out) const;
    [[nodiscard]] bool appendSymbolic(const PrintNode& node, std::string& out) const;
    [[nodiscard]] bool appendHex(const PrintNode& node, std::string& out) const;
    [[nodiscard]] bool appendArray(const PrintNode& node, std::string& out) const;
    [[nodiscard]] bool appendBitmask(const PrintNode& node, std::string& out) const;
    [[nodiscard]] bool appendBytesOrPointer(std::uint32_t node, std::string& out) const;

    const PrintAst& ast_;
    const PrintContext& context_;
};

} // namespace inversight
