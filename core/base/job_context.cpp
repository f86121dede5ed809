// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/job_context.h"

namespace inversight {

void JobContext::report(const Progress& progress) const {
    if (callback_)
        callback_(progress);
}

Result<void> JobContext::check(std::string_view phase) const {
    if (cancelled())
        return std::unexpected(
            Error{ErrorCode::Cancelled, std::string(phase) + " was stopped before it was done"});
    return {};
}

} // namespace inversight
