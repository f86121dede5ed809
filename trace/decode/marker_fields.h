// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/marker.h"
#include "trace/model/event_fields.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace inversight {

/// "K of N" of a ManifestPart; MarkerFields has no room for N.
struct ManifestPlace {
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};

/// The columns of a print event's text: a marker of ours or of atrace by the codec, anything else
/// as Text without the final newline. `place` is set for a manifest part. Views point into `text`
/// or `unescaped`.
[[nodiscard]] MarkerFields decodeMarker(std::string_view text, std::string& unescaped,
                                        ManifestPlace& place);

} // namespace inversight
