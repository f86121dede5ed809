// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/lock/posix_mutex.h"

#include <cassert>
#include <cerrno>
#include <ctime>

namespace inversight {

PosixMutex::PosixMutex(LockScope scope, std::int32_t ceiling) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (scope == LockScope::SharedMemory)
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    if (ceiling > 0) {
        pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
        pthread_mutexattr_setprioceiling(&attributes, ceiling);
    }
    [[maybe_unused]] const int error = pthread_mutex_init(&mutex_, &attributes);
    assert(error == 0 && "a ceiling is a priority from 1 to 99");
    pthread_mutexattr_destroy(&attributes);
}

PosixMutex::~PosixMutex() {
    pthread_mutex_destroy(&mutex_);
}

AcquireOutcome PosixMutex::acquire(const Waiter& waiter, const std::stop_token& stop) {
    if (owner_.load(std::memory_order_relaxed) == waiter.tid)
        return Deadlock{{{.thread = waiter.name}}};
    while (!stop.stop_requested()) {
        if (const int error = lockForASlice(); error != ETIMEDOUT)
            return outcomeOf(error, waiter);
    }
    return Interrupted{};
}

int PosixMutex::lockForASlice() {
    // GCC 12's ThreadSanitizer knows pthread_mutex_timedlock, but not pthread_mutex_clocklock; the
    // other's clock may be set while one waits.
#if defined(__SANITIZE_THREAD__)
    constexpr clockid_t kClock = CLOCK_REALTIME;
#else
    constexpr clockid_t kClock = CLOCK_MONOTONIC;
#endif
    constexpr std::int64_t kSecondNs = 1'000'000'000;
    timespec now{};
    clock_gettime(kClock, &now);
    const std::int64_t end = now.tv_nsec + LockPolicy::kWaitSliceNs;
    const timespec deadline{.tv_sec = static_cast<time_t>(now.tv_sec + end / kSecondNs),
                            .tv_nsec = static_cast<long>(end % kSecondNs)};
#if defined(__SANITIZE_THREAD__)
    return pthread_mutex_timedlock(&mutex_, &deadline);
#else
    return pthread_mutex_clocklock(&mutex_, kClock, &deadline);
#endif
}

AcquireOutcome PosixMutex::tryAcquire(const Waiter& waiter) {
    return outcomeOf(pthread_mutex_trylock(&mutex_), waiter);
}

AcquireOutcome PosixMutex::outcomeOf(int error, const Waiter& waiter) {
    switch (error) {
    case 0:
        owner_.store(waiter.tid, std::memory_order_relaxed);
        return Acquired{};
    case EBUSY:
        return WouldBlock{};
    default:
        return NotPermitted{Error::fromErrno(error, "glibc refuses the mutex")};
    }
}

void PosixMutex::release([[maybe_unused]] const Waiter& waiter) {
    assert(owner_.load(std::memory_order_relaxed) == waiter.tid &&
           "released by a thread without it");
    owner_.store(0, std::memory_order_relaxed);
    pthread_mutex_unlock(&mutex_);
}

} // namespace inversight
