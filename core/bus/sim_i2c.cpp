// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/sim_i2c.h"

#include "core/bus/thread_clock.h"
#include "core/workload/wire_time.h"

#include <algorithm>

namespace inversight {

namespace {

// START, the address byte with its acknowledge bit, STOP; and the same without STOP.
constexpr std::int64_t kNackBits = 11;
constexpr std::int64_t kArbitrationBits = 10;
constexpr std::uint64_t kPpm = 1'000'000;

// A long wire time looks at the stop request this often.
constexpr std::int64_t kStopSliceNs = 50'000'000;

bool happens(std::uint32_t ppm, RandomSource& random) {
    return ppm > 0 && random.upTo(kPpm - 1) < ppm;
}

class SimI2c final : public BusBackend {
public:
    explicit SimI2c(const BusSpec& spec) : spec_(spec), bitNs_(1'000'000'000 / spec.clockHz) {}

    Result<TransferTiming> transfer(I2cOperation operation, TransferCaller& caller) override {
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
    void attemptOnWire(I2cOperation operation, TransferCaller& caller, TransferTiming& timing) {
        const std::int64_t wireNs = drawWire(operation, caller.random(), timing.fault);
        const std::int64_t begin = monotonicNs();
        if (timing.wireBeginNs == 0)
            timing.wireBeginNs = begin;
        caller.wireBegins();
        if (!sleepThrough(begin + wireNs, caller))
            timing.fault = TransferFault::Stopped;
        caller.wireEnds();
        timing.wireEndNs = monotonicNs();
    }

    /// How long the wire is busy this time, and what goes wrong on it.
    std::int64_t drawWire(I2cOperation operation, RandomSource& random,
                          TransferFault& fault) const {
        const std::int64_t formula = i2cWireTime(operation, spec_.clockHz).count();
        const std::int64_t whole =
            (spec_.wireTime ? spec_.wireTime->draw(random).count() : formula) +
            spec_.stretch.draw(random).count();
        fault = TransferFault::None;
        if (happens(spec_.arbitrationLossPpm, random)) {
            fault = TransferFault::ArbitrationLost;
            return std::min(whole, kArbitrationBits * bitNs_);
        }
        if (happens(spec_.nackPpm, random)) {
            fault = TransferFault::Nack;
            return std::min(whole, kNackBits * bitNs_);
        }
        return whole;
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

    [[nodiscard]] static bool sleepUntilOrStopped(std::int64_t endNs,
                                                  const TransferCaller& caller) {
        std::int64_t now = monotonicNs();
        for (; endNs - now > kStopSliceNs; now = monotonicNs()) {
            if (caller.stopRequested())
                return false;
            sleepUntil(now + kStopSliceNs);
        }
        sleepUntil(endNs);
        return true;
    }

    BusSpec spec_;
    std::int64_t bitNs_;
};

} // namespace

Result<std::unique_ptr<BusBackend>> openSimI2c(const BusSpec& spec) {
    if (spec.clockHz == 0)
        return std::unexpected(
            Error{ErrorCode::InvalidArgument, "a bus clock above 0 Hz is needed", spec.name});
    return std::make_unique<SimI2c>(spec);
}

} // namespace inversight
