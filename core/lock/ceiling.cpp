// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/ceiling.h"

#include <fmt/format.h>

namespace inversight {

namespace {

constexpr std::int32_t kHighestRtPriority = 99;

} // namespace

bool CeilingLock::permits(const Waiter& waiter) const {
    return !waiter.isFair() && waiter.kernelPriority >= kHighestRtPriority - ceiling_;
}

NotPermitted CeilingLock::refusal(const Waiter& waiter) const {
    if (waiter.isFair() || waiter.kernelPriority < 0)
        return {{ErrorCode::Unsupported,
                 fmt::format("{} is no FIFO or RR thread: a ceiling cannot be kept for it",
                             waiter.name),
                 "", "give it a real-time priority, or choose another policy"}};
    return {{ErrorCode::InvalidArgument,
             fmt::format("{} has priority {}, above the lock's ceiling {}", waiter.name,
                         kHighestRtPriority - waiter.kernelPriority, ceiling_)}};
}

AcquireOutcome CeilingLock::acquire(Waiter& waiter, std::stop_token stop) {
    if (!permits(waiter))
        return refusal(waiter);
    return mutex_.acquire(waiter, stop);
}

AcquireOutcome CeilingLock::tryAcquire(Waiter& waiter) {
    if (!permits(waiter))
        return refusal(waiter);
    return mutex_.tryAcquire(waiter);
}

std::unique_ptr<LockPolicy> makeCeiling(const LockSetup& setup) {
    return std::make_unique<CeilingLock>(setup);
}

} // namespace inversight
