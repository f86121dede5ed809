// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/sim_i2c.h"

#include "core/bus/thread_clock.h"
#include "core/bus/wire_draw.h"
#include "core/workload/wire_time.h"

namespace inversight {

namespace {

class SimI2c final : public BusBackend {
public:
    explicit SimI2c(const BusSpec& spec) : spec_(spec) {}

    Result<TransferTiming> transfer(const BusOperation& operation,
                                    TransferCaller& caller) override {
        TransferTiming timing;
        const std::int64_t beginNs = monotonicNs();
        for (std::uint32_t attempt = 0;; ++attempt) {
            useCpu(spec_.cpuBefore.draw(caller.random()));
            attemptOnWire(operation, caller, timing);
            const bool again = timing.fault == TransferFault::ArbitrationLost &&
                               attempt < spec_.retries &&
                               timing.wireEndNs - beginNs <= spec_.timeout.count();
            if (!again)
                break;
        }
        useCpu(spec_.cpuAfter.draw(caller.random()));
        timing.endNs = monotonicNs();
        return timing;
    }

private:
    void attemptOnWire(const BusOperation& operation, TransferCaller& caller,
                       TransferTiming& timing) {
        const auto [wireNs, fault] =
            drawWire(spec_, busWireTime(spec_, operation), caller.random());
        timing.fault = fault;
        const std::int64_t begin = monotonicNs();
        if (timing.wireBeginNs == 0)
            timing.wireBeginNs = begin;
        caller.wireBegins();
        if (!sleepThrough(begin + wireNs, caller))
            timing.fault = TransferFault::Stopped;
        caller.wireEnds();
        timing.wireEndNs = monotonicNs();
    }

    /// False if the caller was stopped. A polling driver sleeps whole intervals and finds out
    /// afterwards.
    [[nodiscard]] bool sleepThrough(std::int64_t endNs, const TransferCaller& caller) const {
        const std::int64_t poll = spec_.pollInterval.count();
        for (std::int64_t now = monotonicNs(); now < endNs; now = monotonicNs()) {
            if (!sleepUntilOrStopped(poll > 0 ? now + poll : endNs, caller))
                return false;
        }
        return true;
    }

    BusSpec spec_;
};

} // namespace

Result<std::unique_ptr<BusBackend>> openSimI2c(const BusSpec& spec) {
    if (spec.spi)
        return std::unexpected(Error{ErrorCode::InvalidArgument,
                                     "backend sim-i2c has no \"spi\" part", spec.name,
                                     "use backend sim-spi"});
    if (spec.clockHz == 0)
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "a bus clock above 0 Hz is needed", spec.name});
    return std::make_unique<SimI2c>(spec);
}

} // namespace inversight
