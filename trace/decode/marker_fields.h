// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_fields.h"

#include <string>
#include <string_view>

namespace inversight {

/// What a print event's text says, as the store's typed fields (MarkerKind::Text for anything the
/// marker codec does not know). A final newline is not part of the text. Views point into `text` or
/// into `scratch`, which is overwritten. Reentrant.
[[nodiscard]] MarkerFields markerFields(std::string_view text, std::string& scratch);

} // namespace inversight
