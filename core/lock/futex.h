// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <atomic>
#include <cstdint>

/// The futex system calls the policies are made of (futex(2)); glibc has no wrappers. `scope` must
/// be the same for all users of a word. Each call returns 0 or the positive errno. Thread-safe.
namespace inversight {

using FutexWord = std::atomic<std::uint32_t>;
static_assert(sizeof(FutexWord) == 4 && FutexWord::is_always_lock_free);

/// Sleeps while `word` holds `expected`, at most `timeoutNs` (ETIMEDOUT). EAGAIN: it does not hold
/// it; EINTR: a signal came.
[[nodiscard]] int futexWait(FutexWord& word, std::uint32_t expected, std::int64_t timeoutNs,
                            LockScope scope);

/// Wakes at most one waiter of `word`.
void futexWakeOne(FutexWord& word, LockScope scope);
void futexWakeAll(FutexWord& word, LockScope scope);

/// FUTEX_LOCK_PI2 with a timeout on CLOCK_MONOTONIC, or FUTEX_LOCK_PI with CLOCK_REALTIME where the
/// kernel is older than 5.14. 0: the caller owns the lock. ETIMEDOUT, EINTR, EAGAIN (the owner is
/// just ending): try again; EDEADLK: it would never come; ESRCH: no thread has the owner's TID.
[[nodiscard]] int futexLockPi(FutexWord& word, std::int64_t timeoutNs, LockScope scope);

/// FUTEX_UNLOCK_PI: deboosts the caller and hands the lock to the top waiter.
[[nodiscard]] int futexUnlockPi(FutexWord& word, LockScope scope);

} // namespace inversight
