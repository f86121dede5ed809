// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>

namespace inversight {

/// Says when nothing has moved for too long. Told the time, so that tests need not wait.
/// Thread-bound.
class Watchdog {
public:
    Watchdog(std::int64_t limitNs, std::int64_t nowNs) : limitNs_(limitNs), lastMoveNs_(nowNs) {}

    /// `progress` is any counter that grows with the work. True once it has stood for the limit.
    [[nodiscard]] bool expired(std::uint64_t progress, std::int64_t nowNs) {
        if (progress != progress_) {
            progress_ = progress;
            lastMoveNs_ = nowNs;
        }
        return nowNs - lastMoveNs_ >= limitNs_;
    }

private:
    std::int64_t limitNs_;
    std::int64_t lastMoveNs_;
    std::uint64_t progress_ = 0;
};

} // namespace inversight
