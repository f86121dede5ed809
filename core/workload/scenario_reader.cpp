// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario_reader.h"

#include "core/workload/scenario.h"
#include "core/workload/step_reader.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace inversight {

namespace {

using std::chrono::nanoseconds;

/// A plain time in ns.
Result<nanoseconds> timeOr(ObjectReader& reader, std::string_view key, std::int64_t low,
                           std::int64_t high, nanoseconds fallback) {
    return nanoseconds(TRY(reader.integerOr(key, low, high, fallback.count())));
}

Result<LockEventKinds> readLockEvents(ObjectReader& reader) {
    if (!reader.has("lock_events"))
        return LockEventKinds::Futex;
    const std::string name = TRY(reader.name("lock_events", kMaxNameBytes));
    if (name == "futex")
        return LockEventKinds::Futex;
    if (name == "contention")
        return LockEventKinds::Contention;
    if (name == "both")
        return LockEventKinds::Both;
    if (name == "none")
        return LockEventKinds::None;
    return std::unexpected(
        expected("one of futex, contention, both, none", reader.pathOf("lock_events")));
}

Result<std::optional<std::string>> readPolicy(ObjectReader& reader) {
    std::optional<std::string> policy;
    if (reader.has("policy"))
        policy = TRY(reader.name("policy", kMaxNameBytes));
    return policy;
}

Result<LockSpec> readLock(const Json& value, std::string path) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    LockSpec lock;
    lock.name = TRY(reader.name("name", kMaxNameBytes));
    lock.events = TRY(readLockEvents(reader));
    lock.policy = TRY(readPolicy(reader));
    TRY(reader.finish());
    return lock;
}

Result<std::uint32_t> count32(ObjectReader& reader, std::string_view key, std::int64_t high) {
    return static_cast<std::uint32_t>(TRY(reader.integerOr(key, 0, high, 0)));
}

/// What goes wrong on the bus, and how the driver deals with it.
Result<void> readBusFaults(ObjectReader& reader, BusSpec& bus) {
    bus.nackPpm = TRY(count32(reader, "nack_ppm", kMaxPpm));
    bus.arbitrationLossPpm = TRY(count32(reader, "arbitration_loss_ppm", kMaxPpm));
    bus.retries = TRY(count32(reader, "retries", kMaxRetries));
    bus.timeout = TRY(timeOr(reader, "timeout_ns", 0, kMaxStepNs, bus.timeout));
    return {};
}

/// How long a transfer takes.
Result<void> readBusTimes(ObjectReader& reader, BusSpec& bus) {
    bus.clockHz = static_cast<std::uint32_t>(
        TRY(reader.integerOr("clock_hz", kMinClockHz, kMaxClockHz, bus.clockHz)));
    bus.cpuBefore = TRY(readTimeOr(reader, "cpu_before_ns", kMaxBusCostNs, nanoseconds(0)));
    bus.cpuAfter = TRY(readTimeOr(reader, "cpu_after_ns", kMaxBusCostNs, nanoseconds(0)));
    if (reader.has("wire_ns"))
        bus.wireTime = TRY(readTime(reader, "wire_ns", kMaxStepNs));
    bus.stretch = TRY(readTimeOr(reader, "stretch_ns", kMaxStepNs, nanoseconds(0)));
    bus.pollInterval = TRY(timeOr(reader, "poll_ns", 0, kMaxBusCostNs, nanoseconds(0)));
    return {};
}

Result<BusSpec> readBus(const Json& value, std::string path) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    BusSpec bus;
    bus.name = TRY(reader.name("name", kMaxNameBytes));
    bus.backend = TRY(reader.name("backend", kMaxNameBytes));
    bus.slaveAddress = static_cast<std::uint8_t>(
        TRY(reader.integerOr("slave_address", 0, 0x7f, bus.slaveAddress)));
    bus.lockEvents = TRY(readLockEvents(reader));
    bus.policy = TRY(readPolicy(reader));
    TRY(readBusTimes(reader, bus));
    TRY(readBusFaults(reader, bus));
    TRY(reader.finish());
    return bus;
}

