// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/support/trace_script.h"

#include "core/base/time_format.h"
#include "trace/decode/marker_fields.h"
#include "trace/model/trace_store_builder.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <variant>

namespace inversight {

namespace {

std::string idleName(std::int32_t cpu) {
    return "swapper/" + std::to_string(cpu);
}

TaskState stateOf(std::uint64_t bits) {
    constexpr std::array<std::pair<std::uint64_t, TaskState>, 8> table{{
        {kTaskInterruptible, TaskState::Interruptible},
        {kTaskUninterruptible, TaskState::Uninterruptible},
        {kTaskStopped, TaskState::Stopped},
        {kTaskTraced, TaskState::Traced},
        {kTaskDead, TaskState::Dead},
        {kTaskZombie, TaskState::Zombie},
        {kTaskParked, TaskState::Parked},
        {kTaskIdle, TaskState::Idle},
    }};
    for (const auto& [bit, state] : table) {
        if (bits & bit)
            return state;
    }
    return TaskState::Runnable;
}

/// Delivers one KernelEvent to a sink as a decoder would.
class Delivery {
public:
    Delivery(EventSink& sink, CpuEventSink& cpu, std::map<std::string, EventTypeId>& types,
             EventHeader header)
        : sink_(sink), cpu_(cpu), types_(types), header_(header) {}

    void operator()(const SchedSwitchEvent& e) {
        SchedSwitchFields fields{e.prevTid,  e.prevPrio, e.nextTid,
                                 e.nextPrio, e.prevComm, e.nextComm};
        fields.rawState = static_cast<std::uint32_t>(e.prevState);
        fields.prevState = stateOf(e.prevState);
        fields.preempted = (e.prevState & kTaskPreempted) != 0;
        deliver("sched", "sched_switch", EventKind::SchedSwitch, fields);
    }
    void operator()(const SchedWakeEvent& e) {
        constexpr std::array names{"sched_waking", "sched_wakeup", "sched_wakeup_new"};
        constexpr std::array kinds{WakeEventKind::Waking, WakeEventKind::Wakeup,
                                   WakeEventKind::WakeupNew};
        const auto kind = static_cast<std::size_t>(e.kind);
        deliver("sched", names[kind], EventKind::SchedWake,
                SchedWakeFields{kinds[kind], e.tid, e.prio, e.targetCpu, e.comm});
    }
    void operator()(const SchedPiSetprioEvent& e) {
        deliver("sched", "sched_pi_setprio", EventKind::PiSetprio,
                PiSetprioFields{e.tid, e.oldPrio, e.newPrio, e.comm});
    }
    void operator()(const SchedForkEvent& e) {
        deliver("sched", "sched_process_fork", EventKind::SchedFork,
                SchedForkFields{e.parentTid, e.childTid, e.parentComm, e.childComm});
    }
    void operator()(const SchedExitEvent& e) {
        deliver("sched", "sched_process_exit", EventKind::SchedExit,
                SchedExitFields{e.tid, e.prio, e.comm});
    }
    void operator()(const SchedMigrateEvent& e) {
        deliver("sched", "sched_migrate_task", EventKind::SchedMigrate,
                SchedMigrateFields{e.tid, e.prio, e.fromCpu, e.toCpu, e.comm});
    }
    void operator()(const ContentionBeginEvent& e) {
        deliver("lock", "contention_begin", EventKind::ContentionBegin,
                ContentionBegin{e.lockAddress, e.flags});
    }
    void operator()(const ContentionEndEvent& e) {
        deliver("lock", "contention_end", EventKind::ContentionEnd,
                ContentionEnd{e.lockAddress, e.ret});
    }
    void operator()(const FutexEnterEvent& e) {
        deliver("syscalls", "sys_enter_futex", EventKind::FutexEnter,
                FutexEnter{e.uaddr, e.op, e.val});
    }
    void operator()(const FutexExitEvent& e) {
        deliver("syscalls", "sys_exit_futex", EventKind::FutexExit, FutexExit{e.ret});
    }
    void operator()(const PrintEvent& e) {
        std::string scratch;
        ManifestPlace place;
        deliver("ftrace", "print", EventKind::Marker, decodeMarker(e.text, scratch, place));
    }

private:
    template <class Fields>
    void deliver(const char* system, const std::string& name, EventKind kind,
                 const Fields& fields) {
        auto found = types_.find(name);
        if (found == types_.end()) {
            const auto rawId = static_cast<std::uint16_t>(types_.size() + 1);
            found = types_.emplace(name, sink_.declareType({rawId, system, name, kind})).first;
        }
        header_.type = found->second;
        cpu_.event(header_, fields);
    }

