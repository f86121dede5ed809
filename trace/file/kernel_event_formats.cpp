// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/kernel_event_formats.h"

#include "trace/file/ring_page_builder.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace inversight {

namespace {

/// A field of an event's format text.
struct Field {
    std::string_view declaration; ///< as in C: "char comm[16]"
    unsigned offset = 0;          ///< bytes from the start of the record
    unsigned size = 0;            ///< bytes
    bool isSigned = false;
};

std::string fieldLine(const Field& field) {
    return fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", field.declaration,
                       field.offset, field.size, field.isSigned ? 1 : 0);
}

std::string format(std::string_view name, KernelEventId id, std::initializer_list<Field> fields,
                   std::string_view print) {
    std::string text = fmt::format("name: {}\nID: {}\nformat:\n", name, static_cast<unsigned>(id));
    for (const Field& common :
         {Field{"unsigned short common_type", 0, 2}, Field{"unsigned char common_flags", 2, 1},
          Field{"unsigned char common_preempt_count", 3, 1}, Field{"int common_pid", 4, 4, true}})
        text += fieldLine(common);
    text += "\n";
    for (const Field& field : fields)
        text += fieldLine(field);
    return text + fmt::format("\nprint fmt: {}\n", print);
}

std::string schedSwitch() {
    return format(
        "sched_switch", KernelEventId::SchedSwitch,
        {{"char prev_comm[16]", 8, 16},
         {"pid_t prev_pid", 24, 4, true},
         {"int prev_prio", 28, 4, true},
         {"long prev_state", 32, 8, true},
         {"char next_comm[16]", 40, 16},
         {"pid_t next_pid", 56, 4, true},
         {"int next_prio", 60, 4, true}},
        R"("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d )"
        R"(next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, )"
        R"((REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", )"
        R"({ 0x01, "S" }, { 0x02, "D" }, { 0x04, "T" }, { 0x08, "t" }, { 0x10, "X" }, )"
        R"({ 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }) : "R", )"
        R"(REC->prev_state & 0x100 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio)");
}

std::string schedWake(std::string_view name, KernelEventId id) {
    return format(name, id,
                  {{"char comm[16]", 8, 16},
                   {"pid_t pid", 24, 4, true},
                   {"int prio", 28, 4, true},
                   {"int target_cpu", 32, 4, true}},
                  R"("comm=%s pid=%d prio=%d target_cpu=%03d", )"
                  R"(REC->comm, REC->pid, REC->prio, REC->target_cpu)");
}

std::string schedPiSetprio() {
    return format("sched_pi_setprio", KernelEventId::SchedPiSetprio,
                  {{"__data_loc char[] comm", 8, 4},
                   {"pid_t pid", 12, 4, true},
                   {"int oldprio", 16, 4, true},
                   {"int newprio", 20, 4, true}},
                  R"("comm=%s pid=%d oldprio=%d newprio=%d", )"
                  R"(__get_str(comm), REC->pid, REC->oldprio, REC->newprio)");
}

std::string schedProcessFork() {
    return format("sched_process_fork", KernelEventId::SchedProcessFork,
                  {{"__data_loc char[] parent_comm", 8, 4},
                   {"pid_t parent_pid", 12, 4, true},
                   {"__data_loc char[] child_comm", 16, 4},
                   {"pid_t child_pid", 20, 4, true}},
                  R"("comm=%s pid=%d child_comm=%s child_pid=%d", )"
                  R"(__get_str(parent_comm), REC->parent_pid, __get_str(child_comm), )"
                  R"(REC->child_pid)");
}

std::string schedProcessExit() {
    return format("sched_process_exit", KernelEventId::SchedProcessExit,
                  {{"char comm[16]", 8, 16}, {"pid_t pid", 24, 4, true}, {"int prio", 28, 4, true}},
                  R"("comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio)");
}

std::string schedMigrateTask() {
    return format("sched_migrate_task", KernelEventId::SchedMigrateTask,
                  {{"__data_loc char[] comm", 8, 4},
                   {"pid_t pid", 12, 4, true},
                   {"int prio", 16, 4, true},
                   {"int orig_cpu", 20, 4, true},
                   {"int dest_cpu", 24, 4, true}},
                  R"("comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", )"
                  R"(__get_str(comm), REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu)");
}

