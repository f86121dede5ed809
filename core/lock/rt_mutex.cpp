// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/rt_mutex.h"

#include <cassert>
#include <cerrno>

namespace inversight {

bool RtMutexLock::take(const Waiter& waiter) {
    std::uint32_t free = 0;
    return word_.compare_exchange_strong(free, static_cast<std::uint32_t>(waiter.tid),
                                         std::memory_order_acquire, std::memory_order_relaxed);
}

AcquireOutcome RtMutexLock::acquire(Waiter& waiter, std::stop_token stop) {
    if (take(waiter))
        return Acquired{};
    return wait(waiter, stop);
}

AcquireOutcome RtMutexLock::wait(Waiter& waiter, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const int error = futexLockPi(word_, kWaitSliceNs);
        switch (error) {
        case 0:
            // The kernel wrote our TID; this load orders us behind the releasing thread.
            static_cast<void>(word_.load(std::memory_order_acquire));
            return Acquired{};
        case ETIMEDOUT:
        case EINTR:
        case EAGAIN:
            continue;
        case EDEADLK:
            return Deadlock{{waiter.name}};
        default:
            return NotPermitted{Error::fromErrno(error, "the kernel refuses FUTEX_LOCK_PI")};
        }
    }
    return Interrupted{};
}

AcquireOutcome RtMutexLock::tryAcquire(Waiter& waiter) {
    if (take(waiter))
        return Acquired{};
    return WouldBlock{};
}

void RtMutexLock::release(Waiter& waiter) {
    auto own = static_cast<std::uint32_t>(waiter.tid);
    if (word_.compare_exchange_strong(own, 0, std::memory_order_release, std::memory_order_relaxed))
        return;
    // Waiters are in the kernel, which hands over and writes the word itself, out of sight of the
    // C++ memory model: this release pairs with the acquire behind the next owner's system call.
    word_.fetch_or(0, std::memory_order_release);
    int error = 0;
    do {
        error = futexUnlockPi(word_);
    } while (error == EINTR || error == EAGAIN);
    assert(error == 0 && "released by a thread that does not own the lock");
}

std::uint64_t RtMutexLock::futexAddress() const {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&word_));
}

std::unique_ptr<LockPolicy> makeRtMutex() {
    return std::make_unique<RtMutexLock>();
}

} // namespace inversight
