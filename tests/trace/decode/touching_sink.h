// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_sink.h"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace inversight::test {

/// Reads every byte of every field, so that a sanitizer sees a view that leads astray.
class TouchingSink final : public EventSink, private CpuEventSink {
public:
    StreamId declareStream(const StreamInfo&) override { return StreamId{0}; }
    EventTypeId declareType(const EventTypeInfo& info) override {
        touch(info.name);
        return EventTypeId{0};
    }
    void nameThread(std::int32_t, std::string_view comm) override { touch(comm); }
    void threadGroup(std::int32_t, std::int32_t) override {}
    CpuEventSink& cpuSink(StreamId, int) override { return *this; }

private:
    void event(const EventHeader&) override {}
    void event(const EventHeader&, const SchedSwitchFields& f) override {
        touch(f.prevComm);
        touch(f.nextComm);
    }
    void event(const EventHeader&, const SchedWakeFields& f) override { touch(f.comm); }
    void event(const EventHeader&, const PiSetprioFields& f) override { touch(f.comm); }
    void event(const EventHeader&, const SchedForkFields& f) override {
        touch(f.parentComm);
        touch(f.childComm);
    }
    void event(const EventHeader&, const SchedExitFields& f) override { touch(f.comm); }
    void event(const EventHeader&, const SchedMigrateFields& f) override { touch(f.comm); }
    void event(const EventHeader&, const ContentionBegin&) override {}
    void event(const EventHeader&, const ContentionEnd&) override {}
    void event(const EventHeader&, const FutexEnter&) override {}
    void event(const EventHeader&, const FutexExit&) override {}
    void event(const EventHeader&, const BusEvent&) override {}
    void event(const EventHeader&, const MarkerFields& f) override {
        touch(f.subject);
        touch(f.detail);
    }
    void lost(std::optional<std::uint64_t>) override {}

    void touch(std::string_view text) {
        for (const char c : text)
            sum_.fetch_add(static_cast<unsigned char>(c), std::memory_order_relaxed);
    }
    std::atomic<std::uint64_t> sum_ = 0; // one sink for all CPUs
};

} // namespace inversight::test
