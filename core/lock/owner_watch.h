// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policy.h"

#include <atomic>
#include <cstdint>

namespace inversight {

/// What a waiter can know of whether the owner runs, and the bounded spin that goes by it.
///
/// A kernel sees whether the owner is on a CPU; user space does not. Known is only: an owner that
/// says it sleeps does not run, and neither does one pinned to the waiter's own CPU. An owner that
/// was preempted looks like one that runs: therefore the bound. Thread-safe.
class OwnerWatch {
public:
    /// The longest spin: that of an owner's work on the CPU around a bus transfer.
    static constexpr std::int64_t kMaxSpinNs = 50'000;

    /// The new owner writes itself down. Waiters may still see the last one for a moment.
    void taken(const Waiter& owner) {
        cpu_.store(owner.cpu, std::memory_order_relaxed);
        state_.store(OwnerState::Running, std::memory_order_relaxed);
    }
    void announce(OwnerState state) { state_.store(state, std::memory_order_relaxed); }

    /// Whether spinning makes sense for `waiter`.
    [[nodiscard]] bool mayRun(const Waiter& waiter) const {
        const bool sameCpu = waiter.cpu >= 0 && cpu_.load(std::memory_order_relaxed) == waiter.cpu;
        return !sameCpu && state_.load(std::memory_order_relaxed) == OwnerState::Running;
    }

    /// Repeats `tryTake` until it succeeds (true), the owner is known not to run, `worthwhile` ends
    /// or the bound is reached.
    template <class TryTake, class Worthwhile>
    [[nodiscard]] bool spin(const Waiter& waiter, TryTake tryTake, Worthwhile worthwhile);

    [[nodiscard]] LockStatistics statistics() const {
        return {.spinCount = spins_.load(std::memory_order_relaxed),
                .spunNs = spunNs_.load(std::memory_order_relaxed),
                .acquiredSpinningCount = successes_.load(std::memory_order_relaxed)};
    }

private:
    static constexpr int kTriesPerClockRead = 16;
    [[nodiscard]] static std::int64_t nowNs();
    void count(std::int64_t spunNs, bool success);

    std::atomic<std::int32_t> cpu_{-1};
    std::atomic<OwnerState> state_{OwnerState::Running};
    alignas(64) std::atomic<std::uint64_t> spins_{0};
    std::atomic<std::uint64_t> spunNs_{0};
    std::atomic<std::uint64_t> successes_{0};
};

/// Tells the CPU that it is in a spin loop.
inline void relaxCpu() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#elif defined(__arm__)
    asm volatile("yield" ::: "memory");
#endif
}

template <class TryTake, class Worthwhile>
bool OwnerWatch::spin(const Waiter& waiter, TryTake tryTake, Worthwhile worthwhile) {
    if (!worthwhile() || !mayRun(waiter))
        return false;
    const std::int64_t begin = nowNs();
    std::int64_t now = begin;
    bool taken = false;
    while (!taken && now - begin < kMaxSpinNs && worthwhile() && mayRun(waiter)) {
        for (int i = 0; i < kTriesPerClockRead && !taken; ++i) {
            relaxCpu();
            taken = tryTake();
        }
        now = nowNs();
    }
    count(now - begin, taken);
    return taken;
}

} // namespace inversight
