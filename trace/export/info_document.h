// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/trace_source.h"
#include "trace/export/json_document.h"

namespace inversight {

/// `inversight info FILE`: what a file is and holds, without any conclusion.
/// Schema: resources/schema/info.schema.json (inversight.info/1).
[[nodiscard]] JsonDocument infoDocument(const LoadedTrace& trace, std::string tool);

/// The same for people. Losses stand first.
[[nodiscard]] std::string infoText(const LoadedTrace& trace);

} // namespace inversight
