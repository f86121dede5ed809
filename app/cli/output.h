// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/export/json_document.h"

#include <string>
#include <string_view>

namespace inversight {

/// "inversight 0.1.0": who wrote a document or a manifest.
[[nodiscard]] std::string toolName();
[[nodiscard]] std::string_view programVersion();

/// A document of this tool, without data yet.
[[nodiscard]] JsonDocument makeDocument(std::string schema);

/// Writes to standard output; whether it arrived is looked at once, when the verb has ended.
void print(std::string_view text);

} // namespace inversight
