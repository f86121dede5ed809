// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/program.h"

#include "core/workload/wire_time.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace inversight {

namespace {

/// Appends the ops of one step after the other.
class BodyCompiler {
public:
    explicit BodyCompiler(const WorkloadSpec& spec) : spec_(spec) {}

    void operator()(const RunStep& step) { add({.kind = OpKind::Run, .time = step.duration}); }
    void operator()(const SleepStep& step) {
        add({.kind = OpKind::Sleep, .skipLast = step.skipLast, .time = step.duration});
    }
    void operator()(const LockStep& step) {
        add({.kind = OpKind::Lock, .lock = lockIndex(step.lock)});
        open_.push_back(0);
    }
    void operator()(const TryLockStep& step) {
        open_.push_back(ops_.size() + 1); // its place, counted from 1: 0 is a plain lock
        add({.kind = OpKind::TryLock, .lock = lockIndex(step.lock)});
    }
    void operator()(const UnlockStep& step) {
        add({.kind = OpKind::Unlock, .lock = lockIndex(step.lock)});
        assert(!open_.empty() && "a validated body is balanced");
        if (const std::size_t attempt = open_.back(); attempt != 0)
            ops_[attempt - 1].jump = static_cast<std::uint32_t>(ops_.size());
        open_.pop_back();
    }
    void operator()(const NextPeriodStep&) { add({.kind = OpKind::NextPeriod}); }
    void operator()(const MarkStep& step) { add({.kind = OpKind::Mark, .text = step.text}); }

    void operator()(const TransferStep& step) {
        const BusSpec& bus = *spec_.findBus(step.bus);
        const TimeDistribution wire = busWireTime(bus, step.operation);
        if (bus.spi)
            addPart(bus, OpKind::EnterSpi,
                    bus.spi->allocatesPerIoctl ? bus.spi->allocation : TimeDistribution());
        addPart(bus, OpKind::RequestBus, {});
        addPart(bus, OpKind::BeginTransfer, {});
        ops_.back().text = busOperationName(step.operation);
        if (bus.spi && bus.spi->pump)
            addPart(bus, OpKind::SubmitMessage, wire);
        else
            addTransfer(bus, wire);
        addPart(bus, OpKind::ReleaseBus, {});
    }

    void operator()(const ServeStep& step) {
        const BusSpec& bus = *spec_.findBus(step.bus);
        if (step.service == BusService::Interrupt) {
            addPart(bus, OpKind::AwaitInterrupt, {});
            addPart(bus, OpKind::Run, bus.spi->interruptCost);
            addPart(bus, OpKind::InterruptDone, {});
            return;
        }
        addPart(bus, OpKind::AwaitMessage, {});
        addTransfer(bus, {});
        addPart(bus, OpKind::MessageDone, {});
    }

    [[nodiscard]] std::vector<Op> take() && { return std::move(ops_); }

private:
    void add(Op op) { ops_.push_back(std::move(op)); }
    void addPart(const BusSpec& bus, OpKind kind, const TimeDistribution& time) {
        const auto index = static_cast<std::uint32_t>(&bus - spec_.buses.data());
        add({.kind = kind,
             .lock = static_cast<std::uint32_t>(spec_.locks.size()) + index,
             .busIndex = index,
             .time = time,
             .bus = &bus});
    }
    /// The part that a pump does for its callers; there the wire time comes with the message.
    void addTransfer(const BusSpec& bus, const TimeDistribution& wire) {
        if (bus.spi && bus.spi->acquiresDmaPerMessage)
            addPart(bus, OpKind::AcquireDma, bus.spi->dmaAcquire);
        addPart(bus, OpKind::BusBefore, bus.cpuBefore);
        addPart(bus, OpKind::BusWire, wire);
        addPart(bus, OpKind::BusAfter, bus.cpuAfter);
    }
    [[nodiscard]] std::uint32_t lockIndex(const std::string& name) const {
        const auto found = std::ranges::find(spec_.locks, name, &LockSpec::name);
        assert(found != spec_.locks.end() && "a validated spec names only its own locks");
        return static_cast<std::uint32_t>(found - spec_.locks.begin());
    }

    const WorkloadSpec& spec_;
    std::vector<Op> ops_;
    std::vector<std::size_t> open_; ///< per lock held: the place of its trylock, or 0
};

} // namespace

std::vector<Op> compileBody(const ThreadSpec& thread, const WorkloadSpec& spec) {
    BodyCompiler compiler(spec);
    for (const Step& step : thread.body)
        std::visit(compiler, step);
    return std::move(compiler).take();
}

} // namespace inversight
