// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// The machine's SPI stack: spidev in front of the lock, the message pump's thread, the threaded
// interrupt handler and DMA channels per message.
#include "core/virtual/virtual_machine.h"

#include "core/bus/wire_draw.h"

#include <utility>

namespace inversight {

void VirtualMachine::enterSpi(TaskId id, const Op& op) {
    Activity& self = activity(id);
    self.operationNs = scheduler_.now();
    charge(id, op.time.draw(self.random));
    next(self);
}

void VirtualMachine::acquireDma(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase == 0) {
        self.phase = 1;
        charge(id, op.time.draw(self.random));
        return;
    }
    if (!happens(op.bus->spi->dmaBusyPpm, self.random)) {
        next(self);
        return;
    }
    self.phase = 0;
    sleepUntil(id, scheduler_.now() + op.bus->spi->dmaRetry.count());
}

void VirtualMachine::wakeIfAsleep(TaskId id) {
    if (scheduler_.task(id).state == RunState::Sleeping)
        scheduler_.makeRunnable(id, WakeKind::Waking);
}

void VirtualMachine::submitMessage(TaskId id, const Op& op) {
    Activity& self = activity(id);
    if (self.phase == 1) { // woken: it is carried out
        next(self);
        return;
    }
    self.phase = 1;
    BusState& bus = buses_[op.busIndex];
    bus.submitter = id;
    bus.wire = op.time;
    wakeIfAsleep(bus.pump);
    scheduler_.stop(id, RunState::Sleeping);
}

void VirtualMachine::awaitMessage(TaskId id, const Op& op) {
    if (buses_[op.busIndex].submitter.valid())
        next(activity(id));
    else
        scheduler_.stop(id, RunState::Sleeping);
}

void VirtualMachine::messageDone(TaskId id, const Op& op) {
    Activity& self = activity(id);
    wakeIfAsleep(std::exchange(buses_[op.busIndex].submitter, TaskId{}));
    self.pc = 0;
    self.phase = 0;
}

void VirtualMachine::awaitInterrupt(TaskId id, const Op& op) {
    if (std::exchange(buses_[op.busIndex].interruptPending, false))
        next(activity(id));
    else
        scheduler_.stop(id, RunState::Sleeping);
}

void VirtualMachine::interruptDone(TaskId id, const Op& op) {
    Activity& self = activity(id);
    wakeIfAsleep(std::exchange(buses_[op.busIndex].wireWaiter, TaskId{}));
    self.pc = 0;
    self.phase = 0;
}

} // namespace inversight
