// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/print_context.h"
#include "trace/decode/print_conversion.h"
#include "trace/decode/print_evaluator.h"

#include <cstdint>
#include <string>

namespace inversight {

/// Appends what a %p conversion with its letters shows of `value`: a symbol, an address of a
/// network, a UUID, bytes (the first `count`). False where it points outside the record.
[[nodiscard]] bool appendPointer(const PrintConversion& conversion, const PrintValue& value,
                                 const PrintContext& context, std::int64_t count, std::string& out);

/// "vfs_read", with `withOffset` "vfs_read+0x12"; "0xffffffff81200012" if no symbol is known.
void appendSymbol(std::uint64_t address, const KernelNames* names, bool withOffset,
                  std::string& out);

} // namespace inversight
