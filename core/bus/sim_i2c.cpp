// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/sim_i2c.h"

#include "core/bus/thread_clock.h"
#include "core/workload/wire_time.h"

namespace inversight {

namespace {

class SimI2c final : public BusBackend {
public:
    explicit SimI2c(const BusSpec& spec)
        : clockHz_(spec.clockHz), cpuBefore_(spec.cpuBefore.mean()), cpuAfter_(spec.cpuAfter.mean()) {}

    Result<TransferTiming> transfer(I2cOperation operation) override {
        useCpu(cpuBefore_);
        TransferTiming timing;
        timing.wireBeginNs = monotonicNs();
        sleepUntil(timing.wireBeginNs + i2cWireTime(operation, clockHz_).count());
        timing.wireEndNs = monotonicNs();
        useCpu(cpuAfter_);
        timing.endNs = monotonicNs();
        return timing;
    }

private:
    std::uint32_t clockHz_;
    std::chrono::nanoseconds cpuBefore_;
    std::chrono::nanoseconds cpuAfter_;
};

} // namespace

Result<std::unique_ptr<BusBackend>> openSimI2c(const BusSpec& spec) {
    if (spec.clockHz == 0)
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "a bus clock above 0 Hz is needed", spec.name});
    return std::make_unique<SimI2c>(spec);
}

} // namespace inversight
