// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace inversight {

/// One line of an events/*/format, header_page or header_event text of tracefs:
/// `field:DECLARATION; offset:N; size:N; signed:N;`. Kernels before 2.6.33 have no `signed`.
struct FieldLine {
    std::string_view declaration; ///< "char prev_comm[16]", trimmed, never empty
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    bool isSigned = false;
};

/// The largest offset or size a field may claim: a ring-buffer record is never near it.
inline constexpr std::uint32_t kMaxFieldExtent = 1 << 24;

/// Parses a line that begins, after blanks, with "field" (also "field special", as 2.6 kernels
/// write). Corrupt says what was expected.
[[nodiscard]] Result<FieldLine> parseFieldLine(std::string_view line);

/// Without blanks, tabs and carriage returns at both ends.
[[nodiscard]] std::string_view trimBlanks(std::string_view text);

} // namespace inversight
