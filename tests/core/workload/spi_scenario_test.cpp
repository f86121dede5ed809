// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// SPI buses of a scenario, the threads of their drivers, and loads in the background.
#include "core/workload/scenario.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;
using testing::HasSubstr;

/// A document with every member of an SPI bus; `replaced` is put in place of its first `text`.
std::string spiWith(const std::string& text = "", const std::string& replaced = "") {
    std::string json = R"({
        "scenario": 1, "name": "spi", "cpus": 2,
        "buses": [ { "name": "spi1.0", "backend": "sim-spi", "clock_hz": 20000000,
            "spi": { "lanes": 2, "bits_per_word": 16, "cs_setup_ns": 1, "cs_hold_ns": 2,
                     "word_delay_ns": 3, "post_delay_ns": 4, "buffer_bytes": 64,
                     "allocation": "per_ioctl", "allocation_ns": 5, "path": "pump",
                     "pump": { "name": "spi1", "class": "other", "nice": -3, "affinity": [1] },
                     "interrupt": { "name": "irq/99-spi", "class": "fifo", "priority": 50 },
                     "interrupt_ns": 6, "dma": "per_message", "dma_acquire_ns": 7,
                     "dma_busy_ppm": 8, "dma_retry_ns": 9 } } ],
        "threads": [
            { "name": "servo", "class": "fifo", "priority": 80, "loops": 7,
              "body": [ { "transfer": { "bus": "spi1.0", "bytes": 64 } } ] },
            { "name": "load", "class": "other", "background": true,
              "body": [ { "run": { "duration_ns": 10 } } ] } ] })";
    if (!text.empty())
        json.replace(json.find(text), text.size(), replaced);
    return json;
}

TEST(SpiScenario, StackArrives) {
    const auto scenario = parseScenario(spiWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const SpiStack& spi = scenario->spec.buses.front().spi.value();
    EXPECT_EQ(spi.lanes, 2u);
    EXPECT_EQ(spi.bitsPerWord, 16u);
    EXPECT_EQ(spi.csSetup + spi.csHold + spi.wordDelay + spi.postDelay, nanoseconds(10));
    EXPECT_EQ(spi.bufferBytes, 64u);
    EXPECT_TRUE(spi.allocatesPerIoctl);
    EXPECT_EQ(spi.allocation.mean(), nanoseconds(5));
    EXPECT_EQ(spi.interruptCost.mean(), nanoseconds(6));
    EXPECT_TRUE(spi.acquiresDmaPerMessage);
    EXPECT_EQ(spi.dmaAcquire.mean(), nanoseconds(7));
    EXPECT_EQ(spi.dmaBusyPpm, 8u);
    EXPECT_EQ(spi.dmaRetry, nanoseconds(9));
    EXPECT_EQ(std::get<TransferStep>(scenario->spec.threads[0].body[0]).operation,
              BusOperation(SpiMessage{64}));
}

TEST(SpiScenario, HelpersStandBehindTheThreads) {
    const auto scenario = parseScenario(spiWith());
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    const auto& threads = scenario->spec.threads;
    ASSERT_EQ(threads.size(), 4u);
    EXPECT_FALSE(threads[0].background);
    EXPECT_TRUE(threads[1].background);
    EXPECT_FALSE(threads[1].isHelper());
    EXPECT_EQ(threads[2].name, "spi1");
    EXPECT_EQ(threads[2].scheduling.nice, -3);
    EXPECT_EQ(threads[2].cpus, std::vector{1});
    EXPECT_TRUE(threads[2].background && threads[2].isHelper());
    EXPECT_EQ(std::get<ServeStep>(threads[2].body[0]).service, BusService::Pump);
    EXPECT_EQ(threads[3].name, "irq/99-spi");
    EXPECT_EQ(threads[3].scheduling.priority, 50);
    EXPECT_EQ(std::get<ServeStep>(threads[3].body[0]).service, BusService::Interrupt);
    EXPECT_EQ(scenario->spec.totalOperations(), 7u);
}

TEST(SpiScenario, InlineMessagesNeedNoPump) {
    const auto scenario =
        parseScenario(spiWith(), {.settings = {"bus.spi1.0.spi.path=inline",
                                               "bus.spi1.0.spi.interrupt.priority=40"}});
    ASSERT_TRUE(scenario) << scenario.error().sentence();
    ASSERT_EQ(scenario->spec.threads.size(), 3u);
    EXPECT_FALSE(scenario->spec.buses[0].spi->pump);
    EXPECT_EQ(scenario->spec.threads[2].scheduling.priority, 40);
}

TEST(SpiScenario, LoopsAndDurationAreNotTheBackgrounds) {
    const auto loops = parseScenario(spiWith(), {.loops = 3});
    ASSERT_TRUE(loops) << loops.error().sentence();
    EXPECT_EQ(loops->spec.threads[0].loops, 3u);
    EXPECT_EQ(loops->spec.threads[1].loops, 0u);
    const auto lasting = parseScenario(spiWith(), {.duration = nanoseconds(5)});
    ASSERT_TRUE(lasting) << lasting.error().sentence();
    EXPECT_EQ(lasting->spec.threads[0].duration, nanoseconds(5));
    EXPECT_GT(*lasting->spec.threads[1].duration, std::chrono::hours(1));
}

struct BadSpi {
    const char* text;
    const char* replaced;
    const char* where;
    const char* what;
};

TEST(SpiScenario, ErrorsNameThePlace) {
    for (const BadSpi& bad : {
             BadSpi{"\"bytes\": 64", "\"bytes\": 65", "threads[0].body[0].transfer.bytes",
                    "from 1 to 64"},
             BadSpi{"\"bytes\": 64", "\"operation\": \"quick\"",
                    "threads[0].body[0].transfer.bytes", "missing"},
             BadSpi{"\"path\": \"pump\"", "\"path\": \"tube\"", "buses[0].spi.path",
                    "inline or pump"},
             BadSpi{"\"pump\": {", "\"tube\": {", "buses[0].spi.path", "\"pump\" beside it"},
             BadSpi{"\"name\": \"spi1\"", "\"name\": \"servo\"", "buses[0].spi.pump.name",
                    "no other thread"},
             BadSpi{"\"affinity\": [1]", "\"affinity\": [2]", "buses[0].spi.pump.affinity[0]",
                    "from 0 to 1"},
             BadSpi{"\"dma_busy_ppm\": 8", "\"dma_busy_ppm\": 1000000",
                    "buses[0].spi.dma_busy_ppm", "from 0 to 999999"},
             BadSpi{"\"clock_hz\": 20000000", "\"retries\": 1", "buses[0].retries", ""},
             BadSpi{"\"class\": \"fifo\", \"priority\": 80", "\"background\": true, \"class\": \"other\"",
                    "threads", "not \"background\""},
         }) {
        SCOPED_TRACE(bad.replaced);
        const auto scenario = parseScenario(spiWith(bad.text, bad.replaced));
        ASSERT_FALSE(scenario);
        EXPECT_THAT(scenario.error().sentence(), HasSubstr(bad.where));
        EXPECT_THAT(scenario.error().sentence(), HasSubstr(bad.what));
    }
}

} // namespace
} // namespace inversight
