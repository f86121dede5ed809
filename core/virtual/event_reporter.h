// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/kernel_event.h"
#include "core/event/marker.h"

#include <cstdint>
#include <utility>

namespace inversight {

/// Where the virtual engine's events and markers go, stamped with virtual time and the CPU and
/// thread in whose context they happen. Markers are events, too: the text a real run would write
/// to trace_marker. Either sink may be missing. Thread-bound.
class EventReporter final : public MarkerSink {
public:
    /// Both sinks must outlive this one; null = not wanted.
    EventReporter(KernelEventSink* events, MarkerSink* markers, std::int32_t tgid)
        : events_(events), markers_(markers), tgid_(tgid) {}

    void setTime(std::int64_t timeNs) { timeNs_ = timeNs; }
    /// From here on things happen on `cpu`, where `tid` runs.
    void setContext(std::uint32_t cpu, std::int32_t tid) {
        context_ = {static_cast<std::int32_t>(cpu), tid, 0};
    }
    /// ... in an interrupt that has come while `tid` ran.
    void setInterruptContext(std::uint32_t cpu, std::int32_t tid) {
        context_ = {static_cast<std::int32_t>(cpu), tid, kContextHardInterrupt};
    }

    struct Context {
        std::int32_t cpu = 0;
        std::int32_t tid = 0;
        std::uint8_t flags = 0;
    };
    [[nodiscard]] Context context() const { return context_; }
    void restore(const Context& context) { context_ = context; }

    /// Whether it is worth making an event.
    [[nodiscard]] bool wanted() const { return events_ != nullptr; }
    /// Costs nothing where no events are wanted.
    template <class Event>
    void emit(Event&& event) {
        if (events_)
            events_->emit({timeNs_, context_.cpu, context_.tid, std::forward<Event>(event),
                           context_.flags});
    }

    /// A marker of the running thread.
    template <class Body>
    void mark(const Body& body) {
        if (events_ || markers_)
            write({tgid_, body});
    }
    void write(const Marker& marker) noexcept override;

    [[nodiscard]] std::int32_t tgid() const { return tgid_; }

private:
    KernelEventSink* events_;
    MarkerSink* markers_;
    std::int32_t tgid_;
    std::int64_t timeNs_ = 0;
    Context context_;
};

} // namespace inversight