std::string contentionBegin() {
    return format("contention_begin", KernelEventId::ContentionBegin,
                  {{"void * lock_addr", 8, 8}, {"unsigned int flags", 16, 4}},
                  R"-("%p (flags=%s)", REC->lock_addr, __print_flags(REC->flags, "|", )-"
                  R"({ 0x01, "SPIN" }, { 0x02, "READ" }, { 0x04, "WRITE" }, { 0x08, "RT" }, )"
                  R"({ 0x10, "PERCPU" }, { 0x20, "MUTEX" }))");
}

std::string contentionEnd() {
    return format("contention_end", KernelEventId::ContentionEnd,
                  {{"void * lock_addr", 8, 8}, {"int ret", 16, 4, true}},
                  R"-("%p (ret=%d)", REC->lock_addr, REC->ret)-");
}

std::string futexEnter() {
    return format("sys_enter_futex", KernelEventId::FutexEnter,
                  {{"int __syscall_nr", 8, 4, true},
                   {"u32 * uaddr", 16, 8},
                   {"int op", 24, 8},
                   {"u32 val", 32, 8},
                   {"const struct __kernel_timespec * utime", 40, 8},
                   {"u32 * uaddr2", 48, 8},
                   {"u32 val3", 56, 8}},
                  R"("uaddr: 0x%08lx, op: 0x%08lx, val: 0x%08lx, utime: 0x%08lx, )"
                  R"(uaddr2: 0x%08lx, val3: 0x%08lx", ((unsigned long)(REC->uaddr)), )"
                  R"(((unsigned long)(REC->op)), ((unsigned long)(REC->val)), )"
                  R"(((unsigned long)(REC->utime)), ((unsigned long)(REC->uaddr2)), )"
                  R"(((unsigned long)(REC->val3)))");
}

std::string futexExit() {
    return format("sys_exit_futex", KernelEventId::FutexExit,
                  {{"int __syscall_nr", 8, 4, true}, {"long ret", 16, 8, true}},
                  R"("0x%lx", REC->ret)");
}

std::string print() {
    return format("print", KernelEventId::Print,
                  {{"unsigned long ip", 8, 8}, {"char buf[]", 16, 0}},
                  R"("%ps: %s", (void *)REC->ip, REC->buf)");
}

std::string headerPage() {
    const unsigned data = RingPageBuilder::kPageSize - RingPageBuilder::kPageHeaderSize;
    return fieldLine({"u64 timestamp", 0, 8}) + fieldLine({"local_t commit", 8, 8, true}) +
           fieldLine({"int overwrite", 8, 1, true}) + fieldLine({"char data", 16, data});
}

constexpr std::string_view kHeaderEvent = "# compressed entry header\n"
                                          "\ttype_len    :    5 bits\n"
                                          "\ttime_delta  :   27 bits\n"
                                          "\tarray       :   32 bits\n"
                                          "\n"
                                          "\tpadding     : type == 29\n"
                                          "\ttime_extend : type == 30\n"
                                          "\ttime_stamp : type == 31\n"
                                          "\tdata max type_len  == 28\n";

} // namespace

TraceMetadata kernelEventMetadata() {
    TraceMetadata metadata;
    metadata.pageSize = RingPageBuilder::kPageSize;
    metadata.headerPage = headerPage();
    metadata.headerEvent = kHeaderEvent;
    metadata.ftraceFormats = {print()};
    metadata.systems = {
        {"lock", {contentionBegin(), contentionEnd()}},
        {"sched",
         {schedSwitch(), schedWake("sched_waking", KernelEventId::SchedWaking),
          schedWake("sched_wakeup", KernelEventId::SchedWakeup),
          schedWake("sched_wakeup_new", KernelEventId::SchedWakeupNew), schedPiSetprio(),
          schedProcessFork(), schedProcessExit(), schedMigrateTask()}},
        {"syscalls", {futexEnter(), futexExit()}},
    };
    metadata.kallsyms = fmt::format("{:x} T tracing_mark_write\n", kMarkerAddress);
    return metadata;
}

} // namespace inversight
