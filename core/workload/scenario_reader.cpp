// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/scenario_reader.h"

#include "core/workload/scenario.h"
#include "core/workload/wire_time.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

namespace {

constexpr std::array kOperations{
    I2cOperation::Quick,         I2cOperation::SendByte,      I2cOperation::ReceiveByte,
    I2cOperation::ReadByteData,  I2cOperation::WriteByteData, I2cOperation::ReadWordData,
    I2cOperation::WriteWordData,
};

Result<I2cOperation> readOperation(ObjectReader& reader) {
    const std::string name = TRY(reader.name("operation", kMaxNameBytes));
    std::vector<std::string_view> names;
    for (const I2cOperation operation : kOperations) {
        if (name == i2cOperationName(operation))
            return operation;
        names.emplace_back(i2cOperationName(operation));
    }
    return std::unexpected(
        expected(fmt::format("one of {}", fmt::join(names, ", ")), reader.pathOf("operation")));
}

Result<BusSpec> readBus(const Json& value, std::string path) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    BusSpec bus;
    bus.name = TRY(reader.name("name", kMaxNameBytes));
    bus.backend = TRY(reader.name("backend", kMaxNameBytes));
    bus.clockHz = static_cast<std::uint32_t>(
        TRY(reader.integerOr("clock_hz", kMinClockHz, kMaxClockHz, bus.clockHz)));
    bus.cpuBefore =
        std::chrono::nanoseconds(TRY(reader.integerOr("cpu_before_ns", 0, kMaxBusCostNs, 0)));
    bus.cpuAfter =
        std::chrono::nanoseconds(TRY(reader.integerOr("cpu_after_ns", 0, kMaxBusCostNs, 0)));
    bus.slaveAddress = static_cast<std::uint8_t>(
        TRY(reader.integerOr("slave_address", 0, 0x7f, bus.slaveAddress)));
    TRY(reader.finish());
    return bus;
}

Result<std::vector<BusSpec>> readBuses(ObjectReader& document) {
    const Json* array = TRY(document.array("buses", kMaxBuses));
    std::vector<BusSpec> buses;
    for (std::size_t i = 0; i < array->size(); ++i) {
        BusSpec bus = TRY(readBus((*array)[i], fmt::format("buses[{}]", i)));
        if (std::ranges::find(buses, bus.name, &BusSpec::name) != buses.end())
            return std::unexpected(
                expected("a name no other bus has", fmt::format("buses[{}].name", i)));
        buses.push_back(std::move(bus));
    }
    return buses;
}

Result<SchedulingClass> readClass(ObjectReader& reader) {
    const std::string name = TRY(reader.name("class", kMaxNameBytes));
    if (name == "other")
        return SchedulingClass::Other;
    if (name == "fifo")
        return SchedulingClass::Fifo;
    if (name == "rr")
        return SchedulingClass::RoundRobin;
    return std::unexpected(expected("one of other, fifo, rr", reader.pathOf("class")));
}

Result<Scheduling> readScheduling(ObjectReader& reader) {
    Scheduling scheduling;
    scheduling.schedulingClass = TRY(readClass(reader));
    const bool fair = scheduling.schedulingClass == SchedulingClass::Other;
    const char* foreign = fair ? "priority" : "nice";
    if (reader.has(foreign))
        return std::unexpected(
            expected(fair ? "\"nice\" for class other" : "\"priority\" for a real-time class",
                     reader.pathOf(foreign)));
    if (fair)
        scheduling.nice = static_cast<std::int32_t>(TRY(reader.integerOr("nice", -20, 19, 0)));
    else
        scheduling.priority = static_cast<std::int32_t>(TRY(reader.integer("priority", 1, 99)));
    return scheduling;
}

Result<std::chrono::nanoseconds> readDuration(ObjectReader& reader) {
    return std::chrono::nanoseconds(TRY(reader.integer("duration_ns", 0, kMaxStepNs)));
}

Result<Step> readTransfer(ObjectReader reader, const WorkloadSpec& spec) {
    TransferStep step;
    step.bus = TRY(reader.name("bus", kMaxNameBytes));
    if (!spec.findBus(step.bus))
        return std::unexpected(expected("the name of one of \"buses\"", reader.pathOf("bus")));
    step.operation = TRY(readOperation(reader));
    TRY(reader.finish());
    return step;
}

Result<Step> readSleep(ObjectReader reader) {
    SleepStep step;
    step.duration = TRY(readDuration(reader));
    step.skipLast = TRY(reader.flagOr("skip_last", false));
    TRY(reader.finish());
    return step;
}

Result<Step> readRun(ObjectReader reader) {
    const RunStep step{TRY(readDuration(reader))};
    TRY(reader.finish());
    return step;
}

/// A step is an object with one member, whose key says what it does.
Result<Step> readStep(const Json& value, const std::string& path, const WorkloadSpec& spec) {
    if (!value.is_object() || value.size() != 1)
        return std::unexpected(expected("an object with one member: run, sleep or transfer", path));
    const std::string key = value.begin().key();
    const std::string inner = path + "." + key;
    if (key == "transfer")
        return readTransfer(TRY(ObjectReader::open(value.front(), inner)), spec);
    if (key == "sleep")
        return readSleep(TRY(ObjectReader::open(value.front(), inner)));
    if (key == "run")
        return readRun(TRY(ObjectReader::open(value.front(), inner)));
    return std::unexpected(expected("run, sleep or transfer", inner));
}

Result<ThreadSpec> readThread(const Json& value, const std::string& path,
                              const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, path));
    ThreadSpec thread;
    thread.name = TRY(reader.name("name", kMaxThreadNameBytes));
    thread.scheduling = TRY(readScheduling(reader));
    thread.loops = static_cast<std::uint64_t>(TRY(reader.integerOr("loops", 1, kMaxLoops, 1)));
    const Json* body = TRY(reader.array("body", kMaxBodySteps));
    for (std::size_t i = 0; i < body->size(); ++i)
        thread.body.push_back(TRY(readStep((*body)[i], fmt::format("{}.body[{}]", path, i), spec)));
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
    spec.buses = TRY(readBuses(reader));
    TRY(readThreads(reader, spec));
    TRY(reader.finish());
    return spec;
}

} // namespace inversight
