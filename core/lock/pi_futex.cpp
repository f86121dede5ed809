// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/pi_futex.h"

#include <cassert>
#include <cerrno>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inversight {

bool PiFutex::hasKernelWaiters() const {
    return (word_.load(std::memory_order_relaxed) & FUTEX_WAITERS) != 0;
}

AcquireOutcome PiFutex::wait(const Waiter& waiter, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const int error = futexLockPi(word_, LockPolicy::kWaitSliceNs, scope_);
        switch (error) {
        case 0:
            return owned();
        case ESRCH:
            buryOwner();
            continue;
        case ETIMEDOUT:
        case EINTR:
        case EAGAIN:
            continue;
        case EDEADLK:
            return Deadlock{{{.thread = waiter.name}}};
        default:
            return NotPermitted{Error::fromErrno(error, "the kernel refuses FUTEX_LOCK_PI")};
        }
    }
    return Interrupted{};
}

/// The kernel wrote our TID; the acquire orders us behind the releasing thread.
Acquired PiFutex::owned() {
    const std::uint32_t died = FUTEX_OWNER_DIED;
    return {.ownerDied = (word_.fetch_and(~died, std::memory_order_acquire) & died) != 0};
}

/// Does what the kernel does for a robust list: the word of a dead owner says so, and is free.
void PiFutex::buryOwner() {
    std::uint32_t word = word_.load(std::memory_order_relaxed);
    const std::uint32_t tid = word & FUTEX_TID_MASK;
    // Between the kernel's answer and here somebody alive may have taken it.
    if (tid == 0 || syscall(SYS_tkill, tid, 0) == 0 || errno != ESRCH)
        return;
    word_.compare_exchange_strong(word, (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED,
                                  std::memory_order_relaxed);
}

void PiFutex::release(const Waiter& waiter) {
    auto own = static_cast<std::uint32_t>(waiter.tid);
    if (word_.compare_exchange_strong(own, 0, std::memory_order_release, std::memory_order_relaxed))
        return;
    // Waiters are in the kernel, which hands over and writes the word itself, out of sight of the
    // C++ memory model: this release pairs with the acquire behind the next owner's system call.
    word_.fetch_or(0, std::memory_order_release);
    int error = 0;
    do {
        error = futexUnlockPi(word_, scope_);
    } while (error == EINTR || error == EAGAIN);
    assert(error == 0 && "released by a thread that does not own the lock");
}

} // namespace inversight
