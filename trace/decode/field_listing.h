// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/event_format.h"
#include "trace/decode/print_context.h"

#include <string>

namespace inversight {

/// Appends "name=value name=value" of all fields but the common ones: what is shown of an event
/// whose print format we cannot evaluate. Numbers by their sign, pointers in hex, arrays of char as
/// text if they are, other arrays as bytes in hex in brackets; "?" for what lies outside the
/// record.
void appendFields(const EventFormat& format, const PrintContext& context, std::string& out);

/// Appends bytes in hex, "01 a0 ff"; the first of very many.
void appendHexBytes(std::span<const std::byte> bytes, std::string& out);

} // namespace inversight
