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
