// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/analysis/analysis.h"

#include <string>

namespace inversight {

using LockId = StrongId<struct LockIdTag, std::uint32_t>;

enum class LockSource : std::uint8_t { Marker, Futex, Contention };
[[nodiscard]] const char* lockSourceName(LockSource source);

/// A lock as people should read it: its marker name, else "futex 0x... (process N)", else
/// "lock 0x...". An announced address joins the marker's lock and the futex's into one.
struct LockInfo {
    std::string name;
    std::uint64_t address = 0; ///< 0: unknown
    std::int32_t tgid = -1;    ///< futexes: the process (by tid's group, -1 unknown)
    LockSource source = LockSource::Marker;
};

enum class LockEventKind : std::uint8_t {
    Request,  ///< the thread begins to wait, or at least asks
    Acquired, ///< the thread owns the lock
    GiveUp,   ///< the wait ended without the lock
    Release,  ///< the owner is about to let go
};

struct LockEvent {
    EventIndex event;
    LockId lock;
    ThreadId thread;
    LockEventKind kind = LockEventKind::Request;
    LockSource source = LockSource::Marker;
    std::uint64_t cookie = 0; ///< markers: the hold's cookie
    std::uint32_t flags = 0;  ///< contention: LCB flags of the wait; futex: op
};

/// Everything the trace says about locks, from markers, futex syscalls and contention events, in
/// trace order. Contention: several begins of one wait are one Request. Futex operations: LOCK_PI,
/// LOCK_PI2 (Request at entry; Acquired at an exit with 0, else GiveUp), UNLOCK_PI (Release), WAIT
/// (Request; exit = GiveUp, since a woken waiter has not got the lock yet); others are left out.
struct LockEvents {
    static constexpr AnalysisId kId = AnalysisId::LockEvents;
    std::vector<LockInfo> locks; ///< by LockId
    std::vector<LockEvent> events;
};

[[nodiscard]] Result<LockEvents> findLockEvents(const TraceStore& store, const JobContext& job);

} // namespace inversight