    EventSink& sink_;
    CpuEventSink& cpu_;
    std::map<std::string, EventTypeId>& types_;
    EventHeader header_;
};

std::string stateLetters(std::uint64_t bits) {
    std::string text;
    constexpr std::string_view letters = "SDTtXZPI";
    for (std::size_t bit = 0; bit < letters.size(); ++bit) {
        if (bits & (std::uint64_t{1} << bit))
            text += (text.empty() ? "" : "|") + std::string(1, letters[bit]);
    }
    if (text.empty())
        text = "R";
    return bits & kTaskPreempted ? text + "+" : text;
}

/// An event's name and fields as the kernel prints them.
struct TextOf {
    std::string operator()(const SchedSwitchEvent& e) const {
        return fmt::format("sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={} ==> "
                           "next_comm={} next_pid={} next_prio={}",
                           e.prevComm, e.prevTid, e.prevPrio, stateLetters(e.prevState), e.nextComm,
                           e.nextTid, e.nextPrio);
    }
    std::string operator()(const SchedWakeEvent& e) const {
        constexpr std::array names{"sched_waking", "sched_wakeup", "sched_wakeup_new"};
        return fmt::format("{}: comm={} pid={} prio={} target_cpu={:03}",
                           names[static_cast<std::size_t>(e.kind)], e.comm, e.tid, e.prio,
                           e.targetCpu);
    }
    std::string operator()(const SchedPiSetprioEvent& e) const {
        return fmt::format("sched_pi_setprio: comm={} pid={} oldprio={} newprio={}", e.comm, e.tid,
                           e.oldPrio, e.newPrio);
    }
    std::string operator()(const SchedForkEvent& e) const {
        return fmt::format("sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
                           e.parentComm, e.parentTid, e.childComm, e.childTid);
    }
    std::string operator()(const SchedExitEvent& e) const {
        return fmt::format("sched_process_exit: comm={} pid={} prio={}", e.comm, e.tid, e.prio);
    }
    std::string operator()(const SchedMigrateEvent& e) const {
        return fmt::format("sched_migrate_task: comm={} pid={} prio={} orig_cpu={} dest_cpu={}",
                           e.comm, e.tid, e.prio, e.fromCpu, e.toCpu);
    }
    std::string operator()(const ContentionBeginEvent& e) const {
        return fmt::format("contention_begin: {:#x} (flags={:#x})", e.lockAddress, e.flags);
    }
    std::string operator()(const ContentionEndEvent& e) const {
        return fmt::format("contention_end: {:#x} (ret={})", e.lockAddress, e.ret);
    }
    std::string operator()(const FutexEnterEvent& e) const {
        return fmt::format("sys_futex(uaddr: {:x}, op: {:x}, val: {:x})", e.uaddr, e.op, e.val);
    }
    std::string operator()(const FutexExitEvent& e) const {
        return fmt::format("sys_futex -> {:#x}", static_cast<std::uint64_t>(e.ret));
    }
    std::string operator()(const PrintEvent& e) const { return "tracing_mark_write: " + e.text; }
};

} // namespace

TraceScript& TraceScript::task(std::int32_t tid, const std::string& name, std::int32_t prio) {
    tasks_[tid] = {name, prio};
    return *this;
}

TraceScript& TraceScript::at(std::int64_t timeNs) {
    time_ = timeNs;
    return *this;
}

TraceScript& TraceScript::cpu(std::int32_t cpu) {
    cpu_ = cpu;
    return *this;
}

TraceScript::Task& TraceScript::known(std::int32_t tid) {
    const auto [entry, fresh] = tasks_.try_emplace(tid);
    if (fresh)
        entry->second.name = tid == 0 ? idleName(cpu_) : "task-" + std::to_string(tid);
    return entry->second;
}

std::int32_t TraceScript::running() const {
    const auto found = runningByCpu_.find(cpu_);
    return found == runningByCpu_.end() ? 0 : found->second;
}

TraceScript& TraceScript::add(KernelEventBody body) {
    events_.push_back({time_, cpu_, running(), std::move(body), std::exchange(flags_, 0)});
    return *this;
}

TraceScript& TraceScript::switchTo(std::int32_t tid, std::uint64_t prevState) {
    const std::int32_t from = running();
    const auto nameOf = [this](std::int32_t task) {
        return task == 0 ? idleName(cpu_) : known(task).name;
    };
    add(SchedSwitchEvent{nameOf(from), from, known(from).prio, prevState, nameOf(tid), tid,
                         known(tid).prio});
    runningByCpu_[cpu_] = tid;
    return *this;
}

TraceScript& TraceScript::waking(std::int32_t tid, std::int32_t targetCpu) {
    const Task& task = known(tid);
    return add(SchedWakeEvent{WakeKind::Waking, task.name, tid, task.prio, targetCpu});
}

TraceScript& TraceScript::wakeup(std::int32_t tid, std::int32_t targetCpu) {
    const Task& task = known(tid);
    return add(SchedWakeEvent{WakeKind::Wakeup, task.name, tid, task.prio, targetCpu});
}

TraceScript& TraceScript::setprio(std::int32_t tid, std::int32_t prio) {
    Task& task = known(tid);
    const std::int32_t old = std::exchange(task.prio, prio);
    return add(SchedPiSetprioEvent{task.name, tid, old, prio});
}

TraceScript& TraceScript::fork(std::int32_t childTid, const std::string& childName) {
    task(childTid, childName);
    const std::int32_t parent = running();
    return add(SchedForkEvent{known(parent).name, parent, childName, childTid});
}

TraceScript& TraceScript::exit() {
    const std::int32_t tid = running();
    return add(SchedExitEvent{known(tid).name, tid, known(tid).prio});
}

TraceScript& TraceScript::migrate(std::int32_t tid, std::int32_t toCpu) {
    const Task& task = known(tid);
    return add(SchedMigrateEvent{task.name, tid, task.prio, cpu_, toCpu});
}

TraceScript& TraceScript::contentionBegin(std::uint64_t address, std::uint32_t flags) {
    return add(ContentionBeginEvent{address, flags});
}

TraceScript& TraceScript::contentionEnd(std::uint64_t address, std::int32_t ret) {
    return add(ContentionEndEvent{address, ret});
}

TraceScript& TraceScript::futexEnter(std::uint64_t uaddr, std::uint32_t op) {
    return add(FutexEnterEvent{uaddr, op, 0});
}

TraceScript& TraceScript::futexExit(std::int64_t ret) {
    return add(FutexExitEvent{ret});
}

TraceScript& TraceScript::marker(const MarkerBody& body) {
    MarkerCodec::Buffer buffer;
    return print(std::string(MarkerCodec::encode({kProcess, body}, buffer)));
}

TraceScript& TraceScript::print(const std::string& text) {
    return add(PrintEvent{text});
}

TraceScript& TraceScript::interrupt() {
    flags_ = kContextHardInterrupt;
    return *this;
}

TraceScript& TraceScript::lost(std::optional<std::uint64_t> count) {
    losses_.push_back({events_.size(), cpu_, count});
    return *this;
}

void TraceScript::emitTo(KernelEventSink& sink) const {
    for (const KernelEvent& event : events_)
        sink.emit(event);
}

std::shared_ptr<const TraceStore> TraceScript::toStore() const {
    TraceStoreBuilder builder;
    std::int32_t cpuCount = 1;
    for (const KernelEvent& event : events_)
        cpuCount = std::max(cpuCount, event.cpu + 1);
    const StreamId stream =
        builder.declareStream({"", ClockDomain::fromName("mono"), static_cast<int>(cpuCount)});
    std::map<std::string, EventTypeId> types;
    std::uint64_t offset = 0;
    auto loss = losses_.begin();
    const auto deliverLosses = [&](std::size_t upTo) {
        for (; loss != losses_.end() && loss->beforeEvent <= upTo; ++loss)
            builder.cpuSink(stream, loss->cpu).lost(loss->count);
    };
    for (std::size_t index = 0; index < events_.size(); ++index) {
        deliverLosses(index);
        const KernelEvent& event = events_[index];
        EventHeader header;
        header.time = event.timeNs;
        header.offset = offset++;
        header.tid = event.tid;
        header.flags = event.flags;
        std::visit(Delivery(builder, builder.cpuSink(stream, event.cpu), types, header),
                   event.body);
    }
    deliverLosses(events_.size());
    auto store = std::move(builder).finish(JobContext());
    if (!store)
        std::abort(); // a script is the test author's own: nothing in it can fail
    return *store;
}

std::string TraceScript::toText() const {
    std::string text = "# tracer: nop\n#\n";
    for (const KernelEvent& event : events_) {
        const auto found = tasks_.find(event.tid);
        const std::string name = event.tid == 0          ? "<idle>"
                                 : found == tasks_.end() ? "<...>"
                                                         : found->second.name;
        text += fmt::format("{:>16}-{:<7} [{:03}] ..{}.. {}: {}\n", name, event.tid, event.cpu,
                            event.flags != 0 ? 'h' : '.', formatSeconds(event.timeNs),
                            std::visit(TextOf{}, event.body));
    }
    return text;
}

} // namespace inversight
