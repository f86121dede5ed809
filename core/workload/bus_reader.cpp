// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/bus_reader.h"

#include "core/workload/scenario_reader.h"
#include "core/workload/scheduling_reader.h"
#include "core/workload/step_reader.h"

#include <fmt/format.h>

namespace inversight {

namespace {

using std::chrono::nanoseconds;

Result<std::uint32_t> count32(ObjectReader& reader, std::string_view key, std::int64_t high) {
    return static_cast<std::uint32_t>(TRY(reader.integerOr(key, 0, high, 0)));
}

/// What only an i2c bus has: the slave's side, what goes wrong, and how the driver deals with it.
Result<void> readI2c(ObjectReader& reader, BusSpec& bus) {
    bus.slaveAddress = static_cast<std::uint8_t>(
        TRY(reader.integerOr("slave_address", 0, 0x7f, bus.slaveAddress)));
    bus.stretch = TRY(readTimeOr(reader, "stretch_ns", kMaxStepNs, nanoseconds(0)));
    bus.pollInterval = TRY(timeOr(reader, "poll_ns", 0, kMaxBusCostNs, nanoseconds(0)));
    bus.nackPpm = TRY(count32(reader, "nack_ppm", kMaxPpm));
    bus.arbitrationLossPpm = TRY(count32(reader, "arbitration_loss_ppm", kMaxPpm));
    bus.retries = TRY(count32(reader, "retries", kMaxRetries));
    bus.timeout = TRY(timeOr(reader, "timeout_ns", 0, kMaxStepNs, bus.timeout));
    return {};
}

/// How long a transfer takes.
Result<void> readBusTimes(ObjectReader& reader, BusSpec& bus) {
    bus.clockHz = static_cast<std::uint32_t>(
        TRY(reader.integerOr("clock_hz", kMinClockHz, bus.spi ? kMaxSpiClockHz : kMaxClockHz,
                             bus.clockHz)));
    bus.cpuBefore = TRY(readTimeOr(reader, "cpu_before_ns", kMaxBusCostNs, nanoseconds(0)));
    bus.cpuAfter = TRY(readTimeOr(reader, "cpu_after_ns", kMaxBusCostNs, nanoseconds(0)));
    if (reader.has("wire_ns"))
        bus.wireTime = TRY(readTime(reader, "wire_ns", kMaxStepNs));
    return {};
}

/// Which of two words stands under `key`; the first if the member is missing.
Result<bool> isSecond(ObjectReader& reader, std::string_view key, std::string_view first,
                      std::string_view second) {
    if (!reader.has(key))
        return false;
    const std::string word = TRY(reader.name(key, kMaxNameBytes));
    if (word != first && word != second)
        return std::unexpected(
            expected(fmt::format("{} or {}", first, second), reader.pathOf(key)));
    return word == second;
}

Result<HelperSpec> readHelper(const Json& value, std::string path, const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    HelperSpec helper;
    helper.name = TRY(reader.name("name", kMaxThreadNameBytes));
    helper.scheduling = TRY(readScheduling(reader));
    helper.cpus = TRY(readCpus(reader, spec));
    TRY(reader.finish());
    return helper;
}

Result<std::optional<HelperSpec>> readHelperIfAny(ObjectReader& reader, std::string_view key,
                                                  const WorkloadSpec& spec) {
    std::optional<HelperSpec> helper;
    if (reader.has(key))
        helper = TRY(readHelper(*TRY(reader.member(key)), reader.pathOf(key), spec));
    return helper;
}

Result<void> readSpiWire(ObjectReader& reader, SpiStack& stack) {
    stack.lanes = static_cast<std::uint32_t>(TRY(reader.integerOr("lanes", 1, 8, stack.lanes)));
    stack.bitsPerWord = static_cast<std::uint32_t>(
        TRY(reader.integerOr("bits_per_word", 1, 32, stack.bitsPerWord)));
    struct Member {
        const char* key;
        nanoseconds& value;
    };
    for (const auto& [key, value] :
         {Member{"cs_setup_ns", stack.csSetup}, Member{"cs_hold_ns", stack.csHold},
          Member{"word_delay_ns", stack.wordDelay}, Member{"post_delay_ns", stack.postDelay}})
        value = TRY(timeOr(reader, key, 0, kMaxSpiDelayNs, value));
    return {};
}

/// The pump stays as described when messages go inline, so that one setting changes the way.
Result<void> readSpiThreads(ObjectReader& reader, SpiStack& stack, const WorkloadSpec& spec) {
    const bool queued = TRY(isSecond(reader, "path", "inline", "pump"));
    stack.pump = TRY(readHelperIfAny(reader, "pump", spec));
    if (queued && !stack.pump)
        return std::unexpected(expected("\"pump\" beside it, the thread that carries out messages",
                                        reader.pathOf("path")));
    if (!queued)
        stack.pump.reset();
    stack.interrupt = TRY(readHelperIfAny(reader, "interrupt", spec));
    stack.interruptCost = TRY(readTimeOr(reader, "interrupt_ns", kMaxBusCostNs, nanoseconds(0)));
    return {};
}

Result<void> readSpiDma(ObjectReader& reader, SpiStack& stack) {
    stack.acquiresDmaPerMessage = TRY(isSecond(reader, "dma", "at_probe", "per_message"));
    stack.dmaAcquire = TRY(readTimeOr(reader, "dma_acquire_ns", kMaxBusCostNs, nanoseconds(0)));
    // Below a certainty: a channel that is never there would be waited for without an end.
    stack.dmaBusyPpm = TRY(count32(reader, "dma_busy_ppm", kMaxDmaBusyPpm));
    stack.dmaRetry = TRY(timeOr(reader, "dma_retry_ns", 1, kMaxBusCostNs, stack.dmaRetry));
    return {};
}

Result<SpiStack> readSpi(const Json& value, std::string path, const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    SpiStack stack;
    TRY(readSpiWire(reader, stack));
    stack.bufferBytes = static_cast<std::uint32_t>(
        TRY(reader.integerOr("buffer_bytes", 1, kMaxSpiBytes, stack.bufferBytes)));
    stack.allocatesPerIoctl = TRY(isSecond(reader, "allocation", "at_open", "per_ioctl"));
    stack.allocation = TRY(readTimeOr(reader, "allocation_ns", kMaxBusCostNs, nanoseconds(0)));
    TRY(readSpiThreads(reader, stack, spec));
    TRY(readSpiDma(reader, stack));
    TRY(reader.finish());
    return stack;
}

} // namespace

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

Result<BusSpec> readBus(const Json& value, std::string path, const WorkloadSpec& spec) {
    ObjectReader reader = TRY(ObjectReader::open(value, std::move(path)));
    BusSpec bus;
    bus.name = TRY(reader.name("name", kMaxNameBytes));
    bus.backend = TRY(reader.name("backend", kMaxNameBytes));
    bus.lockEvents = TRY(readLockEvents(reader));
    bus.policy = TRY(readPolicy(reader));
    if (reader.has("spi"))
        bus.spi = TRY(readSpi(*TRY(reader.member("spi")), reader.pathOf("spi"), spec));
    TRY(readBusTimes(reader, bus));
    if (!bus.spi)
        TRY(readI2c(reader, bus));
    TRY(reader.finish());
    return bus;
}

} // namespace inversight
