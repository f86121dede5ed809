// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_parser.h"

#include "trace/decode/print_evaluator.h"
#include "trace/decode/print_functions.h"
#include "trace/decode/print_lexer.h"
#include "trace/decode/print_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace inversight {

namespace {

using TokenKind = PrintToken::Kind;
using Node = Result<std::uint32_t>;
constexpr std::uint32_t kNone = PrintNode::kNone;

struct BinaryRow {
    std::string_view text;
    int precedence;
    PrintOp op;
};
// C's precedence, loosest first.
constexpr std::array kBinary = {
    BinaryRow{"||", 1, PrintOp::LogicalOr},    BinaryRow{"&&", 2, PrintOp::LogicalAnd},
    BinaryRow{"|", 3, PrintOp::BitOr},         BinaryRow{"^", 4, PrintOp::BitXor},
    BinaryRow{"&", 5, PrintOp::BitAnd},        BinaryRow{"==", 6, PrintOp::Equal},
    BinaryRow{"!=", 6, PrintOp::NotEqual},     BinaryRow{"<", 7, PrintOp::Less},
    BinaryRow{">", 7, PrintOp::Greater},       BinaryRow{"<=", 7, PrintOp::LessEqual},
    BinaryRow{">=", 7, PrintOp::GreaterEqual}, BinaryRow{"<<", 8, PrintOp::ShiftLeft},
    BinaryRow{">>", 8, PrintOp::ShiftRight},   BinaryRow{"+", 9, PrintOp::Add},
    BinaryRow{"-", 9, PrintOp::Subtract},      BinaryRow{"*", 10, PrintOp::Multiply},
    BinaryRow{"/", 10, PrintOp::Divide},       BinaryRow{"%", 10, PrintOp::Remainder},
};

/// Recursive descent; each level of nesting is counted, so that the stack is bounded. Thread-bound.
class PrintParser {
public:
    PrintParser(const EventFormat& format, int longSize)
        : format_(format), lexer_(format.printFormat), longSize_(longSize) {}

    Result<ParsedPrint> parse() {
        if (lexer_.peek().kind != TokenKind::String)
            return unexpected("a format string");
        parsed_.formatString = takeString();
        while (lexer_.take(","))
            parsed_.arguments.push_back(TRY(expression()));
        if (lexer_.peek().kind != TokenKind::End)
            return unexpected("the end or a comma");
        return std::move(parsed_);
    }

private:
    static constexpr int kDeepest = 128;

    std::unexpected<Error> unsupported(std::string what) const {
        return std::unexpected(Error{ErrorCode::Unsupported, std::move(what), where()});
    }
    std::unexpected<Error> unexpected(std::string_view wanted) const {
        return std::unexpected(Error{
            ErrorCode::Corrupt,
            fmt::format("expected {} before \"{}\"", wanted, lexer_.peek().text.substr(0, 20)),
            where()});
    }
    std::string where() const { return fmt::format("print format of {}", format_.name); }

    Result<void> expect(std::string_view op) {
        if (lexer_.take(op))
            return {};
        return unexpected(fmt::format("\"{}\"", op));
    }

    Node add(PrintNode node) {
        auto& nodes = parsed_.ast.nodes;
        for (const std::uint32_t child : {node.a, node.b, node.c}) {
            if (child != kNone && !ownsRows(node.op, child, node))
                node.height = std::max<std::uint16_t>(node.height, nodes[child].height + 1);
        }
        if (node.height > kDeepestPrintNode || nodes.size() == kMostPrintNodes)
            return unsupported("the expression is too large");
        nodes.push_back(node);
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }
    /// b and c of these are rows, not nodes.
    static bool ownsRows(PrintOp op, std::uint32_t child, const PrintNode& node) {
        return (op == PrintOp::Flags || op == PrintOp::Symbolic) && child != node.a;
    }
    Node constant(std::uint64_t bits, IntegerType type) {
        return add({.op = PrintOp::Constant, .type = type, .value = bits});
    }
    Node unary(PrintOp op, std::uint32_t a, IntegerType type = {}) {
        return add({.op = op, .type = type, .a = a});
    }

