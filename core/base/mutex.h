// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <mutex>

// Clang's thread-safety analysis; other compilers ignore the attributes.
#if defined(__clang__)
#define INVERSIGHT_TSA(x) __attribute__((x))
#else
#define INVERSIGHT_TSA(x)
#endif

#define INVERSIGHT_GUARDED_BY(m) INVERSIGHT_TSA(guarded_by(m))
#define INVERSIGHT_REQUIRES(m) INVERSIGHT_TSA(requires_capability(m))

namespace inversight {

/// std::mutex with the attributes that let clang prove `INVERSIGHT_GUARDED_BY(mutex_)`.
/// For our own bookkeeping only; the locks under study are in core/lock. Thread-safe.
class INVERSIGHT_TSA(capability("mutex")) Mutex {
public:
    void lock() INVERSIGHT_TSA(acquire_capability()) { mutex_.lock(); }
    void unlock() INVERSIGHT_TSA(release_capability()) { mutex_.unlock(); }

    /// For std::condition_variable_any, which needs a BasicLockable.
    Mutex& native() { return *this; }

private:
    std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class INVERSIGHT_TSA(scoped_lockable) MutexLock {
public:
    explicit MutexLock(Mutex& mutex) INVERSIGHT_TSA(acquire_capability(mutex)) : mutex_(mutex) {
        mutex_.lock();
    }
    ~MutexLock() INVERSIGHT_TSA(release_capability()) { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

private:
    Mutex& mutex_;
};

} // namespace inversight
