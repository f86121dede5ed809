// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The machine's buses: a transfer under the bus lock, whose holder sleeps while the wire is busy.
#include "core/virtual/virtual_machine.h"

#include "core/workload/wire_time.h"

#include <algorithm>

namespace inversight {

namespace {

constexpr std::uint64_t kMillion = 1'000'000;

// START, the address byte with its acknowledge bit, STOP; and the same without STOP.
constexpr std::int64_t kNackBits = 11;
constexpr std::int64_t kArbitrationBits = 10;

bool happens(std::uint32_t ppm, RandomSource& random) {
    return ppm > 0 && random.upTo(kMillion - 1) < ppm;
}

} // namespace

void VirtualMachine::requestBus(TaskId id, const Op& op) {
    Activity& self = activity(id);
    const bool begins = self.phase == kRequest;
    if (begins)
        self.operationNs = scheduler_.now();
    lock(id, op);
    if (begins) // reaching the driver is a system call of its own
        charge(id, spec_.virtualTime.costs.syscall + spec_.virtualTime.costs.lock);
}

void VirtualMachine::busBefore(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.attempt == 0) {
        self.transferNs = scheduler_.now();
        reporter_.mark(TransferBegin{op.bus->name, i2cOperationName(op.operation)});
    }
    charge(id, op.time.draw(self.random));
    next(self);
}

/// How long the wire is busy this time, and what goes wrong on it.
std::int64_t VirtualMachine::wireNs(Activity& self, const Op& op) {
    const BusSpec& bus = *op.bus;
    const std::int64_t whole =
        op.time.draw(self.random).count() + bus.stretch.draw(self.random).count();
    const std::int64_t bitNs = 1'000'000'000 / static_cast<std::int64_t>(bus.clockHz);
    self.fault = Activity::Fault::None;
    if (happens(bus.arbitrationLossPpm, self.random)) {
        self.fault = Activity::Fault::ArbitrationLost;
        return std::min(whole, kArbitrationBits * bitNs);
    }
    if (happens(bus.nackPpm, self.random)) {
        self.fault = Activity::Fault::Nack;
        return std::min(whole, kNackBits * bitNs);
    }
    return whole;
}

void VirtualMachine::busWire(TaskId id, const Op& op) {
    Activity& self = activity(id);
    const BusSpec& bus = *op.bus;
    const std::int64_t now = scheduler_.now();
    if (self.phase == 0) {
        self.wireEndNs = now + wireNs(self, op);
        self.phase = 1;
    }
    if (now < self.wireEndNs) {
        // A polling driver sleeps whole intervals and finds out afterwards.
        const std::int64_t poll = bus.pollInterval.count();
        sleepUntil(id, poll > 0 ? now + poll : self.wireEndNs);
        return;
    }
    const bool again = self.fault == Activity::Fault::ArbitrationLost &&
                       self.attempt < bus.retries && now - self.transferNs <= bus.timeout.count();
    if (!again) {
        next(self);
        return;
    }
    ++self.attempt;
    self.pc -= 1; // the driver sets up the controller once more, under the same hold
    self.phase = 0;
}

void VirtualMachine::releaseBus(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase == 0) {
        reporter_.mark(SliceEnd{});
        self.phase = 1;
        charge(id, spec_.virtualTime.costs.lock);
        return;
    }
    release(id, op.lock);
    next(self);
    self.attempt = 0;
    self.lastOperationEndNs = scheduler_.now();
    ++self.operationCount;
    ++operationsDone_;
    if (self.fault == Activity::Fault::None)
        self.latency.record(self.lastOperationEndNs - self.operationNs);
    else
        ++self.errorCount;
}

} // namespace inversight
