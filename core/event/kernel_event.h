// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <variant>

/// The kernel's trace events as values, for whoever produces them without a kernel: the virtual
/// engine and hand-made test traces. Not for reading files: trace/model has columns for that.
///
/// Field meanings are those of the events' format files (include/trace/events/sched.h, lock.h).
/// Priorities are kernel priorities (0..98 RT 99..1, 100..139 nice -20..19, -1 DEADLINE).
namespace inversight {

/// prev_state bits as kernels since 4.14 write them.
enum KernelTaskState : std::uint64_t {
    kTaskRunning = 0x0,
    kTaskInterruptible = 0x1,
    kTaskUninterruptible = 0x2,
    kTaskStopped = 0x4,
    kTaskTraced = 0x8,
    kTaskDead = 0x10,
    kTaskZombie = 0x20,
    kTaskParked = 0x40,
    kTaskIdle = 0x80,
    kTaskPreempted = 0x100,
};

struct SchedSwitchEvent {
    std::string prevComm;
    std::int32_t prevTid = 0;
    std::int32_t prevPrio = 120;
    std::uint64_t prevState = kTaskRunning;
    std::string nextComm;
    std::int32_t nextTid = 0;
    std::int32_t nextPrio = 120;
};

enum class WakeKind { Waking, Wakeup, WakeupNew };

struct SchedWakeEvent {
    WakeKind kind = WakeKind::Waking;
    std::string comm;
    std::int32_t tid = 0;
    std::int32_t prio = 120;
    std::int32_t targetCpu = 0;
};

struct SchedPiSetprioEvent {
    std::string comm;
    std::int32_t tid = 0;
    std::int32_t oldPrio = 120;
    std::int32_t newPrio = 120;
};

struct SchedForkEvent {
    std::string parentComm;
    std::int32_t parentTid = 0;
    std::string childComm;
    std::int32_t childTid = 0;
};

struct SchedExitEvent {
    std::string comm;
    std::int32_t tid = 0;
    std::int32_t prio = 120;
};

struct SchedMigrateEvent {
    std::string comm;
    std::int32_t tid = 0;
    std::int32_t prio = 120;
    std::int32_t fromCpu = 0;
    std::int32_t toCpu = 0;
};

/// lock:contention_begin flags (include/trace/events/lock.h).
enum ContentionFlags : std::uint32_t {
    kContentionSpin = 1,
    kContentionRead = 2,
    kContentionWrite = 4,
    kContentionRt = 8,
    kContentionPercpu = 16,
    kContentionMutex = 32,
};

struct ContentionBeginEvent {
    std::uint64_t lockAddress = 0;
    std::uint32_t flags = 0;
};

struct ContentionEndEvent {
    std::uint64_t lockAddress = 0;
    std::int32_t ret = 0;
};

struct FutexEnterEvent {
    std::uint64_t uaddr = 0;
    std::uint32_t op = 0;
    std::uint32_t val = 0;
};

struct FutexExitEvent {
    std::int64_t ret = 0;
};

/// ftrace/print as written through trace_marker, without the final newline.
struct PrintEvent {
    std::string text;
};

using KernelEventBody =
    std::variant<SchedSwitchEvent, SchedWakeEvent, SchedPiSetprioEvent, SchedForkEvent,
                 SchedExitEvent, SchedMigrateEvent, ContentionBeginEvent, ContentionEndEvent,
                 FutexEnterEvent, FutexExitEvent, PrintEvent>;

/// Bits of common_flags (include/linux/trace_events.h): in whose context an event happened.
inline constexpr std::uint8_t kContextHardInterrupt = 0x08;
inline constexpr std::uint8_t kContextSoftInterrupt = 0x10;

struct KernelEvent {
    std::int64_t timeNs = 0;
    std::int32_t cpu = 0;
    std::int32_t tid = 0; ///< common_pid: who was running on `cpu`.
    KernelEventBody body;
    std::uint8_t flags = 0; ///< common_flags
};

/// Receives kernel events in time order per CPU. Thread-bound.
class KernelEventSink {
public:
    virtual ~KernelEventSink() = default;
    virtual void emit(const KernelEvent& event) = 0;
};

} // namespace inversight
