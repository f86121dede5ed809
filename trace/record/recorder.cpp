// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/recorder.h"

#include "core/base/mutex.h"
#include "trace/file/spool.h"
#include "trace/record/cpu_reader.h"
#include "trace/record/cpu_stats.h"
#include "trace/record/event_selection.h"
#include "trace/record/instance_name.h"
#include "trace/record/metadata_reader.h"
#include "trace/record/trace_marker_sink.h"
#include "trace/record/tracefs.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <thread>

namespace inversight {

namespace {

/// Wakes the readers when half the ring is full: rare wake-ups, and room for their latency.
constexpr const char* kBufferPercent = "50";
constexpr auto kRemoveRetryPause = std::chrono::milliseconds(10);
constexpr int kRemoveRetries = 50;

std::string cpuFile(int cpu, const char* file) {
    return "per_cpu/cpu" + std::to_string(cpu) + "/" + file;
}

/// A new instance inherits options from the global one, whatever somebody set there. Those that
/// change what we record are set to what we need, in the instance only. (record-cmd, which feeds
/// saved_cmdlines, is inherited too but cannot be set here; sched_switch names the tasks anyway.)
Result<void> setOptions(TraceInstance& instance) {
    struct Option {
        const char* file;
        const char* value;
    };
    for (const Option& option :
         {Option{"options/markers", "1"}, Option{"options/overwrite", "1"},
          Option{"options/stacktrace", "0"}, Option{"options/userstacktrace", "0"},
          Option{"buffer_percent", kBufferPercent}})
        if (instance.has(option.file)) // kernels differ in what they have
            TRY(instance.write(option.file, option.value));
    return {};
}

Result<void> setClock(TraceInstance& instance, const std::string& clock) {
    const std::string clocks = TRY(instance.read("trace_clock"));
    const std::string chosen = " " + clocks.substr(0, clocks.find('\n')) + " ";
    if (chosen.find(" " + clock + " ") == std::string::npos &&
        chosen.find(" [" + clock + "] ") == std::string::npos)
        return std::unexpected(Error{ErrorCode::InvalidArgument, "this kernel has no such clock",
                                     clock, "choose one of:" + chosen});
    return instance.write("trace_clock", clock);
}

/// header_page describes the sub-buffers of the global instance; ours must have the same size for
/// the description to hold.
Result<void> setPageSize(TraceInstance& instance, std::uint32_t pageSize) {
    constexpr const char* kFile = "buffer_subbuf_size_kb";
    if (!instance.has(kFile)) // before Linux 6.8 it is always the machine's page
        return {};
    const std::string wanted = std::to_string(pageSize / 1024);
    if (TRY(instance.read(kFile)) == wanted + "\n")
        return {};
    return instance.write(kFile, wanted);
}

/// The one implementation of Recorder. Members are in the order in which they depend on each
/// other, so that destruction undoes the start: readers, then the spool, then the instance.
class InstanceRecorder final : public Recorder {
public:
    InstanceRecorder(Tracefs tracefs, TraceInstance instance, EventSelection events,
                     RecorderOptions options)
        : tracefs_(std::move(tracefs)), instanceName_(instance.name()), events_(std::move(events)),
          options_(std::move(options)), instance_(std::move(instance)) {}
    ~InstanceRecorder() override;

    /// What can be refused without having touched anything but the instance, then the recording.
    Result<void> prepare();
    Result<void> begin();

    MarkerSink& markers() override { return markers_; }
    RecorderStatus status() const override;
    const std::string& instanceName() const override { return instanceName_; }
    Result<RecordingSummary> stop() override;

private:
    Result<void> stopReaders();
    Result<void> removeInstance();
    RecordingSummary summarize() const;
    std::uint64_t lostCount(const CpuReader& reader) const;

