// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/virtual/program.h"

#include "core/workload/wire_time.h"

#include <algorithm>
#include <cassert>

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
        const std::uint32_t lock = busLockIndex(bus);
        const TimeDistribution wire =
            bus.wireTime ? *bus.wireTime
                         : TimeDistribution(i2cWireTime(step.operation, bus.clockHz));
        const Op common{.lock = lock, .bus = &bus, .operation = step.operation};
        addPart(common, OpKind::RequestBus, {});
        addPart(common, OpKind::BusBefore, bus.cpuBefore);
        addPart(common, OpKind::BusWire, wire);
        addPart(common, OpKind::BusAfter, bus.cpuAfter);
        addPart(common, OpKind::ReleaseBus, {});
    }

    [[nodiscard]] std::vector<Op> take() && { return std::move(ops_); }

private:
    void add(const Op& op) { ops_.push_back(op); }
    void addPart(Op op, OpKind kind, const TimeDistribution& time) {
        op.kind = kind;
        op.time = time;
        ops_.push_back(op);
    }
    [[nodiscard]] std::uint32_t lockIndex(const std::string& name) const {
        const auto found = std::ranges::find(spec_.locks, name, &LockSpec::name);
        assert(found != spec_.locks.end() && "a validated spec names only its own locks");
        return static_cast<std::uint32_t>(found - spec_.locks.begin());
    }
    [[nodiscard]] std::uint32_t busLockIndex(const BusSpec& bus) const {
        return static_cast<std::uint32_t>(spec_.locks.size() +
                                          static_cast<std::size_t>(&bus - spec_.buses.data()));
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