/// The array `key` of things with unique names; empty if it is missing.
template <class T>
Result<std::vector<T>> readNamed(ObjectReader& document, std::string_view key, std::size_t maxCount,
                                 const char* kind, Result<T> (*read)(const Json&, std::string)) {
    std::vector<T> things;
    if (!document.has(key))
        return things;
    const Json* array = TRY(document.array(key, maxCount));
    for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string path = fmt::format("{}[{}]", key, i);
        T thing = TRY(read((*array)[i], path));
        if (std::ranges::find(things, thing.name, &T::name) != things.end())
            return std::unexpected(
                expected(fmt::format("a name no other {} has", kind), path + ".name"));
        things.push_back(std::move(thing));
    }
    return things;
}

/// Markers, tables and pictures know a lock by its name alone.
Result<void> checkLockNames(const WorkloadSpec& spec) {
    for (std::size_t i = 0; i < spec.buses.size(); ++i) {
        if (spec.findLock(spec.buses[i].lockName()))
            return std::unexpected(expected(
                fmt::format("a name whose \"{}\" is none of \"locks\"", spec.buses[i].lockName()),
                fmt::format("buses[{}].name", i)));
    }
    return {};
}

Result<SchedulingClass> readClass(ObjectReader& reader) {
    const std::string name = TRY(reader.name("class", kMaxNameBytes));
    for (const auto known : {SchedulingClass::Other, SchedulingClass::Fifo,
                             SchedulingClass::RoundRobin, SchedulingClass::Deadline}) {
        if (name == schedulingClassName(known))
            return known;
    }
    return std::unexpected(expected("one of other, fifo, rr, deadline", reader.pathOf("class")));
}

/// An error for the first member that belongs to another class.
Result<void> refuseForeign(const ObjectReader& reader, SchedulingClass schedulingClass) {
    struct Member {
        const char* key;
        bool foreign;
    };
    const bool fair = schedulingClass == SchedulingClass::Other;
    const bool deadline = schedulingClass == SchedulingClass::Deadline;
    const char* own = fair       ? "\"nice\" for class other"
                      : deadline ? "\"sched_runtime_ns\" and its like for class deadline"
                                 : "\"priority\" for a real-time class";
    for (const auto& [key, foreign] :
         {Member{"nice", !fair}, Member{"priority", fair || deadline},
          Member{"sched_runtime_ns", !deadline}, Member{"sched_deadline_ns", !deadline},
          Member{"sched_period_ns", !deadline}}) {
        if (foreign && reader.has(key))
            return std::unexpected(expected(own, reader.pathOf(key)));
    }
    return {};
}

/// sched_attr's values, as the kernel demands them: runtime <= deadline <= period.
Result<void> readDeadlineClass(ObjectReader& reader, Scheduling& scheduling) {
    scheduling.runtime = nanoseconds(TRY(reader.integer("sched_runtime_ns", 1024, kMaxStepNs)));
    scheduling.deadline = nanoseconds(
        TRY(reader.integer("sched_deadline_ns", scheduling.runtime.count(), kMaxStepNs)));
    scheduling.period = TRY(timeOr(reader, "sched_period_ns", scheduling.deadline.count(),
                                   kMaxStepNs, scheduling.deadline));
    return {};
}

Result<Scheduling> readScheduling(ObjectReader& reader) {
    Scheduling scheduling;
    scheduling.schedulingClass = TRY(readClass(reader));
    TRY(refuseForeign(reader, scheduling.schedulingClass));
    if (scheduling.schedulingClass == SchedulingClass::Other)
        scheduling.nice = static_cast<std::int32_t>(TRY(reader.integerOr("nice", -20, 19, 0)));
    else if (scheduling.schedulingClass == SchedulingClass::Deadline)
        TRY(readDeadlineClass(reader, scheduling));
    else
        scheduling.priority = static_cast<std::int32_t>(TRY(reader.integer("priority", 1, 99)));
    return scheduling;
}

