// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string>
#include <string_view>

namespace inversight {

/// The lines of /proc/kallsyms a recording of ours needs: the function that writes markers, which
/// every ftrace/print record names by address, and the symbol behind it, which bounds it. All
/// other symbols would be 5 MB in every file for addresses that no event we record shows as code.
/// Empty where the kernel hides addresses.
[[nodiscard]] std::string markerSymbols(std::string_view kallsyms);

} // namespace inversight
