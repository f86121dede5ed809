// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/output.h"

#include <cstdio>

namespace inversight {

std::string toolName() {
    return "inversight " INVERSIGHT_VERSION;
}

std::string_view programVersion() {
    return INVERSIGHT_VERSION;
}

JsonDocument makeDocument(std::string schema) {
    JsonDocument document;
    document.schema = std::move(schema);
    document.tool = toolName();
    return document;
}

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace inversight
