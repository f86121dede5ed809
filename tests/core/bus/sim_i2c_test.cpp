// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/bus_backends.h"
#include "core/bus/thread_clock.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;

BusSpec specOf(std::chrono::nanoseconds before, std::chrono::nanoseconds after) {
    BusSpec spec;
    spec.name = "i2c-2";
    spec.backend = "sim-i2c";
    spec.cpuBefore = TimeDistribution(before);
    spec.cpuAfter = TimeDistribution(after);
    return spec;
}

/// A thread that only counts what the bus tells it.
class CountingCaller final : public TransferCaller {
public:
    RandomSource& random() override { return random_; }
    void wireBegins() override { ++begins; }
    void wireEnds() override { ++ends; }
    [[nodiscard]] bool stopRequested() const override { return stop; }

    int begins = 0;
    int ends = 0;
    bool stop = false;

private:
    RandomSource random_{1, 0};
};

long voluntarySwitches() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

TEST(BusBackends, TableAnswersByName) {
    for (const BusBackendRow& row : busBackends()) {
        EXPECT_EQ(*findBusBackend(row.name), &row);
        EXPECT_FALSE(row.text.empty()) << row.name;
        EXPECT_NE(row.open, nullptr) << row.name;
    }
    const auto found = findBusBackend("pigeon");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::NotFound);
    EXPECT_EQ(found.error().what, "no bus backend is called \"pigeon\"");
    EXPECT_THAT(found.error().remedy, testing::HasSubstr("sim-i2c"));
}

TEST(SimI2c, TransferIsCostWireCost) {
    const auto bus = (*findBusBackend("sim-i2c"))->open(specOf(2ms, 1ms));
    ASSERT_TRUE(bus) << bus.error().sentence();
    CountingCaller caller;
    for (int i = 0; i < 5; ++i) {
        const std::int64_t begin = monotonicNs();
        const std::int64_t cpuBegin = threadCpuNs();
        const auto timing = (*bus)->transfer(I2cOperation::ReadByteData, caller);
        const std::int64_t cpuUsed = threadCpuNs() - cpuBegin;
        ASSERT_TRUE(timing) << timing.error().sentence();
        EXPECT_GE(timing->wireBeginNs - begin, 2'000'000);
        EXPECT_GE(timing->wireEndNs - timing->wireBeginNs, 390'000);
        EXPECT_GE(timing->endNs - timing->wireEndNs, 1'000'000);
        EXPECT_GE(cpuUsed, 3'000'000);
    }
}

TEST(SimI2c, HolderSleepsDuringTheWire) {
    const auto bus = (*findBusBackend("sim-i2c"))->open(specOf(0ns, 0ns));
    ASSERT_TRUE(bus) << bus.error().sentence();
    CountingCaller caller;
    const long switches = voluntarySwitches();
    const std::int64_t cpuBegin = threadCpuNs();
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE((*bus)->transfer(I2cOperation::ReadByteData, caller));
    EXPECT_GE(voluntarySwitches() - switches, 20);
    EXPECT_EQ(caller.begins, 20);
    EXPECT_EQ(caller.ends, 20);
    // 20 x 390 us of wire; a holder that burned them would have used 7.8 ms.
    EXPECT_LT(threadCpuNs() - cpuBegin, 3'900'000);
}

TEST(SimI2c, WireFollowsTheOperation) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.clockHz = 1000; // a quick of 11 ms, a word of 48 ms
    const auto bus = (*findBusBackend("sim-i2c"))->open(spec);
    ASSERT_TRUE(bus) << bus.error().sentence();
    CountingCaller caller;
    const auto shortestOf5 = [&](I2cOperation operation) {
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (int i = 0; i < 5; ++i) {
            const TransferTiming timing = (*bus)->transfer(operation, caller).value();
            shortest = std::min(shortest, timing.wireEndNs - timing.wireBeginNs);
        }
        return shortest;
    };
    const std::int64_t quick = shortestOf5(I2cOperation::Quick);
    EXPECT_GE(quick, 11'000'000);
    EXPECT_LT(quick, 48'000'000);
    EXPECT_GE(shortestOf5(I2cOperation::ReadWordData), 48'000'000);
}

Result<TransferTiming> transferOnce(const BusSpec& spec, CountingCaller& caller) {
    const auto bus = TRY((*findBusBackend("sim-i2c"))->open(spec));
    return bus->transfer(I2cOperation::ReadByteData, caller);
}

TEST(SimI2c, MissingAcknowledgeEndsItEarly) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.clockHz = 1000; // 39 ms as a whole, 11 ms for the address alone
    spec.nackPpm = 1'000'000;
    CountingCaller caller;
    const auto timing = transferOnce(spec, caller);
    ASSERT_TRUE(timing);
    EXPECT_EQ(timing->fault, TransferFault::Nack);
    EXPECT_GE(timing->wireEndNs - timing->wireBeginNs, 11'000'000);
    EXPECT_LT(timing->wireEndNs - timing->wireBeginNs, 39'000'000);
}

TEST(SimI2c, LostArbitrationIsTriedAgainUntilTheLimit) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.arbitrationLossPpm = 1'000'000;
    spec.retries = 3;
    CountingCaller caller;
    EXPECT_EQ(transferOnce(spec, caller)->fault, TransferFault::ArbitrationLost);
    EXPECT_EQ(caller.begins, 4);
    spec.timeout = 0ns;
    EXPECT_EQ(transferOnce(spec, caller)->fault, TransferFault::ArbitrationLost);
    EXPECT_EQ(caller.begins, 5) << "the time for retries is over";
}

TEST(SimI2c, WireTimeOfItsOwnStretchingAndPolling) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.wireTime = TimeDistribution(4ms);
    spec.stretch = TimeDistribution(2ms);
    CountingCaller caller;
    const auto stretched = transferOnce(spec, caller);
    EXPECT_GE(stretched->wireEndNs - stretched->wireBeginNs, 6'000'000);
    spec.pollInterval = 10ms;
    const auto polled = transferOnce(spec, caller);
    EXPECT_GE(polled->wireEndNs - polled->wireBeginNs, 10'000'000);
}

TEST(SimI2c, StopRequestEndsALongWireTime) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.wireTime = TimeDistribution(3600s);
    CountingCaller caller;
    caller.stop = true;
    EXPECT_EQ(transferOnce(spec, caller)->fault, TransferFault::Stopped);
}

TEST(SimI2c, ClockOfZeroIsRefused) {
    BusSpec spec = specOf(0ns, 0ns);
    spec.clockHz = 0;
    const auto bus = (*findBusBackend("sim-i2c"))->open(spec);
    ASSERT_FALSE(bus);
    EXPECT_EQ(bus.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(bus.error().where, "i2c-2");
}

} // namespace
} // namespace inversight
