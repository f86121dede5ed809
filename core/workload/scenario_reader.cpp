// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario_reader.h"

#include "core/workload/bus_reader.h"
#include "core/workload/scenario.h"
#include "core/workload/scheduling_reader.h"
#include "core/workload/step_reader.h"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace inversight {

namespace {

using std::chrono::nanoseconds;

Result<LockSpec> readLock(const Json& value, std::string path) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    LockSpec lock;
    lock.name = TRY(reader.name("name", kMaxNameBytes));
    lock.events = TRY(readLockEvents(reader));
    lock.policy = TRY(readPolicy(reader));
    TRY(reader.finish());
    return lock;
}

/// The array `key` of things with unique names; empty if it is missing.
template <class T>
Result<std::vector<T>> readNamed(ObjectReader& document, std::string_view key, std::size_t maxCount,
                                 const char* kind,
                                 const std::function<Result<T>(const Json&, std::string)>& read) {
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

/// When its jobs are released and how many there are.
Result<void> readJobs(ObjectReader& reader, ThreadSpec& thread) {
    thread.startOffset = TRY(readTimeOr(reader, "start_ns", kMaxRunNs, nanoseconds(0)));
    if (reader.has("duration_ns"))
        thread.duration = nanoseconds(TRY(reader.integer("duration_ns", 1, kMaxRunNs)));
    thread.background = TRY(reader.flagOr("background", false));
    if (thread.background && !thread.duration && !reader.has("loops"))
        thread.duration = nanoseconds(kMaxRunNs); // until the others end
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

Result<ThreadSpec> readThread(ObjectReader& reader, const std::string& path,
                              const WorkloadSpec& spec) {
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

/// "count" threads that differ by number only: "NAME-1" and on.
Result<std::vector<ThreadSpec>> multiply(ThreadSpec thread, std::int64_t count,
                                         const std::string& path) {
    std::vector<ThreadSpec> threads;
    if (thread.name.size() + fmt::formatted_size("-{}", count) > kMaxThreadNameBytes)
        return std::unexpected(
            expected(fmt::format("at most {} bytes with a number from 1 to {} behind it",
                                 kMaxThreadNameBytes, count),
                     path + ".name"));
    for (std::int64_t number = 1; number <= count; ++number) {
        threads.push_back(thread);
        threads.back().name = fmt::format("{}-{}", thread.name, number);
    }
    return threads;
}

Result<std::vector<ThreadSpec>> readThreadOrMany(const Json& value, const std::string& path,
                                                 const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, path));
    const std::int64_t count = TRY(reader.integerOr("count", 1, kMaxThreads, 1));
    ThreadSpec thread = TRY(readThread(reader, path, spec));
    if (reader.has("count"))
        return multiply(std::move(thread), count, path);
    return std::vector{std::move(thread)};
}

Result<void> checkForeground(const WorkloadSpec& spec) {
    if (std::ranges::all_of(spec.threads, &ThreadSpec::background))
        return std::unexpected(expected("a thread that is not \"background\"", "threads"));
    return {};
}

Result<void> readThreads(ObjectReader& document, WorkloadSpec& spec) {
    const Json* array = TRY(document.array("threads", kMaxThreads));
    for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string path = fmt::format("threads[{}]", i);
        for (ThreadSpec& thread : TRY(readThreadOrMany((*array)[i], path, spec))) {
            if (std::ranges::find(spec.threads, thread.name, &ThreadSpec::name) !=
                spec.threads.end())
                return std::unexpected(expected("a name no other thread has", path + ".name"));
            spec.threads.push_back(std::move(thread));
        }
        if (spec.threads.size() > kMaxThreads)
            return std::unexpected(
                expected(fmt::format("at most {} threads in all", kMaxThreads), path + ".count"));
    }
    return {};
}

/// The kernel threads of the buses' drivers, behind the scenario's own.
Result<void> addHelpers(WorkloadSpec& spec) {
    const auto add = [&](const BusSpec& bus, const std::optional<HelperSpec>& helper,
                         BusService service, std::string path) -> Result<void> {
        if (!helper)
            return {};
        if (std::ranges::find(spec.threads, helper->name, &ThreadSpec::name) != spec.threads.end())
            return std::unexpected(expected("a name no other thread has", path + ".name"));
        if (spec.threads.size() == kMaxThreads)
            return std::unexpected(expected(
                fmt::format("at most {} threads in all, helpers included", kMaxThreads), path));
        spec.threads.push_back({.name = helper->name,
                                .scheduling = helper->scheduling,
                                .cpus = helper->cpus,
                                .body = {ServeStep{bus.name, service}},
                                .background = true});
        return {};
    };
    for (std::size_t i = 0; i < spec.buses.size(); ++i) {
        const BusSpec& bus = spec.buses[i];
        if (!bus.spi)
            continue;
        const std::string path = fmt::format("buses[{}].spi", i);
        TRY(add(bus, bus.spi->pump, BusService::Pump, path + ".pump"));
        TRY(add(bus, bus.spi->interrupt, BusService::Interrupt, path + ".interrupt"));
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
    spec.locks = TRY(readNamed<LockSpec>(reader, "locks", kMaxLocks, "lock", readLock));
    spec.buses = TRY(readNamed<BusSpec>(
        reader, "buses", kMaxBuses, "bus",
        [&](const Json& value, std::string path) { return readBus(value, std::move(path), spec); }));
    TRY(checkLockNames(spec));
    TRY(readThreads(reader, spec));
    TRY(checkForeground(spec));
    TRY(addHelpers(spec));
    TRY(reader.finish());
    return spec;
}

} // namespace inversight