    /// Adjacent string constants are one.
    std::string takeString() {
        std::string text;
        while (lexer_.peek().kind == TokenKind::String)
            appendUnescaped(lexer_.take().text, text);
        return text;
    }
    std::uint32_t addText(std::string text) {
        parsed_.ast.texts.push_back(std::move(text));
        return static_cast<std::uint32_t>(parsed_.ast.texts.size() - 1);
    }
    Node text() { return add({.op = PrintOp::Text, .value = addText(takeString())}); }

    Node expression() {
        if (depth_ == kDeepest)
            return unsupported("the expression is nested too deeply");
        ++depth_;
        Node node = conditional();
        --depth_;
        return node;
    }

    Node conditional() {
        const std::uint32_t condition = TRY(binary(1));
        if (!lexer_.take("?"))
            return condition;
        const std::uint32_t yes = TRY(expression());
        TRY(expect(":"));
        const std::uint32_t no = TRY(expression());
        return add({.op = PrintOp::Conditional, .a = condition, .b = yes, .c = no});
    }

    Node binary(int loosest) {
        std::uint32_t left = TRY(prefixed());
        for (;;) {
            const BinaryRow* row = binaryOperator();
            if (row == nullptr || row->precedence < loosest)
                return left;
            lexer_.take();
            const std::uint32_t right = TRY(binary(row->precedence + 1));
            left = TRY(add({.op = row->op, .a = left, .b = right}));
        }
    }
    const BinaryRow* binaryOperator() const {
        if (lexer_.peek().kind != TokenKind::Operator)
            return nullptr;
        const auto row = std::ranges::find(kBinary, lexer_.peek().text, &BinaryRow::text);
        return row == kBinary.end() ? nullptr : &*row;
    }

    /// A unary operator with its operand, or a postfix expression.
    Node prefixed() {
        if (depth_ == kDeepest)
            return unsupported("the expression is nested too deeply");
        ++depth_;
        Node node = prefixedWithin();
        --depth_;
        return node;
    }
    Node prefixedWithin() {
        if (lexer_.take("-"))
            return unary(PrintOp::Negate, TRY(prefixed()));
        if (lexer_.take("~"))
            return unary(PrintOp::Complement, TRY(prefixed()));
        if (lexer_.take("!"))
            return unary(PrintOp::Not, TRY(prefixed()));
        if (lexer_.take("+"))
            return prefixed();
        if (lexer_.take("*"))
            return unary(PrintOp::Dereference, TRY(prefixed()));
        if (lexer_.take("&"))
            return addressOf();
        if (const auto type = takeCast())
            return castTo(*type, TRY(prefixed()));
        return postfix(TRY(primary()));
    }

    Node postfix(std::uint32_t node) {
        while (lexer_.take("[")) {
            const std::uint32_t index = TRY(expression());
            TRY(expect("]"));
            node = TRY(add({.op = PrintOp::Subscript, .a = node, .b = index}));
        }
        return node;
    }

    Node addressOf() {
        const std::uint32_t node = TRY(prefixed());
        PrintNode& operand = parsed_.ast.nodes[node];
        if (operand.op != PrintOp::Field)
            return unsupported("the address of something other than a field");
        operand.op = PrintOp::AddressOf;
        return node;
    }

    /// "(TYPE)" if what follows makes it a cast.
    std::optional<PrintType> takeCast() {
        PrintLexer ahead = lexer_;
        if (!ahead.take("(") || ahead.peek().kind != TokenKind::Name ||
            isFunction(ahead.peek().text))
            return std::nullopt;
        const auto type = takePrintType(ahead, longSize_);
        if (!type || !ahead.take(")") || !beginsOperand(ahead.peek(), *type))
            return std::nullopt;
        lexer_ = ahead;
        return type;
    }
    /// After a name we do not know, "(name) - 1" is a difference.
    static bool beginsOperand(const PrintToken& token, const PrintType& type) {
        if (token.kind == TokenKind::Operator)
            return token.text == "(" || token.text == "~" || token.text == "!" ||
                   (type.form != PrintType::Form::Unknown &&
                    (token.text == "-" || token.text == "*" || token.text == "&"));
        return token.kind != TokenKind::End && token.kind != TokenKind::Bad;
    }
    Node castTo(const PrintType& type, std::uint32_t operand) {
        if (type.form == PrintType::Form::Unknown)
            return operand;
        const bool pointer = type.form == PrintType::Form::Pointer;
        return unary(pointer ? PrintOp::PointerCast : PrintOp::Cast, operand, type.integer);
    }

