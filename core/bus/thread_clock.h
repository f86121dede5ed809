// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <chrono>
#include <cstdint>

/// Time as a worker thread lives it. Thread-safe; nothing here allocates or locks.
namespace inversight {

/// CLOCK_MONOTONIC, ns: the clock of traces recorded with `mono`.
[[nodiscard]] std::int64_t monotonicNs();

/// CPU time the calling thread has used, ns (CLOCK_THREAD_CPUTIME_ID).
[[nodiscard]] std::int64_t threadCpuNs();

/// Uses the CPU until the calling thread has spent `cost` of CPU time; being preempted makes it
/// longer on the clock, but never shorter.
void useCpu(std::chrono::nanoseconds cost);

/// Sleeps until `deadlineNs` of CLOCK_MONOTONIC, also across signals. An absolute sleep, so that
/// being preempted before it does not lengthen it.
void sleepUntil(std::int64_t deadlineNs);

} // namespace inversight
