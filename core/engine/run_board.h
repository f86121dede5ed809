// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/futex.h"

#include <cstdint>

namespace inversight {

/// Counts workers past a point, be they threads or processes that share its memory. Thread-safe.
class CountBoard {
public:
    void countIn();
    /// Waits until `count` have passed, at most `timeoutNs`; whether they have.
    [[nodiscard]] bool waitFor(std::size_t count, std::int64_t timeoutNs);

private:
    FutexWord count_{0};
};

} // namespace inversight
