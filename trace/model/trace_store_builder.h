// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "trace/model/event_sink.h"
#include "trace/model/trace_store.h"

#include <memory>

namespace inversight {

/// Collects the events of all CPUs, then merges and freezes them.
///
///     TraceStoreBuilder builder;
///     TRY(source.load(stream, builder, job));
///     std::shared_ptr<const TraceStore> store = TRY(std::move(builder).finish(job));
///
/// Within a CPU the recorded order is kept even where times step back (clock skew is evidence, not
/// an error): the merge compares times but never reorders one CPU's records.
class TraceStoreBuilder final : public EventSink {
public:
    TraceStoreBuilder();
    ~TraceStoreBuilder() override;

    StreamId declareStream(const StreamInfo& info) override;
    EventTypeId declareType(const EventTypeInfo& info) override;
    void nameThread(std::int32_t tid, std::string_view comm) override;
    void threadGroup(std::int32_t tid, std::int32_t tgid) override;
    CpuEventSink& cpuSink(StreamId stream, int cpu) override;
    [[nodiscard]] bool takesParts() const override { return true; }
    CpuEventSink& cpuPart(StreamId stream, int cpu) override;
    [[nodiscard]] Result<void> settle(std::int64_t time, const JobContext& job) override;

    /// Cancelled when the job was stopped.
    [[nodiscard]] Result<std::shared_ptr<const TraceStore>> finish(const JobContext& job) &&;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace inversight
