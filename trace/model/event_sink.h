// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/model/clock_domain.h"
#include "trace/model/event_fields.h"
#include "trace/model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inversight {

/// What every event has. `tid` is common_pid: the task that ran on `cpu`.
struct EventHeader {
    std::int64_t time = 0;
    std::uint64_t offset = 0; ///< RecordRef::offset
    std::int32_t tid = 0;
    EventTypeId type;
    std::uint8_t flags = 0;        ///< common_flags
    std::uint8_t preemptCount = 0; ///< common_preempt_count
};

/// An event type of a stream.
struct EventTypeInfo {
    std::uint16_t rawId = 0; ///< common_type; 0 for text sources
    std::string system;      ///< "sched"
    std::string name;        ///< "sched_switch"
    EventKind kind = EventKind::Other;
};

struct StreamInfo {
    std::string name; ///< buffer name; "" is the top buffer
    ClockDomain clock;
    int cpuCount = 0;
};

/// Receives the events of one CPU of one stream, in the order they were recorded. Thread-bound:
/// different CPUs may be fed from different threads at the same time.
class CpuEventSink {
public:
    virtual ~CpuEventSink() = default;
    /// An event without typed columns.
    virtual void event(const EventHeader& header) = 0;
    virtual void event(const EventHeader& header, const SchedSwitchFields& fields) = 0;
    virtual void event(const EventHeader& header, const SchedWakeFields& fields) = 0;
    virtual void event(const EventHeader& header, const PiSetprioFields& fields) = 0;
    virtual void event(const EventHeader& header, const SchedForkFields& fields) = 0;
    virtual void event(const EventHeader& header, const SchedExitFields& fields) = 0;
    virtual void event(const EventHeader& header, const SchedMigrateFields& fields) = 0;
    virtual void event(const EventHeader& header, const ContentionBegin& fields) = 0;
    virtual void event(const EventHeader& header, const ContentionEnd& fields) = 0;
    virtual void event(const EventHeader& header, const FutexEnter& fields) = 0;
    virtual void event(const EventHeader& header, const FutexExit& fields) = 0;
    virtual void event(const EventHeader& header, const MarkerFields& fields) = 0;
    virtual void event(const EventHeader& header, const BusEvent& fields) = 0;
    /// Events are missing before the next event of this CPU; no count means "unknown number".
    virtual void lost(std::optional<std::uint64_t> count) = 0;
};

/// Where a TraceSource delivers to. Types, streams and names are declared before the first event;
/// cpuSink must be called for all CPUs before any of them is fed. Thread-bound, but for the sinks.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual StreamId declareStream(const StreamInfo& info) = 0;
    virtual EventTypeId declareType(const EventTypeInfo& info) = 0;
    /// A name saved in the file's header: the weakest evidence, used where no event says better.
    virtual void nameThread(std::int32_t tid, std::string_view comm) = 0;
    virtual void threadGroup(std::int32_t tid, std::int32_t tgid) = 0;
    /// Lives as long as this EventSink. cpu -1: the file does not say on which CPU events happened.
    virtual CpuEventSink& cpuSink(StreamId stream, int cpu) = 0;

    /// Whether cpuPart() and settle() do more than the defaults here.
    [[nodiscard]] virtual bool takesParts() const { return false; }
    /// The next part of what a CPU recorded, in the order of the calls: parts may be fed at the
    /// same time, each by one thread. Valid until settle().
    virtual CpuEventSink& cpuPart(StreamId stream, int cpu) { return cpuSink(stream, cpu); }
    /// Promises that no CPU delivers an event before `time` any more (but for a CPU whose times
    /// step back): what is earlier may be put in order now, so that memory does not grow with the
    /// file. Not while any part is being fed.
    [[nodiscard]] virtual Result<void> settle(std::int64_t time, const JobContext& job);
};

inline Result<void> EventSink::settle(std::int64_t /*time*/, const JobContext& /*job*/) {
    return {};
}

} // namespace inversight
