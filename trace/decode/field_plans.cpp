// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/field_plans.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

Result<FieldPlan> switchPlan(FieldFinder& find, const EventFormat& format) {
    SwitchPlan plan;
    plan.prevComm = find.text("prev_comm");
    plan.nextComm = find.text("next_comm");
    plan.prevTid = find.integer("prev_pid");
    plan.prevPrio = find.integer("prev_prio");
    plan.prevState = find.integer("prev_state");
    plan.nextTid = find.integer("next_pid");
    plan.nextPrio = find.integer("next_prio");
    plan.states = TRY(TaskStateTable::parse(format.printFormat));
    return plan;
}

template <WakeEventKind kind>
Result<FieldPlan> wakePlan(FieldFinder& find, const EventFormat&) {
    WakePlan plan;
    plan.kind = kind;
    plan.comm = find.text("comm");
    plan.tid = find.integer("pid");
    plan.prio = find.integer("prio");
    plan.targetCpu = find.optionalInteger("target_cpu");
    plan.success = find.optionalInteger("success");
    return plan;
}

Result<FieldPlan> piSetprioPlan(FieldFinder& find, const EventFormat&) {
    return PiSetprioPlan{find.text("comm"), find.integer("pid"), find.integer("oldprio"),
                         find.integer("newprio")};
}

Result<FieldPlan> forkPlan(FieldFinder& find, const EventFormat&) {
    return ForkPlan{find.text("parent_comm"), find.text("child_comm"), find.integer("parent_pid"),
                    find.integer("child_pid")};
}

Result<FieldPlan> exitPlan(FieldFinder& find, const EventFormat&) {
    return ExitPlan{find.text("comm"), find.integer("pid"), find.integer("prio")};
}

Result<FieldPlan> migratePlan(FieldFinder& find, const EventFormat&) {
    return MigratePlan{find.text("comm"), find.integer("pid"), find.integer("prio"),
                       find.integer("orig_cpu"), find.integer("dest_cpu")};
}

Result<FieldPlan> contentionBeginPlan(FieldFinder& find, const EventFormat&) {
    return ContentionBeginPlan{find.integer("lock_addr"), find.integer("flags")};
}

Result<FieldPlan> contentionEndPlan(FieldFinder& find, const EventFormat&) {
    return ContentionEndPlan{find.integer("lock_addr"), find.integer("ret")};
}

Result<FieldPlan> futexEnterPlan(FieldFinder& find, const EventFormat&) {
    return FutexEnterPlan{find.integer("uaddr"), find.integer("op"), find.integer("val")};
}

Result<FieldPlan> futexExitPlan(FieldFinder& find, const EventFormat&) {
    return FutexExitPlan{find.integer("ret")};
}

Result<FieldPlan> markerPlan(FieldFinder& find, const EventFormat&) {
    return MarkerPlan{find.trailingText("buf")};
}

template <BusEventKind kind>
Result<FieldPlan> i2cPlan(FieldFinder& find, const EventFormat&) {
    BusPlan plan;
    plan.kind = kind;
    plan.adapter = find.integer("adapter_nr");
    plan.device = find.optionalInteger("addr");
    plan.flags = find.optionalInteger("flags");
    plan.length = find.optionalInteger("len");
    plan.number = find.optionalInteger(kind == BusEventKind::I2cResult ? "nr_msgs" : "msg_nr");
    plan.command = find.optionalInteger("command");
    plan.protocol = find.optionalInteger("protocol");
    plan.readWrite = find.optionalInteger("read_write");
    plan.result = find.optionalInteger(kind == BusEventKind::I2cResult ? "ret" : "res");
    return plan;
}

template <BusEventKind kind>
Result<FieldPlan> spiPlan(FieldFinder& find, const EventFormat&) {
    const bool done = kind == BusEventKind::SpiMessageDone;
    BusPlan plan;
    plan.kind = kind;
    plan.adapter = find.integer("bus_num");
    plan.device = find.optionalInteger("chip_select");
    plan.length = find.optionalInteger(done ? "frame" : "len");
    plan.number = find.optionalInteger("actual");
    const bool isTransfer =
        kind == BusEventKind::SpiTransferStart || kind == BusEventKind::SpiTransferStop;
    plan.object = find.optionalInteger(isTransfer ? "xfer" : "msg");
    return plan;
}

struct PlanRow {
    std::string_view system;
    std::string_view name;
    EventKind kind;
    Result<FieldPlan> (*compile)(FieldFinder&, const EventFormat&);
};