    const Tracefs tracefs_;
    const std::string instanceName_;
    const EventSelection events_;
    const RecorderOptions options_;
    mutable Mutex mutex_; ///< between stop() and status()
    std::optional<TraceInstance> instance_;
    TraceMetadata metadata_;
    std::optional<Spool> spool_;
    TraceMarkerSink markers_;
    std::vector<std::unique_ptr<CpuReader>> readers_;
    RecorderStatus finalStatus_ INVERSIGHT_GUARDED_BY(mutex_);
    bool began_ = false;
};

InstanceRecorder::~InstanceRecorder() {
    if (!instance_)
        return;
    // The spool keeps what was recorded; nobody is left to hear of errors.
    static_cast<void>(stopReaders());
    if (spool_ && !began_)
        spool_->discard();
    static_cast<void>(removeInstance());
}

Result<void> InstanceRecorder::prepare() {
    TRY(instance_->setTracing(false));
    TRY(setClock(*instance_, options_.clock));
    TRY(setOptions(*instance_));
    const std::vector<int> cpus = TRY(instance_->cpus());
    metadata_ = TRY(readMetadata(tracefs_, *instance_, events_, cpus.back() + 1));
    TRY(setPageSize(*instance_, metadata_.pageSize));
    TRY(instance_->setBufferSize(options_.bufferKibPerCpu));
    for (const auto& [system, names] : events_.systems)
        for (const std::string& name : names)
            TRY(instance_->enableEvent(system, name));
    return {};
}

Result<void> InstanceRecorder::begin() {
    markers_.open(TRY(instance_->open("trace_marker", O_WRONLY)));
    const PageLayout layout =
        TRY(PageLayout::parse(metadata_.headerPage, kHostByteOrder, metadata_.pageSize));
    spool_ = TRY(Spool::create(options_.output, metadata_));
    for (const int cpu : TRY(instance_->cpus())) {
        UniqueFd pipe = TRY(instance_->open(cpuFile(cpu, "trace_pipe_raw"), O_RDONLY | O_NONBLOCK));
        readers_.push_back(
            TRY(CpuReader::start(cpu, std::move(pipe), layout, *spool_, options_.recorderCpus)));
    }
    TRY(instance_->setTracing(true));
    began_ = true;
    return {};
}

Result<void> InstanceRecorder::stopReaders() {
    Result<void> first = instance_->setTracing(false);
    for (const auto& reader : readers_)
        if (auto stopped = reader->stop(); !stopped && first)
            first = std::move(stopped);
    return first;
}

Result<void> InstanceRecorder::removeInstance() {
    markers_.close();
    for (int retry = 0;; ++retry) {
        auto removed = instance_->remove();
        if (removed || retry == kRemoveRetries || removed.error().code != ErrorCode::Busy) {
            instance_.reset();
            return removed;
        }
        // Another reader of the instance, e.g. a monitoring tool, is about to close its file.
        std::this_thread::sleep_for(kRemoveRetryPause);
    }
}

RecorderStatus InstanceRecorder::status() const {
    const MutexLock lock(mutex_);
    if (!instance_)
        return finalStatus_;
    RecorderStatus status;
    for (const auto& reader : readers_) {
        const auto text = instance_->read(cpuFile(reader->cpu(), "stats"));
        const CpuStats stats = parseCpuStats(text ? *text : "");
        status.bytes += reader->bytes();
        status.eventCount += stats.eventCount();
        status.lostCount += std::max(stats.lostCount(), reader->lostCount());
    }
    return status;
}

/// The kernel's counter and the pages' flags count the same losses; whichever knows of more wins.
std::uint64_t InstanceRecorder::lostCount(const CpuReader& reader) const {
    const auto& text = metadata_.cpuStats[static_cast<std::size_t>(reader.cpu())];
    return std::max(parseCpuStats(text).lostCount(), reader.lostCount());
}

RecordingSummary InstanceRecorder::summarize() const {
    RecordingSummary summary;
    summary.path = options_.output;
    summary.warnings = events_.warnings;
    summary.lostMarkerCount = markers_.lostCount();
    for (const auto& reader : readers_) {
        summary.cpus.push_back({reader->cpu(), reader->bytes(), lostCount(*reader)});
        summary.lostCount += summary.cpus.back().lostCount;
    }
    return summary;
}

Result<RecordingSummary> InstanceRecorder::stop() {
    assert(instance_ && "a recording is stopped once");
    auto result = stopReaders();
    if (auto refreshed = refreshMetadata(tracefs_, *instance_, metadata_); !refreshed && result)
        result = std::move(refreshed);
    RecordingSummary summary = summarize();
    RecorderStatus last = status();
    {
        const MutexLock lock(mutex_);
        finalStatus_ = last;
        if (auto removed = removeInstance(); !removed)
            summary.warnings.push_back(removed.error().sentence());
    }
    if (result)
        result = spool_->finish(metadata_);
    if (result)
        return summary;
    Error error = std::move(result).error();
    error.remedy = "what was recorded is in " + spool_->partialPath() +
                   "*; with trace-cmd restore it becomes a trace.dat";
    return std::unexpected(std::move(error));
}

} // namespace

std::vector<std::string> defaultEvents() {
    return {"sched:sched_switch",       "sched:sched_waking",       "sched:sched_wakeup",
            "sched:sched_wakeup_new",   "sched:sched_pi_setprio",   "sched:sched_process_fork",
            "sched:sched_process_exit", "sched:sched_migrate_task", "lock:contention_begin",
            "lock:contention_end",      "syscalls:sys_enter_futex", "syscalls:sys_exit_futex"};
}

Result<std::unique_ptr<Recorder>> Recorder::start(const RecorderOptions& options) {
    Tracefs tracefs = TRY(Tracefs::open());
    tracefs.removeDeadInstances();
    EventSelection events =
        TRY(selectEvents(tracefs, options.events.empty() ? defaultEvents() : options.events));
    const InstanceOwner owner = TRY(thisProcess());
    TraceInstance instance = TRY(TraceInstance::create(inversight::instanceName(owner)));
    auto recorder = std::make_unique<InstanceRecorder>(std::move(tracefs), std::move(instance),
                                                       std::move(events), options);
    TRY(recorder->prepare());
    TRY(recorder->begin());
    return recorder;
}

} // namespace inversight
