// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/owner_watch.h"

#include <ctime>

namespace inversight {

std::int64_t OwnerWatch::nowNs() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

void OwnerWatch::count(std::int64_t spunNs, bool success) {
    spins_.fetch_add(1, std::memory_order_relaxed);
    spunNs_.fetch_add(static_cast<std::uint64_t>(spunNs), std::memory_order_relaxed);
    successes_.fetch_add(success ? 1 : 0, std::memory_order_relaxed);
}

} // namespace inversight
