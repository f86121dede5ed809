// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/byte_order.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace inversight {

/// A symbol that contains an address.
struct KernelSymbol {
    std::string_view name;
    std::uint64_t offset = 0; ///< of the address in it
};

/// What a file knows about addresses of the kernel it was recorded on. Reentrant.
class KernelNames {
public:
    virtual ~KernelNames() = default;
    [[nodiscard]] virtual std::optional<KernelSymbol> symbol(std::uint64_t address) const = 0;
    /// A string constant that formats refer to by its address (printk_formats).
    [[nodiscard]] virtual std::optional<std::string_view> text(std::uint64_t address) const = 0;
};

/// One record on its way to text. Borrowed for the call.
struct PrintContext {
    std::span<const std::byte> record;
    ByteOrder order = ByteOrder::Little;
    std::uint8_t longSize = 8;
    const KernelNames* names = nullptr; ///< null: no addresses are known
};

} // namespace inversight
