// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/step_reader.h"

#include "core/workload/scenario_reader.h"
#include "core/workload/wire_time.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace inversight {

namespace {

using std::chrono::nanoseconds;

constexpr std::array kOperations{
    I2cOperation::Quick,         I2cOperation::SendByte,      I2cOperation::ReceiveByte,
    I2cOperation::ReadByteData,  I2cOperation::WriteByteData, I2cOperation::ReadWordData,
    I2cOperation::WriteWordData,
};

constexpr const char* kTimeForms =
    "a number of ns, or an object with one member: uniform, normal or exponential";

Result<nanoseconds> plainTime(ObjectReader& reader, std::string_view key, std::int64_t low,
                              std::int64_t high) {
    return nanoseconds(TRY(reader.integer(key, low, high)));
}

Result<TimeDistribution> readUniform(ObjectReader& reader, std::int64_t high) {
    const nanoseconds lowEnd = TRY(plainTime(reader, "low_ns", 0, high));
    const nanoseconds highEnd = TRY(plainTime(reader, "high_ns", lowEnd.count(), high));
    return TimeDistribution::uniform(lowEnd, highEnd);
}

Result<TimeDistribution> readNormal(ObjectReader& reader, std::int64_t high) {
    const nanoseconds mean = TRY(plainTime(reader, "mean_ns", 0, high));
    return TimeDistribution::normal(mean, TRY(plainTime(reader, "deviation_ns", 0, high)));
}

Result<TimeDistribution> readVarying(const Json& value, const std::string& path,
                                     std::int64_t high) {
    if (!value.is_object() || value.size() != 1)
        return std::unexpected(expected(kTimeForms, path));
    const std::string& kind = value.begin().key();
    const std::string inner = path + "." + kind;
    if (kind != "uniform" && kind != "normal" && kind != "exponential")
        return std::unexpected(expected("uniform, normal or exponential", inner));
    ObjectReader reader = TRY(ObjectReader::open(value.front(), inner));
    TimeDistribution time;
    if (kind == "uniform")
        time = TRY(readUniform(reader, high));
    else if (kind == "normal")
        time = TRY(readNormal(reader, high));
    else
        time = TimeDistribution::exponential(TRY(plainTime(reader, "mean_ns", 0, high)));
    TRY(reader.finish());
    return time;
}

Result<BusOperation> readI2cOperation(ObjectReader& reader) {
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

Result<BusOperation> readSpiMessage(ObjectReader& reader, const SpiStack& stack) {
    return SpiMessage{
        static_cast<std::uint32_t>(TRY(reader.integer("bytes", 1, stack.bufferBytes)))};
}

/// Reads the steps of one body and keeps count of the locks held at each.
class BodyReader {
public:
    explicit BodyReader(const WorkloadSpec& spec) : spec_(spec) {}

    /// A step is an object with one member, whose key says what it does.
    Result<Step> read(const Json& value, const std::string& path) {
        constexpr const char* kKinds =
            "run, sleep, lock, unlock, trylock, transfer, next_period or mark";
        if (!value.is_object() || value.size() != 1)
            return std::unexpected(
                expected(fmt::format("an object with one member: {}", kKinds), path));
        ObjectReader step = TRY(ObjectReader::open(value, path));
        const std::string key = value.begin().key();
        const Reading* reading = readingOf(key);
        if (!reading)
            return std::unexpected(expected(kKinds, path + "." + key));
        return (this->**reading)(step, key);
    }

    [[nodiscard]] const std::vector<std::string>& held() const { return held_; }

private:
    using Reading = Result<Step> (BodyReader::*)(ObjectReader&, const std::string&);
    struct Kind {
        std::string_view key;
        Reading reading;
    };

    static const Reading* readingOf(std::string_view key) {
        static constexpr auto kinds = std::to_array<Kind>({
            {"run", &BodyReader::readRun},
            {"sleep", &BodyReader::readSleep},
            {"lock", &BodyReader::readLock},
            {"unlock", &BodyReader::readUnlock},
            {"trylock", &BodyReader::readTryLock},
            {"transfer", &BodyReader::readTransfer},
            {"next_period", &BodyReader::readNextPeriod},
            {"mark", &BodyReader::readMark},
        });
        const auto found = std::ranges::find(kinds, key, &Kind::key);
        return found == kinds.end() ? nullptr : &found->reading;
    }

    static Result<ObjectReader> inside(ObjectReader& step, const std::string& key) {
        return ObjectReader::open(*TRY(step.member(key)), step.pathOf(key));
    }

    Result<Step> readRun(ObjectReader& step, const std::string& key) {
        ObjectReader reader = TRY(inside(step, key));
        RunStep run{TRY(readTime(reader, "duration_ns", kMaxStepNs))};
        TRY(reader.finish());
        return run;
    }

    Result<Step> readSleep(ObjectReader& step, const std::string& key) {
        ObjectReader reader = TRY(inside(step, key));
        SleepStep sleep;
        sleep.duration = TRY(readTime(reader, "duration_ns", kMaxStepNs));
        sleep.skipLast = TRY(reader.flagOr("skip_last", false));
        TRY(reader.finish());
        return sleep;
    }

    Result<Step> readTransfer(ObjectReader& step, const std::string& key) {
        ObjectReader reader = TRY(inside(step, key));
        TransferStep transfer;
        transfer.bus = TRY(reader.name("bus", kMaxNameBytes));
        const BusSpec* bus = spec_.findBus(transfer.bus);
        if (!bus)
            return std::unexpected(expected("the name of one of \"buses\"", reader.pathOf("bus")));
        transfer.operation = TRY(bus->spi ? readSpiMessage(reader, *bus->spi)
                                          : readI2cOperation(reader));
        TRY(reader.finish());
        return transfer;
    }

    Result<Step> readNextPeriod(ObjectReader& step, const std::string& key) {
        const ObjectReader reader = TRY(inside(step, key));
        TRY(reader.finish());
        return NextPeriodStep{};
    }

    Result<Step> readMark(ObjectReader& step, const std::string& key) {
        return MarkStep{TRY(step.name(key, kMaxMarkBytes))};
    }

    /// The name of a lock that this thread does not hold, and holds from here.
    Result<std::string> taken(ObjectReader& step, const std::string& key) {
        std::string name = TRY(step.name(key, kMaxNameBytes));
        if (!spec_.findLock(name))
            return std::unexpected(expected("the name of one of \"locks\"", step.pathOf(key)));
        if (std::ranges::find(held_, name) != held_.end())
            return std::unexpected(
                expected("a lock that the thread does not hold already", step.pathOf(key)));
        held_.push_back(name);
        return name;
    }

    Result<Step> readLock(ObjectReader& step, const std::string& key) {
        return LockStep{TRY(taken(step, key))};
    }

    Result<Step> readTryLock(ObjectReader& step, const std::string& key) {
        return TryLockStep{TRY(taken(step, key))};
    }

    Result<Step> readUnlock(ObjectReader& step, const std::string& key) {
        const std::string name = TRY(step.name(key, kMaxNameBytes));
        if (held_.empty())
            return std::unexpected(expected("a lock or trylock step before it", step.pathOf(key)));
        if (held_.back() != name)
            return std::unexpected(
                expected(fmt::format("\"{}\", the lock taken last (locks nest)", held_.back()),
                         step.pathOf(key)));
        held_.pop_back();
        return UnlockStep{name};
    }

    const WorkloadSpec& spec_;
    std::vector<std::string> held_;
};

} // namespace

Result<TimeDistribution> readTime(ObjectReader& reader, std::string_view key, std::int64_t high) {
    const Json* value = TRY(reader.member(key));
    if (!value->is_object())
        return TimeDistribution(TRY(plainTime(reader, key, 0, high)));
    return readVarying(*value, reader.pathOf(key), high);
}

Result<TimeDistribution> readTimeOr(ObjectReader& reader, std::string_view key, std::int64_t high,
                                    TimeDistribution fallback) {
    return reader.has(key) ? readTime(reader, key, high) : Result<TimeDistribution>(fallback);
}

Result<nanoseconds> timeOr(ObjectReader& reader, std::string_view key, std::int64_t low,
                           std::int64_t high, nanoseconds fallback) {
    return nanoseconds(TRY(reader.integerOr(key, low, high, fallback.count())));
}

Result<std::vector<Step>> readBody(const Json& array, const std::string& path,
                                   const WorkloadSpec& spec) {
    BodyReader reader(spec);
    std::vector<Step> body;
    for (std::size_t i = 0; i < array.size(); ++i)
        body.push_back(TRY(reader.read(array[i], fmt::format("{}[{}]", path, i))));
    if (!reader.held().empty())
        return std::unexpected(expected(
            fmt::format("an unlock of \"{}\" behind the last step", reader.held().back()), path));
    return body;
}

} // namespace inversight
