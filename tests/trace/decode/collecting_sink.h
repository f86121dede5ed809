// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/model/event_sink.h"

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inversight::test {

/// An event as it arrived, its typed fields under the names the kernel's format gives them.
struct CollectedEvent {
    EventHeader header;
    nlohmann::json fields; ///< null for an event without typed columns
    std::optional<TaskState> prevState;
    bool preempted = false;
    std::optional<MarkerKind> markerKind;
    std::optional<std::int64_t> lostBefore; ///< -1: an unknown number
};

/// Keeps everything a source delivers, per stream and CPU.
class CollectingSink final : public EventSink {
public:
    StreamId declareStream(const StreamInfo& info) override;
    EventTypeId declareType(const EventTypeInfo& info) override;
    void nameThread(std::int32_t tid, std::string_view comm) override;
    void threadGroup(std::int32_t, std::int32_t) override {}
    CpuEventSink& cpuSink(StreamId stream, int cpu) override;

    [[nodiscard]] const std::vector<CollectedEvent>& events(StreamId stream, int cpu) const;
    [[nodiscard]] const EventTypeInfo& type(const CollectedEvent& event) const {
        return types[event.header.type.index()];
    }
    /// "sched/sched_switch"
    [[nodiscard]] std::string typeName(const CollectedEvent& event) const;
    [[nodiscard]] std::size_t eventCount() const;
    /// Events of a name in all streams.
    [[nodiscard]] std::size_t count(std::string_view name) const;

    std::vector<StreamInfo> streams;
    std::vector<EventTypeInfo> types;
    std::map<std::int32_t, std::string> names;

private:
    class Cpu;
    std::map<std::pair<StreamId, int>, std::shared_ptr<Cpu>> cpus_;
};

} // namespace inversight::test
