// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/pi_futex.h"

namespace inversight {

/// Priority inheritance by the kernel's own rt_mutex: a PI futex and nothing else. Thread-safe.
class RtMutexLock final : public LockPolicy {
public:
    explicit RtMutexLock(const LockSetup& setup) : futex_(setup.scope) {}

    [[nodiscard]] AcquireOutcome acquire(Waiter& waiter, std::stop_token stop) override;
    [[nodiscard]] AcquireOutcome tryAcquire(Waiter& waiter) override;
    void release(Waiter& waiter) override { futex_.release(waiter); }
    [[nodiscard]] std::uint64_t futexAddress() const override { return futex_.address(); }

private:
    PiFutex futex_;
};

[[nodiscard]] std::unique_ptr<LockPolicy> makeRtMutex(const LockSetup& setup);

} // namespace inversight
