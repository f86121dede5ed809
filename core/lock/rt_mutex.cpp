// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/rt_mutex.h"

namespace inversight {

AcquireOutcome RtMutexLock::acquire(Waiter& waiter, std::stop_token stop) {
    if (futex_.take(waiter))
        return Acquired{};
    return futex_.wait(waiter, stop);
}

AcquireOutcome RtMutexLock::tryAcquire(Waiter& waiter) {
    if (futex_.take(waiter))
        return Acquired{};
    return WouldBlock{};
}

std::unique_ptr<LockPolicy> makeRtMutex(const LockSetup& setup) {
    return std::make_unique<RtMutexLock>(setup);
}

} // namespace inversight