constexpr std::array kPlans = {
    PlanRow{"sched", "sched_switch", EventKind::SchedSwitch, switchPlan},
    PlanRow{"sched", "sched_waking", EventKind::SchedWake, wakePlan<WakeEventKind::Waking>},
    PlanRow{"sched", "sched_wakeup", EventKind::SchedWake, wakePlan<WakeEventKind::Wakeup>},
    PlanRow{"sched", "sched_wakeup_new", EventKind::SchedWake, wakePlan<WakeEventKind::WakeupNew>},
    PlanRow{"sched", "sched_pi_setprio", EventKind::PiSetprio, piSetprioPlan},
    PlanRow{"sched", "sched_process_fork", EventKind::SchedFork, forkPlan},
    PlanRow{"sched", "sched_process_exit", EventKind::SchedExit, exitPlan},
    PlanRow{"sched", "sched_migrate_task", EventKind::SchedMigrate, migratePlan},
    PlanRow{"lock", "contention_begin", EventKind::ContentionBegin, contentionBeginPlan},
    PlanRow{"lock", "contention_end", EventKind::ContentionEnd, contentionEndPlan},
    PlanRow{"syscalls", "sys_enter_futex", EventKind::FutexEnter, futexEnterPlan},
    PlanRow{"syscalls", "sys_exit_futex", EventKind::FutexExit, futexExitPlan},
    // The futex of 32-bit programs with 32-bit times: the same words.
    PlanRow{"syscalls", "sys_enter_futex_time32", EventKind::FutexEnter, futexEnterPlan},
    PlanRow{"syscalls", "sys_exit_futex_time32", EventKind::FutexExit, futexExitPlan},
    PlanRow{"ftrace", "print", EventKind::Marker, markerPlan},
    PlanRow{"i2c", "i2c_write", EventKind::Bus, i2cPlan<BusEventKind::I2cWrite>},
    PlanRow{"i2c", "i2c_read", EventKind::Bus, i2cPlan<BusEventKind::I2cRead>},
    PlanRow{"i2c", "i2c_reply", EventKind::Bus, i2cPlan<BusEventKind::I2cReply>},
    PlanRow{"i2c", "i2c_result", EventKind::Bus, i2cPlan<BusEventKind::I2cResult>},
    PlanRow{"smbus", "smbus_write", EventKind::Bus, i2cPlan<BusEventKind::SmbusWrite>},
    PlanRow{"smbus", "smbus_read", EventKind::Bus, i2cPlan<BusEventKind::SmbusRead>},
    PlanRow{"smbus", "smbus_reply", EventKind::Bus, i2cPlan<BusEventKind::SmbusReply>},
    PlanRow{"smbus", "smbus_result", EventKind::Bus, i2cPlan<BusEventKind::SmbusResult>},
    PlanRow{"spi", "spi_controller_idle", EventKind::Bus, spiPlan<BusEventKind::SpiControllerIdle>},
    PlanRow{"spi", "spi_controller_busy", EventKind::Bus, spiPlan<BusEventKind::SpiControllerBusy>},
    PlanRow{"spi", "spi_message_submit", EventKind::Bus, spiPlan<BusEventKind::SpiMessageSubmit>},
    PlanRow{"spi", "spi_message_start", EventKind::Bus, spiPlan<BusEventKind::SpiMessageStart>},
    PlanRow{"spi", "spi_message_done", EventKind::Bus, spiPlan<BusEventKind::SpiMessageDone>},
    PlanRow{"spi", "spi_transfer_start", EventKind::Bus, spiPlan<BusEventKind::SpiTransferStart>},
    PlanRow{"spi", "spi_transfer_stop", EventKind::Bus, spiPlan<BusEventKind::SpiTransferStop>},
    PlanRow{"spi", "spi_set_cs", EventKind::Bus, spiPlan<BusEventKind::SpiSetCs>},
};

} // namespace

Result<CompiledPlan> compilePlan(std::string_view system, const EventFormat& format) {
    const auto row = std::ranges::find_if(kPlans, [&](const PlanRow& candidate) {
        return candidate.name == format.name && candidate.system == system;
    });
    if (row == kPlans.end())
        return CompiledPlan{};
    FieldFinder find(format);
    FieldPlan fields = TRY(row->compile(find, format));
    return CompiledPlan{row->kind, std::move(fields), TRY(find.minimumSize())};
}

} // namespace inversight
