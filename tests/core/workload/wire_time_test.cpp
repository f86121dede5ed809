// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/workload/wire_time.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

using std::chrono::nanoseconds;

struct WireCase {
    I2cOperation operation;
    const char* name;
    std::uint32_t bits;
};

TEST(WireTime, BitTimesOfEachOperation) {
    for (const WireCase& wire : {
             WireCase{I2cOperation::Quick, "quick", 11},
             WireCase{I2cOperation::SendByte, "send_byte", 20},
             WireCase{I2cOperation::ReceiveByte, "receive_byte", 20},
             WireCase{I2cOperation::ReadByteData, "read_byte_data", 39},
             WireCase{I2cOperation::WriteByteData, "write_byte_data", 29},
             WireCase{I2cOperation::ReadWordData, "read_word_data", 48},
             WireCase{I2cOperation::WriteWordData, "write_word_data", 38},
         }) {
        EXPECT_EQ(i2cBitTimes(wire.operation), wire.bits) << wire.name;
        EXPECT_STREQ(i2cOperationName(wire.operation), wire.name);
    }
}

TEST(WireTime, OfReadByteDataAtTheUsualClocks) {
    EXPECT_EQ(i2cWireTime(I2cOperation::ReadByteData, 100'000), nanoseconds(390'000));
    EXPECT_EQ(i2cWireTime(I2cOperation::ReadByteData, 400'000), nanoseconds(97'500));
    EXPECT_EQ(i2cWireTime(I2cOperation::ReadByteData, 1'000'000), nanoseconds(39'000));
}

TEST(WireTime, IsRoundedToTheNearestNanosecond) {
    // 20 / 3.4 MHz = 5882.35 ns, 11 / 3.4 MHz = 3235.29 ns, 29 / 3 MHz = 9666.67 ns.
    EXPECT_EQ(i2cWireTime(I2cOperation::SendByte, 3'400'000), nanoseconds(5882));
    EXPECT_EQ(i2cWireTime(I2cOperation::Quick, 3'400'000), nanoseconds(3235));
    EXPECT_EQ(i2cWireTime(I2cOperation::WriteByteData, 3'000'000), nanoseconds(9667));
}

TEST(SpiWireTime, BitsOverLanesAndDelays) {
    SpiStack stack;
    EXPECT_EQ(spiWireTime({8}, stack, 1'000'000), nanoseconds(64'000));
    EXPECT_EQ(spiWireTime({3}, stack, 7'000'000), nanoseconds(3429)); // 3428.57
    stack.lanes = 4;
    EXPECT_EQ(spiWireTime({8}, stack, 1'000'000), nanoseconds(16'000));
    stack.csSetup = nanoseconds(1);
    stack.csHold = nanoseconds(20);
    stack.wordDelay = nanoseconds(300);
    stack.postDelay = nanoseconds(4000);
    EXPECT_EQ(spiWireTime({8}, stack, 1'000'000), nanoseconds(16'000 + 1 + 20 + 7 * 300 + 4000));
    stack.bitsPerWord = 16;
    EXPECT_EQ(spiWireTime({7}, stack, 1'000'000), nanoseconds(14'000 + 1 + 20 + 3 * 300 + 4000));
}

TEST(BusWireTime, FollowsTheKindOfBus) {
    BusSpec bus;
    EXPECT_EQ(busWireTime(bus, I2cOperation::ReadByteData).mean(), nanoseconds(390'000));
    EXPECT_EQ(busOperationName(I2cOperation::ReadByteData), "read_byte_data");
    bus.spi.emplace();
    EXPECT_EQ(busWireTime(bus, SpiMessage{8}).mean(), nanoseconds(640'000));
    EXPECT_EQ(busOperationName(SpiMessage{8}), "8_bytes");
    bus.wireTime = TimeDistribution(nanoseconds(5));
    EXPECT_EQ(busWireTime(bus, SpiMessage{8}).mean(), nanoseconds(5));
}

TEST(Scheduling, TextAndKernelPriority) {
    const Scheduling fair{.schedulingClass = SchedulingClass::Other, .nice = -5};
    const Scheduling fifo{.schedulingClass = SchedulingClass::Fifo, .priority = 99};
    const Scheduling rr{.schedulingClass = SchedulingClass::RoundRobin, .priority = 10};
    EXPECT_EQ(fair.text(), "nice -5");
    EXPECT_EQ(fair.kernelPriority(), 115);
    EXPECT_EQ(fifo.text(), "FIFO 99");
    EXPECT_EQ(fifo.kernelPriority(), 0);
    EXPECT_EQ(rr.text(), "RR 10");
    EXPECT_EQ(rr.kernelPriority(), 89);
}

} // namespace
} // namespace inversight