Result<std::vector<int>> readCpus(ObjectReader& reader, const WorkloadSpec& spec) {
    std::vector<int> cpus;
    if (!reader.has("affinity"))
        return cpus;
    const Json* array = TRY(reader.array("affinity", kMaxCpus));
    for (std::size_t i = 0; i < array->size(); ++i) {
        const Json& cpu = (*array)[i];
        const bool valid = cpu.is_number_integer() && cpu >= 0 && cpu < spec.cpuCount;
        if (!valid || std::ranges::find(cpus, cpu.get<int>()) != cpus.end())
            return std::unexpected(
                expected(fmt::format("a CPU from 0 to {}, each once", spec.cpuCount - 1),
                         fmt::format("{}[{}]", reader.pathOf("affinity"), i)));
        cpus.push_back(cpu.get<int>());
    }
    return cpus;
}

/// When its jobs are released and how many there are.
Result<void> readJobs(ObjectReader& reader, ThreadSpec& thread) {
    thread.startOffset = TRY(readTimeOr(reader, "start_ns", kMaxRunNs, nanoseconds(0)));
    if (reader.has("duration_ns"))
        thread.duration = nanoseconds(TRY(reader.integer("duration_ns", 1, kMaxRunNs)));
    const std::int64_t fallback = thread.duration ? 0 : 1;
    thread.loops =
        static_cast<std::uint64_t>(TRY(reader.integerOr("loops", 1, kMaxLoops, fallback)));
    thread.period = TRY(timeOr(reader, "period_ns", 1, kMaxStepNs, nanoseconds(0)));
    thread.deadline = TRY(timeOr(reader, "deadline_ns", 1, kMaxStepNs, nanoseconds(0)));
    return {};
}

bool hasNextPeriod(const std::vector<Step>& body) {
    return std::ranges::any_of(
        body, [](const Step& step) { return std::holds_alternative<NextPeriodStep>(step); });
}

bool takesTime(const Step& step) {
    if (const auto* run = std::get_if<RunStep>(&step))
        return run->duration.upperBound().count() > 0;
    if (const auto* sleep = std::get_if<SleepStep>(&step))
        return sleep->duration.upperBound().count() > 0;
    return std::holds_alternative<TransferStep>(step) ||
           std::holds_alternative<NextPeriodStep>(step);
}

/// A thread that runs for a duration must get through time; and releases are kept by waiting for
/// them.
Result<void> checkBody(const ThreadSpec& thread, const std::string& path) {
    const bool periodic = thread.period.count() > 0;
    if (periodic != hasNextPeriod(thread.body))
        return std::unexpected(
            expected(periodic ? "a next_period step, because the thread has a period"
                              : "\"period_ns\" beside \"body\", because of its next_period step",
                     path + ".body"));
    if (thread.loops == 0 && std::ranges::none_of(thread.body, takesTime))
        return std::unexpected(expected("a step that takes time", path + ".body"));
    return {};
}

Result<ThreadSpec> readThread(const Json& value, const std::string& path,
                              const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, path));
    ThreadSpec thread;
    thread.name = TRY(reader.name("name", kMaxThreadNameBytes));
    thread.scheduling = TRY(readScheduling(reader));
    thread.cpus = TRY(readCpus(reader, spec));
    TRY(readJobs(reader, thread));
    const Json* body = TRY(reader.array("body", kMaxBodySteps));
    thread.body = TRY(readBody(*body, path + ".body", spec));
    TRY(checkBody(thread, path));
    TRY(reader.finish());
    return thread;
}

