// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/print_types.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

struct TypeRow {
    std::string_view name;
    std::uint8_t size; ///< 0: a long
    bool isSigned;
};

// include/linux/types.h and include/uapi/asm-generic/int-ll64.h
constexpr std::array kTypedefs = {
    TypeRow{"bool", 1, false},      TypeRow{"_Bool", 1, false},
    TypeRow{"u8", 1, false},        TypeRow{"u16", 2, false},
    TypeRow{"u32", 4, false},       TypeRow{"u64", 8, false},
    TypeRow{"s8", 1, true},         TypeRow{"s16", 2, true},
    TypeRow{"s32", 4, true},        TypeRow{"s64", 8, true},
    TypeRow{"__u8", 1, false},      TypeRow{"__u16", 2, false},
    TypeRow{"__u32", 4, false},     TypeRow{"__u64", 8, false},
    TypeRow{"__s8", 1, true},       TypeRow{"__s16", 2, true},
    TypeRow{"__s32", 4, true},      TypeRow{"__s64", 8, true},
    TypeRow{"uint8_t", 1, false},   TypeRow{"uint16_t", 2, false},
    TypeRow{"uint32_t", 4, false},  TypeRow{"uint64_t", 8, false},
    TypeRow{"int8_t", 1, true},     TypeRow{"int16_t", 2, true},
    TypeRow{"int32_t", 4, true},    TypeRow{"int64_t", 8, true},
    TypeRow{"__be16", 2, false},    TypeRow{"__be32", 4, false},
    TypeRow{"__be64", 8, false},    TypeRow{"__le16", 2, false},
    TypeRow{"__le32", 4, false},    TypeRow{"__le64", 8, false},
    TypeRow{"uint", 4, false},      TypeRow{"ulong", 0, false},
    TypeRow{"ushort", 2, false},    TypeRow{"size_t", 0, false},
    TypeRow{"ssize_t", 0, true},    TypeRow{"uintptr_t", 0, false},
    TypeRow{"pid_t", 4, true},      TypeRow{"gfp_t", 4, false},
    TypeRow{"fmode_t", 4, false},   TypeRow{"umode_t", 2, false},
    TypeRow{"blk_opf_t", 4, false}, TypeRow{"uid_t", 4, false},
    TypeRow{"gid_t", 4, false},     TypeRow{"loff_t", 8, true},
    TypeRow{"sector_t", 8, false},  TypeRow{"dma_addr_t", 8, false},
    TypeRow{"off_t", 0, true},      TypeRow{"phys_addr_t", 8, false},
    TypeRow{"ino_t", 0, false},
};

/// The words of "unsigned long int" and the like, counted.
class TypeWords {
public:
    explicit TypeWords(int longSize) : longSize_(static_cast<std::uint8_t>(longSize)) {}

    /// False for a word that cannot continue the type.
    bool add(std::string_view word) {
        if (word == "const" || word == "volatile" || word == "__user" || word == "__iomem")
            return true;
        if (word == "unsigned" || word == "signed") {
            sign_ = word;
            return any_ = true;
        }
        if (word == "long") {
            ++longs_;
            return any_ = true;
        }
        if (word == "char" || word == "short" || word == "int" || word == "void") {
            base_ = base_ == "short" || base_ == "char" ? base_ : word;
            return any_ = true;
        }
        return any_ ? false : addTypedef(word);
    }

    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] IntegerType integer() const {
        if (typedef_)
            return *typedef_;
        const bool isSigned = sign_ != "unsigned";
        if (longs_ > 0)
            return {longs_ > 1 ? std::uint8_t{8} : longSize_, isSigned};
        if (base_ == "char" || base_ == "void")
            return {1, isSigned};
        return {base_ == "short" ? std::uint8_t{2} : std::uint8_t{4}, isSigned};
    }

private:
    bool addTypedef(std::string_view word) {
        const auto row = std::ranges::find(kTypedefs, word, &TypeRow::name);
        if (row == kTypedefs.end())
            return false;
        typedef_ = IntegerType{row->size == 0 ? longSize_ : row->size, row->isSigned};
        return any_ = true;
    }

    std::uint8_t longSize_;
    bool any_ = false;
    int longs_ = 0;
    std::string_view sign_;
    std::string_view base_;
    std::optional<IntegerType> typedef_;
};

/// "struct NAME", "union NAME", "enum NAME".
std::optional<PrintType> takeTagged(PrintLexer& lexer) {
    const bool isEnum = lexer.take().text == "enum";
    if (lexer.take().kind != PrintToken::Kind::Name)
        return std::nullopt;
    return PrintType{isEnum ? PrintType::Form::Integer : PrintType::Form::Unknown, {4, false}};
}

std::optional<PrintType> takeBase(PrintLexer& lexer, int longSize) {
    TypeWords words(longSize);
    while (lexer.peek().kind == PrintToken::Kind::Name) {
        const std::string_view word = lexer.peek().text;
        if (!words.any() && (word == "struct" || word == "union" || word == "enum"))
            return takeTagged(lexer);
        if (!words.add(word))
            break;
        lexer.take();
    }
    if (words.any())
        return PrintType{PrintType::Form::Integer, words.integer()};
    const PrintToken name = lexer.take();
    if (name.kind != PrintToken::Kind::Name || name.text == "REC")
        return std::nullopt;
    return PrintType{PrintType::Form::Unknown, {}};
}

} // namespace

std::optional<PrintType> takePrintType(PrintLexer& lexer, int longSize) {
    std::optional<PrintType> type = takeBase(lexer, longSize);
    const auto skipQualifiers = [&] {
        while (lexer.peek().kind == PrintToken::Kind::Name && lexer.peek().text == "const")
            lexer.take();
    };
    skipQualifiers();
    while (type && lexer.take("*")) {
        // What a pointer to a pointer, or to an unknown struct, points to has no integer of ours.
        const bool plain = type->form == PrintType::Form::Integer;
        type = PrintType{PrintType::Form::Pointer,
                         plain ? type->integer
                               : IntegerType{static_cast<std::uint8_t>(longSize), false}};
        skipQualifiers();
    }
    return type;
}

IntegerType fieldElement(const EventField& field, int longSize) {
    const auto isSize = [](std::uint32_t size) {
        return size == 1 || size == 2 || size == 4 || size == 8;
    };
    if (!field.isArray && isSize(field.size))
        return {static_cast<std::uint8_t>(field.size), field.isSigned};
    PrintLexer lexer(field.type);
    const auto type = takePrintType(lexer, longSize);
    if (!type || type->form == PrintType::Form::Unknown)
        return {1, field.isSigned};
    if (type->form == PrintType::Form::Pointer)
        return {static_cast<std::uint8_t>(longSize), false};
    return type->integer;
}

} // namespace inversight