    Node primary() {
        const PrintToken& next = lexer_.peek();
        switch (next.kind) {
        case TokenKind::Number:
            return number();
        case TokenKind::Character:
            return character();
        case TokenKind::String:
            return text();
        case TokenKind::Name:
            return named();
        default:
            break;
        }
        if (!lexer_.take("("))
            return unexpected("an expression");
        if (takeRecord())
            return field();
        if (lexer_.peek().is("{"))
            return unsupported("statements are not evaluated");
        const std::uint32_t node = TRY(expression());
        TRY(expect(")"));
        return node;
    }

    Node number() {
        const auto value = parsePrintNumber(lexer_.peek().text, longSize_);
        if (!value)
            return unexpected("a number");
        lexer_.take();
        return constant(value->bits, value->type);
    }
    Node character() {
        std::string value;
        appendUnescaped(lexer_.take().text, value);
        if (value.size() != 1)
            return unexpected("a character constant of one character");
        const auto code = PrintInteger::of(static_cast<unsigned char>(value.front()), {1, true});
        return constant(code.bits, {4, true});
    }

    Node named() {
        const std::string_view name = lexer_.take().text;
        if (name == "REC")
            return field();
        if (name == "sizeof")
            return sizeOf();
        if (lexer_.peek().is("("))
            return call(name);
        if (const auto value = knownEnumerator(name))
            return constant(*value, {4, true});
        // A variable of the kernel, or an enumerator: only what needs its value is not shown.
        return add({.op = PrintOp::Unknown});
    }

    /// "(REC)", whose first parenthesis is already taken: old kernels put the macro's argument in
    /// parentheses.
    bool takeRecord() {
        PrintLexer ahead = lexer_;
        const bool found = ahead.take().text == "REC" && ahead.take(")") && ahead.peek().is("->");
        if (found)
            lexer_ = ahead;
        return found;
    }
    Node field() {
        TRY(expect("->"));
        std::string_view name = lexer_.take().text;
        while (lexer_.take(".")) // a member of a struct: its fields are listed by their own names
            name = lexer_.take().text;
        if (const EventField* found = format_.find(name))
            return add({.op = PrintOp::Field, .value = addField(*found)});
        for (const std::string_view prefix : {"__data_loc_", "__rel_loc_"}) {
            if (!name.starts_with(prefix))
                continue;
            if (const EventField* found = format_.find(name.substr(prefix.size())))
                return add({.op = PrintOp::LocationWord, .value = addField(*found)});
        }
        return unsupported(fmt::format("the event has no field \"{}\"", name));
    }
    std::uint64_t addField(const EventField& field) {
        parsed_.ast.fields.push_back({field.offset, field.size, field.placement,
                                      field.isArray || field.size == 0,
                                      fieldElement(field, longSize_)});
        return parsed_.ast.fields.size() - 1;
    }

    Node sizeOf() {
        TRY(expect("("));
        std::uint64_t size = 0;
        if (lexer_.peek().kind == TokenKind::Name && lexer_.peek().text == "REC") {
            const std::uint32_t node = TRY(prefixed());
            const PrintNode& operand = parsed_.ast.nodes[node];
            if (operand.op != PrintOp::Field)
                return unsupported("the size of something other than a field");
            size = parsed_.ast.fields[operand.value].size;
        } else {
            const auto type = takePrintType(lexer_, longSize_);
            if (!type || type->form == PrintType::Form::Unknown)
                return unsupported("the size of an unknown type");
            size = type->form == PrintType::Form::Pointer ? static_cast<std::uint64_t>(longSize_)
                                                          : type->integer.size;
        }
        TRY(expect(")"));
        return constant(size, {static_cast<std::uint8_t>(longSize_), false});
    }

    Node call(std::string_view name) {
        const PrintFunction* function = findPrintFunction(name);
        if (function == nullptr)
            return unsupported(fmt::format("the function \"{}\" is not known", name));
        TRY(expect("("));
        const std::uint32_t node = TRY(callBody(*function));
        TRY(expect(")"));
        return node;
    }
    static bool isFunction(std::string_view name) {
        return name == "REC" || name == "sizeof" || findPrintFunction(name) != nullptr;
    }