Result<void> readThreads(ObjectReader& document, WorkloadSpec& spec) {
    const Json* array = TRY(document.array("threads", kMaxThreads));
    for (std::size_t i = 0; i < array->size(); ++i) {
        ThreadSpec thread = TRY(readThread((*array)[i], fmt::format("threads[{}]", i), spec));
        if (std::ranges::find(spec.threads, thread.name, &ThreadSpec::name) != spec.threads.end())
            return std::unexpected(
                expected("a name no other thread has", fmt::format("threads[{}].name", i)));
        spec.threads.push_back(std::move(thread));
    }
    return {};
}

Result<void> readCosts(ObjectReader& reader, VirtualCosts& costs) {
    struct Member {
        const char* key;
        nanoseconds& value;
    };
    for (const auto& [key, value] :
         {Member{"context_switch_ns", costs.contextSwitch}, Member{"wake_up_ns", costs.wakeUp},
          Member{"lock_ns", costs.lock}, Member{"syscall_ns", costs.syscall},
          Member{"timer_late_ns", costs.timerLate}})
        value = TRY(timeOr(reader, key, 0, kMaxBusCostNs, value));
    return {};
}

Result<FairParameters> readFair(const Json& value, std::string path) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    FairParameters fair;
    fair.latency = TRY(timeOr(reader, "latency_ns", 1, kMaxBusCostNs, fair.latency));
    fair.minGranularity =
        TRY(timeOr(reader, "min_granularity_ns", 1, kMaxBusCostNs, fair.minGranularity));
    fair.wakeUpGranularity =
        TRY(timeOr(reader, "wake_up_granularity_ns", 0, kMaxBusCostNs, fair.wakeUpGranularity));
    fair.sleeperCredit =
        TRY(timeOr(reader, "sleeper_credit_ns", 0, kMaxBusCostNs, fair.sleeperCredit));
    TRY(reader.finish());
    return fair;
}

Result<VirtualParameters> readVirtual(ObjectReader& document) {
    VirtualParameters parameters;
    if (!document.has("virtual"))
        return parameters;
    ObjectReader reader = TRY(ObjectReader::open(*TRY(document.member("virtual")), "virtual"));
    TRY(readCosts(reader, parameters.costs));
    if (reader.has("fair"))
        parameters.fair = TRY(readFair(*TRY(reader.member("fair")), reader.pathOf("fair")));
    parameters.rrSlice = TRY(timeOr(reader, "rr_slice_ns", 1, kMaxStepNs, parameters.rrSlice));
    TRY(reader.finish());
    return parameters;
}

Result<void> checkVersion(ObjectReader& document) {
    const std::int64_t version = TRY(document.integer("scenario", 1, 1'000'000));
    if (version > kScenarioVersion)
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("scenario version {} is newer than this program's {}", version,
                              kScenarioVersion),
                  "scenario", "update Inversight"});
    return {};
}

} // namespace

Result<WorkloadSpec> readWorkload(const Json& document) {
    ObjectReader reader = TRY(ObjectReader::open(document, ""));
    TRY(checkVersion(reader));
    WorkloadSpec spec;
    spec.name = TRY(reader.name("name", kMaxNameBytes));
    spec.description = TRY(reader.textOrEmpty("description"));
    spec.source = TRY(reader.textOrEmpty("source"));
    spec.cpuCount = static_cast<int>(TRY(reader.integerOr("cpus", 1, kMaxCpus, 1)));
    spec.seed = static_cast<std::uint64_t>(
        TRY(reader.integerOr("seed", 0, std::numeric_limits<std::int64_t>::max(), 0)));
    spec.virtualTime = TRY(readVirtual(reader));
    spec.locks = TRY(readNamed(reader, "locks", kMaxLocks, "lock", readLock));
    spec.buses = TRY(readNamed(reader, "buses", kMaxBuses, "bus", readBus));
    TRY(checkLockNames(spec));
    TRY(readThreads(reader, spec));
    TRY(reader.finish());
    return spec;
}

} // namespace inversight
