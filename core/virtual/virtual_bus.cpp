// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The machine's buses: a transfer under the bus lock, whose holder sleeps while the wire is busy.
#include "core/virtual/virtual_machine.h"

#include "core/bus/wire_draw.h"

#include <utility>

namespace inversight {

void VirtualMachine::requestBus(TaskId id, const Op& op) {
    Activity& self = activity(id);
    const bool begins = self.phase == kRequest;
    if (begins && self.operationNs == 0)
        self.operationNs = scheduler_.now();
    lock(id, op);
    if (begins) // reaching the driver is a system call of its own
        charge(id, spec_.virtualTime.costs.syscall + spec_.virtualTime.costs.lock);
}

void VirtualMachine::beginTransfer(TaskId id, const Op& op) {
    Activity& self = activity(id);
    self.transferNs = scheduler_.now();
    reporter_.mark(TransferBegin{op.bus->name, op.text});
    next(self);
}

void VirtualMachine::busWire(TaskId id, const Op& op) {
    Activity& self = activity(id);
    const BusSpec& bus = *op.bus;
    const std::int64_t now = scheduler_.now();
    if (self.phase == 0) {
        const TimeDistribution& wire = self.helper ? buses_[op.busIndex].wire : op.time;
        const WireDraw draw = drawWire(bus, wire, self.random);
        self.fault = draw.fault;
        self.wireEndNs = now + draw.ns;
        self.phase = 1;
    }
    if (now < self.wireEndNs) {
        sleepOnWire(id, op);
        return;
    }
    const bool again = self.fault == TransferFault::ArbitrationLost && self.attempt < bus.retries &&
                       now - self.transferNs <= bus.timeout.count();
    if (!again) {
        next(self);
        return;
    }
    ++self.attempt;
    self.pc -= 1; // the driver sets up the controller once more, under the same hold
    self.phase = 0;
}

void VirtualMachine::sleepOnWire(TaskId id, const Op& op) {
    const std::int64_t end = activity(id).wireEndNs;
    BusState& bus = buses_[op.busIndex];
    if (bus.interrupt.valid()) {
        bus.wireWaiter = id;
        scheduler_.setTimer(bus.interrupt, end);
        scheduler_.stop(id, RunState::Sleeping);
        return;
    }
    // A polling driver sleeps whole intervals and finds out afterwards.
    const std::int64_t poll = op.bus->pollInterval.count();
    sleepUntil(id, poll > 0 ? scheduler_.now() + poll : end);
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
    const std::int64_t requestNs = std::exchange(self.operationNs, 0);
    if (self.fault == TransferFault::None)
        self.latency.record(self.lastOperationEndNs - requestNs);
    else
        ++self.errorCount;
}

} // namespace inversight
