// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/event/kernel_event.h"
#include "core/event/marker.h"
#include "trace/model/trace_store.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inversight {

/// A trace written by hand in a test, readable as a story, that becomes a store, ftrace text or
/// (through emitTo and a KernelEventWriter) a trace.dat.
///
///     TraceScript script;
///     script.task(10, "low", 120).task(30, "high", 0);
///     script.at(1000).switchTo(10);                   // CPU 0, from idle
///     script.at(2000).waking(30).at(2010).switchTo(30, kTaskRunning);
///     script.at(2100).marker(WaitBegin{"m"}).setprio(10, 0).switchTo(10, kTaskInterruptible);
///     auto store = script.toStore();
///
/// Each call adds one event at the current time and CPU, by the task that runs there; tasks keep
/// the name and priority they last had. Times are ns; write events in time order per CPU.
class TraceScript {
public:
    static constexpr std::int32_t kProcess = 100; ///< the tgid in markers

    TraceScript& task(std::int32_t tid, const std::string& name, std::int32_t prio = 120);
    TraceScript& at(std::int64_t timeNs);
    TraceScript& cpu(std::int32_t cpu);

    /// The running task leaves in `prevState`; tid 0 is the CPU's idle task.
    TraceScript& switchTo(std::int32_t tid, std::uint64_t prevState = kTaskRunning);
    TraceScript& waking(std::int32_t tid, std::int32_t targetCpu = 0);
    TraceScript& wakeup(std::int32_t tid, std::int32_t targetCpu = 0);
    /// pi_setprio from the task's current priority to `prio`, caused by the running task.
    TraceScript& setprio(std::int32_t tid, std::int32_t prio);
    TraceScript& fork(std::int32_t childTid, const std::string& childName);
    TraceScript& exit();
    TraceScript& migrate(std::int32_t tid, std::int32_t toCpu);
    TraceScript& contentionBegin(std::uint64_t address, std::uint32_t flags);
    TraceScript& contentionEnd(std::uint64_t address, std::int32_t ret = 0);
    TraceScript& futexEnter(std::uint64_t uaddr, std::uint32_t op);
    TraceScript& futexExit(std::int64_t ret = 0);
    TraceScript& marker(const MarkerBody& body);
    TraceScript& print(const std::string& text);
    /// The next event happens in an interrupt that has come while the running task ran.
    TraceScript& interrupt();
    /// Events are missing on the current CPU from here to its next event.
    TraceScript& lost(std::optional<std::uint64_t> count = std::nullopt);

    [[nodiscard]] const std::vector<KernelEvent>& events() const { return events_; }
    void emitTo(KernelEventSink& sink) const;
    [[nodiscard]] std::shared_ptr<const TraceStore> toStore() const;
    /// As the kernel's `trace` file shows it.
    [[nodiscard]] std::string toText() const;

private:
    struct Task {
        std::string name;
        std::int32_t prio = 120;
    };
    struct Loss {
        std::size_t beforeEvent = 0; ///< index into events_
        std::int32_t cpu = 0;
        std::optional<std::uint64_t> count;
    };

    TraceScript& add(KernelEventBody body);
    Task& known(std::int32_t tid);
    [[nodiscard]] std::int32_t running() const;

    std::vector<KernelEvent> events_;
    std::vector<Loss> losses_;
    std::map<std::int32_t, Task> tasks_;
    std::map<std::int32_t, std::int32_t> runningByCpu_;
    std::int64_t time_ = 0;
    std::int32_t cpu_ = 0;
    std::uint8_t flags_ = 0; ///< of the next event
};

} // namespace inversight
