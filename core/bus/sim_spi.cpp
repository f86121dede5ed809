// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/bus/sim_spi.h"

#include "core/base/unique_fd.h"
#include "core/bus/thread_clock.h"
#include "core/bus/wire_draw.h"
#include "core/base/fork_shared.h"
#include "core/workload/wire_time.h"

#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace inversight {

namespace {

// Who waits for another thread looks at the stop request this often.
constexpr int kStopSliceMs = 50;

/// Something that happens, for one thread that waits for it: an eventfd, or a timerfd that an
/// interrupt of the machine's own ends. Shared with processes forked later.
class Completion {
public:
    enum class Kind { Event, Timer };

    [[nodiscard]] static Result<Completion> make(Kind kind) {
        const int fd = kind == Kind::Event ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
                                           : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
        if (fd < 0)
            return std::unexpected(Error::fromErrno(errno, "a simulated SPI bus could not be made"));
        return Completion(UniqueFd(fd));
    }

    void complete() const {
        constexpr std::uint64_t kOne = 1;
        [[maybe_unused]] const ssize_t written = write(fd_.get(), &kOne, sizeof kOne);
    }
    void completeAt(std::int64_t timeNs) const {
        itimerspec when{};
        when.it_value.tv_sec = timeNs / 1'000'000'000;
        when.it_value.tv_nsec = timeNs % 1'000'000'000;
        timerfd_settime(fd_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
    }
    /// False if `caller` was asked to stop.
    [[nodiscard]] bool wait(const TransferCaller& caller) const {
        pollfd waited{fd_.get(), POLLIN, 0};
        while (!caller.stopRequested()) {
            if (poll(&waited, 1, kStopSliceMs) <= 0)
                continue;
            std::uint64_t count = 0;
            if (read(fd_.get(), &count, sizeof count) == sizeof count)
                return true;
        }
        return false;
    }

private:
    explicit Completion(UniqueFd fd) : fd_(std::move(fd)) {}
    UniqueFd fd_;
};

/// The message under way: one at a time, under the bus lock.
struct QueuedMessage : ForkShared {
    BusOperation operation;
    TransferTiming timing;
};

struct Completions {
    Completion submitted;
    Completion carriedOut;
    Completion wireInterrupt;
    Completion wireDone;
};

class SimSpi final : public BusBackend {
public:
    SimSpi(const BusSpec& spec, Completions completions)
        : spec_(spec), completions_(std::move(completions)) {}

    void prepare(TransferCaller& caller) override {
        if (spec_.spi->allocatesPerIoctl)
            useCpu(spec_.spi->allocation.draw(caller.random()));
    }

    Result<TransferTiming> transfer(const BusOperation& operation,
                                    TransferCaller& caller) override {
        if (!spec_.spi->pump)
            return carryOut(operation, caller);
        message_->operation = operation;
        caller.wireBegins();
        completions_.submitted.complete();
        const bool done = completions_.carriedOut.wait(caller);
        caller.wireEnds();
        TransferTiming timing = done ? message_->timing
                                     : TransferTiming{.fault = TransferFault::Stopped};
        timing.endNs = monotonicNs();
        return timing;
    }

    Result<void> serve(BusService service, TransferCaller& caller) override {
        if (service == BusService::Pump)
            pumpMessages(caller);
        else
            handleInterrupts(caller);
        return {};
    }

private:
    void pumpMessages(TransferCaller& caller) {
        while (completions_.submitted.wait(caller)) {
            message_->timing = carryOut(message_->operation, caller);
            completions_.carriedOut.complete();
        }
    }

    void handleInterrupts(TransferCaller& caller) {
        while (completions_.wireInterrupt.wait(caller)) {
            useCpu(spec_.spi->interruptCost.draw(caller.random()));
            completions_.wireDone.complete();
        }
    }

    TransferTiming carryOut(const BusOperation& operation, TransferCaller& caller) {
        TransferTiming timing;
        if (!acquireDma(caller)) {
            timing.fault = TransferFault::Stopped;
            return timing;
        }
        useCpu(spec_.cpuBefore.draw(caller.random()));
        const std::int64_t wireNs =
            drawWire(spec_, busWireTime(spec_, operation), caller.random()).ns;
        timing.wireBeginNs = monotonicNs();
        caller.wireBegins();
        if (!waitForWire(timing.wireBeginNs + wireNs, caller))
            timing.fault = TransferFault::Stopped;
        caller.wireEnds();
        timing.wireEndNs = monotonicNs();
        useCpu(spec_.cpuAfter.draw(caller.random()));
        timing.endNs = monotonicNs();
        return timing;
    }

    /// False if the caller was stopped.
    [[nodiscard]] bool acquireDma(TransferCaller& caller) const {
        const SpiStack& stack = *spec_.spi;
        if (!stack.acquiresDmaPerMessage)
            return true;
        for (;;) {
            useCpu(stack.dmaAcquire.draw(caller.random()));
            if (!happens(stack.dmaBusyPpm, caller.random()))
                return true;
            caller.wireBegins();
            const bool goesOn =
                sleepUntilOrStopped(monotonicNs() + stack.dmaRetry.count(), caller);
            caller.wireEnds();
            if (!goesOn || caller.stopRequested())
                return false;
        }
    }

    [[nodiscard]] bool waitForWire(std::int64_t endNs, const TransferCaller& caller) const {
        if (!spec_.spi->interrupt)
            return sleepUntilOrStopped(endNs, caller);
        completions_.wireInterrupt.completeAt(endNs);
        return completions_.wireDone.wait(caller);
    }

    BusSpec spec_;
    Completions completions_;
    std::unique_ptr<QueuedMessage> message_ = std::make_unique<QueuedMessage>();
};

} // namespace

Result<std::unique_ptr<BusBackend>> openSimSpi(const BusSpec& spec) {
    if (!spec.spi)
        return std::unexpected(Error{ErrorCode::InvalidArgument,
                                     "backend sim-spi needs a \"spi\" part", spec.name,
                                     "\"spi\": {} is a message inline in its caller's context"});
    using Kind = Completion::Kind;
    return std::make_unique<SimSpi>(
        spec, Completions{TRY(Completion::make(Kind::Event)), TRY(Completion::make(Kind::Event)),
                          TRY(Completion::make(Kind::Timer)), TRY(Completion::make(Kind::Event))});
}

} // namespace inversight
