// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/spin.h"

#include "core/lock/owner_watch.h"

#include <cassert>

namespace inversight {

bool SpinLock::take(const Waiter& waiter) {
    std::int32_t free = 0;
    return owner_.compare_exchange_strong(free, waiter.tid, std::memory_order_acquire,
                                          std::memory_order_relaxed);
}

AcquireOutcome SpinLock::acquire(Waiter& waiter, std::stop_token stop) {
    while (!take(waiter)) {
        if (owner_.load(std::memory_order_relaxed) == waiter.tid)
            return Deadlock{{{.thread = waiter.name}}};
        // Reading leaves the cache line with the owner until the lock is free.
        while (owner_.load(std::memory_order_relaxed) != 0) {
            if (stop.stop_requested())
                return Interrupted{};
            relaxCpu();
        }
    }
    return Acquired{};
}

AcquireOutcome SpinLock::tryAcquire(Waiter& waiter) {
    if (take(waiter))
        return Acquired{};
    return WouldBlock{};
}

void SpinLock::release([[maybe_unused]] Waiter& waiter) {
    assert(owner_.load(std::memory_order_relaxed) == waiter.tid &&
           "released by a thread without it");
    owner_.store(0, std::memory_order_release);
}

std::unique_ptr<LockPolicy> makeSpin(const LockSetup&) {
    return std::make_unique<SpinLock>();
}

} // namespace inversight
