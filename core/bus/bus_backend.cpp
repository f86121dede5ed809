// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/bus_backend.h"

#include "core/bus/thread_clock.h"

namespace inversight {

namespace {

// A long wire time looks at the stop request this often.
constexpr std::int64_t kStopSliceNs = 50'000'000;

} // namespace

Result<void> BusBackend::serve(BusService /*service*/, TransferCaller& /*caller*/) {
    return std::unexpected(
        Error{ErrorCode::Unsupported, "this bus has no helper threads of the scenario's"});
}

bool sleepUntilOrStopped(std::int64_t endNs, const TransferCaller& caller) {
    for (std::int64_t now = monotonicNs(); endNs - now > kStopSliceNs; now = monotonicNs()) {
        if (caller.stopRequested())
            return false;
        sleepUntil(now + kStopSliceNs);
    }
    sleepUntil(endNs);
    return true;
}

} // namespace inversight
