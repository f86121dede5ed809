// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <ostream>

namespace inversight {

/// Flushes `out`; Io if anything written to it did not arrive.
[[nodiscard]] inline Result<void> finishOutput(std::ostream& out) {
    out.flush();
    if (!out)
        return std::unexpected(Error{ErrorCode::Io, "the output could not be written", "output",
                                     "check that there is space left"});
    return {};
}

} // namespace inversight
