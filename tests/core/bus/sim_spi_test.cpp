// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/bus_backends.h"
#include "core/bus/thread_clock.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

using namespace std::chrono_literals;

/// 8 bytes at 8 kHz: 8 ms on the wire.
BusSpec spiBus() {
    BusSpec spec;
    spec.name = "spi1.0";
    spec.backend = "sim-spi";
    spec.clockHz = 8000;
    spec.spi.emplace();
    return spec;
}

class SpiCaller final : public TransferCaller {
public:
    RandomSource& random() override { return random_; }
    void wireBegins() override { ++begins; }
    void wireEnds() override { ++ends; }
    [[nodiscard]] bool stopRequested() const override { return stop; }

    int begins = 0;
    int ends = 0;
    std::atomic<bool> stop{false};

private:
    RandomSource random_{1, 0};
};

std::unique_ptr<BusBackend> openSpi(const BusSpec& spec) {
    auto bus = (*findBusBackend("sim-spi"))->open(spec);
    EXPECT_TRUE(bus) << bus.error().sentence();
    return *std::move(bus);
}

/// A helper's thread of a bus, until the end of its scope.
class Helper {
public:
    Helper(BusBackend& bus, BusService service)
        : thread_([&bus, service, this] { EXPECT_TRUE(bus.serve(service, caller_)); }) {}
    ~Helper() {
        caller_.stop = true;
        thread_.join();
    }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

private:
    SpiCaller caller_;
    std::thread thread_;
};

void expectWhole(const TransferTiming& timing, std::int64_t beforeNs) {
    EXPECT_EQ(timing.fault, TransferFault::None);
    EXPECT_GE(timing.wireBeginNs, beforeNs);
    EXPECT_GE(timing.wireEndNs - timing.wireBeginNs, 8'000'000);
    EXPECT_GE(timing.endNs, timing.wireEndNs);
}

TEST(SimSpi, InlineTransferIsCostWireCost) {
    BusSpec spec = spiBus();
    spec.cpuBefore = TimeDistribution(2ms);
    spec.cpuAfter = TimeDistribution(1ms);
    const auto bus = openSpi(spec);
    SpiCaller caller;
    const std::int64_t before = monotonicNs();
    const auto timing = bus->transfer(SpiMessage{8}, caller);
    ASSERT_TRUE(timing);
    expectWhole(*timing, before + 2'000'000);
    EXPECT_GE(timing->endNs - timing->wireEndNs, 1'000'000);
    EXPECT_EQ(caller.begins, 1);
    EXPECT_EQ(caller.ends, 1);
}

TEST(SimSpi, PumpAndInterruptThreadsCarryItOut) {
    BusSpec spec = spiBus();
    spec.spi->pump = HelperSpec{"spi1", {}, {}};
    spec.spi->interrupt = HelperSpec{"irq/99-spi", {}, {}};
    spec.spi->interruptCost = TimeDistribution(2ms);
    const auto bus = openSpi(spec);
    const Helper pump(*bus, BusService::Pump);
    const Helper interrupt(*bus, BusService::Interrupt);
    SpiCaller caller;
    for (int i = 0; i < 3; ++i) {
        const std::int64_t before = monotonicNs();
        const auto timing = bus->transfer(SpiMessage{8}, caller);
        ASSERT_TRUE(timing);
        expectWhole(*timing, before);
        EXPECT_GE(timing->wireEndNs - timing->wireBeginNs, 10'000'000);
    }
    EXPECT_EQ(caller.begins, 3);
    EXPECT_EQ(caller.ends, 3);
}

TEST(SimSpi, AllocationTakesTheCpuInFrontOfTheLock) {
    BusSpec spec = spiBus();
    spec.spi->allocation = TimeDistribution(3ms);
    SpiCaller caller;
    std::int64_t used = threadCpuNs();
    openSpi(spec)->prepare(caller);
    EXPECT_LT(threadCpuNs() - used, 3'000'000);
    spec.spi->allocatesPerIoctl = true;
    used = threadCpuNs();
    openSpi(spec)->prepare(caller);
    EXPECT_GE(threadCpuNs() - used, 3'000'000);
}

TEST(SimSpi, MissingDmaChannelIsWaitedFor) {
    BusSpec spec = spiBus();
    spec.clockHz = 8'000'000;
    spec.spi->acquiresDmaPerMessage = true;
    spec.spi->dmaBusyPpm = 500'000;
    spec.spi->dmaRetry = 2ms;
    const auto bus = openSpi(spec);
    SpiCaller caller;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::int64_t longest = 0;
    for (int i = 0; i < 30; ++i) {
        const std::int64_t begin = monotonicNs();
        ASSERT_TRUE(bus->transfer(SpiMessage{8}, caller));
        shortest = std::min(shortest, monotonicNs() - begin);
        longest = std::max(longest, monotonicNs() - begin);
    }
    EXPECT_LT(shortest, 2'000'000);
    EXPECT_GE(longest, 2'000'000);
    EXPECT_GT(caller.begins, 30);
    EXPECT_EQ(caller.begins, caller.ends);
}

TEST(SimSpi, StopEndsTheWaitForThePump) {
    BusSpec spec = spiBus();
    spec.spi->pump = HelperSpec{"spi1", {}, {}};
    const auto bus = openSpi(spec);
    SpiCaller caller; // nobody pumps
    std::thread stopper([&] {
        std::this_thread::sleep_for(20ms);
        caller.stop = true;
    });
    const auto timing = bus->transfer(SpiMessage{8}, caller);
    stopper.join();
    ASSERT_TRUE(timing);
    EXPECT_EQ(timing->fault, TransferFault::Stopped);
}

TEST(SimSpi, StackAndBackendBelongTogether) {
    BusSpec spec = spiBus();
    const auto asI2c = (*findBusBackend("sim-i2c"))->open(spec);
    ASSERT_FALSE(asI2c);
    EXPECT_THAT(asI2c.error().sentence(), testing::HasSubstr("sim-spi"));
    spec.spi.reset();
    const auto without = (*findBusBackend("sim-spi"))->open(spec);
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().sentence(), testing::HasSubstr("\"spi\""));
}

} // namespace
} // namespace inversight
