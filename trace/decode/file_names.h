// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/print_context.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace inversight {

/// The symbols (kallsyms) and string constants (printk_formats) a file saved, by address. Parsed
/// when first asked for: a file of events that name no address never pays for it. The texts must
/// outlive it. Reentrant.
class FileNames final : public KernelNames {
public:
    FileNames(std::string_view kallsyms, std::string_view printkFormats)
        : kallsyms_(kallsyms), printkFormats_(printkFormats) {}

    /// The last symbol at or before the address; of several at one place the first in the file, as
    /// the kernel does it. O(log symbols).
    [[nodiscard]] std::optional<KernelSymbol> symbol(std::uint64_t address) const override;
    [[nodiscard]] std::optional<std::string_view> text(std::uint64_t address) const override;

private:
    struct Symbol {
        std::uint64_t address = 0;
        std::uint32_t nameBegin = 0; ///< in kallsyms_
        std::uint32_t nameSize = 0;
    };
    struct Text {
        std::uint64_t address = 0;
        std::string text;
    };
    void parseSymbols() const;
    void parseTexts() const;

    std::string_view kallsyms_;
    std::string_view printkFormats_;
    mutable std::once_flag symbolsParsed_;
    mutable std::once_flag textsParsed_;
    mutable std::vector<Symbol> symbols_; // both written once, under their flag
    mutable std::vector<Text> texts_;
};

} // namespace inversight