    Node callBody(const PrintFunction& function) {
        switch (function.form) {
        case PrintFunction::Form::Field:
            return dynamicField(function.op);
        case PrintFunction::Form::Rows:
            return table(function.op);
        case PrintFunction::Form::Expressions:
            return operands(function);
        case PrintFunction::Form::First:
            return firstOf();
        case PrintFunction::Form::Scaled:
            return scaled(function.op);
        }
        return unsupported("the function is not known");
    }

    Node dynamicField(PrintOp op) {
        const std::string_view name = lexer_.take().text;
        const EventField* field = format_.find(name);
        if (field == nullptr)
            return unsupported(fmt::format("the event has no field \"{}\"", name));
        if (op == PrintOp::DynamicLength && field->placement == FieldPlacement::Fixed)
            return constant(field->size, {4, true});
        return add({.op = op, .value = addField(*field)});
    }

    /// The value of __builtin_expect and the like is that of the first argument.
    Node firstOf() {
        const std::uint32_t node = TRY(expression());
        while (lexer_.take(","))
            TRY(expression());
        return node;
    }

    /// ns to s, and what is left.
    Node scaled(PrintOp op) {
        const std::uint32_t value = TRY(unary(PrintOp::Cast, TRY(expression()), {8, false}));
        constexpr std::uint64_t kSecond = 1'000'000'000;
        const std::uint32_t second = TRY(constant(kSecond, {8, false}));
        return add({.op = op, .a = value, .b = second});
    }

    Node operands(const PrintFunction& function) {
        std::array<std::uint32_t, 3> nodes = {kNone, kNone, kNone};
        for (int index = 0; index < function.operandCount; ++index) {
            if (index > 0)
                TRY(expect(","));
            nodes[static_cast<std::size_t>(index)] = TRY(expression());
        }
        // An array without a count has its element's size second.
        if (function.op == PrintOp::Array && function.operandCount == 2)
            std::swap(nodes[1], nodes[2]);
        return add({.op = function.op, .a = nodes[0], .b = nodes[1], .c = nodes[2]});
    }

    Node table(PrintOp op) {
        const std::uint32_t key = TRY(expression());
        std::uint32_t delimiter = kNone;
        if (op == PrintOp::Flags) {
            TRY(expect(","));
            if (lexer_.peek().kind != TokenKind::String && lexer_.peek().text != "NULL")
                return unexpected("the text between flags");
            if (lexer_.peek().kind != TokenKind::String)
                lexer_.take();
            delimiter = addText(takeString());
        }
        std::vector<PrintRow> rows;
        while (lexer_.take(",") && lexer_.peek().is("{"))
            TRY(row(rows));
        auto& all = parsed_.ast.rows;
        if (all.size() + rows.size() > kMostPrintRows)
            return unsupported("the table is too large");
        const auto first = static_cast<std::uint32_t>(all.size());
        all.insert(all.end(), rows.begin(), rows.end());
        return add({.op = op,
                    .a = key,
                    .b = first,
                    .c = static_cast<std::uint32_t>(rows.size()),
                    .value = delimiter});
    }

    /// { VALUE, "TEXT" }. A value that no file tells (an enumerator of an old kernel) leaves its
    /// row out: such numbers are shown as numbers.
    Result<void> row(std::vector<PrintRow>& rows) {
        TRY(expect("{"));
        const std::size_t nodeCount = parsed_.ast.nodes.size();
        const std::size_t fieldCount = parsed_.ast.fields.size();
        const std::uint32_t root = TRY(expression());
        const auto value = PrintEvaluator(parsed_.ast, PrintContext{}).integer(root);
        parsed_.ast.nodes.resize(nodeCount);
        parsed_.ast.fields.resize(fieldCount);
        TRY(expect(","));
        if (lexer_.peek().kind != TokenKind::String)
            return unexpected("a row's text");
        const std::uint32_t text = addText(takeString());
        if (value)
            rows.push_back({value->bits, text});
        if (parsed_.ast.texts.size() > 2 * kMostPrintRows)
            return unsupported("the table is too large");
        return expect("}");
    }

    const EventFormat& format_;
    PrintLexer lexer_;
    int longSize_;
    int depth_ = 0;
    ParsedPrint parsed_;
};

} // namespace

Result<ParsedPrint> parsePrintText(const EventFormat& format, int longSize) {
    return PrintParser(format, longSize).parse();
}

} // namespace inversight
