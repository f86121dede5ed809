// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/preconditions.h"

#include "core/base/unique_fd.h"
#include "core/engine/rt_environment.h"
#include "core/engine/system_probe.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inversight {

namespace {

rlim_t softLimit(__rlimit_resource_t resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

NeedReport probeCpus() {
    const auto allowed = static_cast<long>(RtEnvironment::probe().allowedCpus.size());
    return {Need::Cpus, allowed >= 2 ? NeedState::Met : NeedState::Missing,
            fmt::format("{} CPUs online, {} allowed", sysconf(_SC_NPROCESSORS_ONLN), allowed)};
}

NeedReport probeRtRights() {
    const std::int64_t limit = RtEnvironment::probe().rtPriorityLimit;
    if (hasCapability(CAP_SYS_NICE))
        return {Need::RtRights, NeedState::Met, "CAP_SYS_NICE is in effect"};
    const std::string finding =
        fmt::format("no CAP_SYS_NICE, and the limit of real-time priorities is {}", limit);
    if (limit == 0)
        return {Need::RtRights, NeedState::Missing, finding};
    return {Need::RtRights, limit >= 99 ? NeedState::Met : NeedState::Limited, finding};
}

/// The cgroup v1 file with this process's share of RT time; empty where the kernel has none.
std::string rtRuntimeFile() {
    const std::string group = cpuCgroupPath(readFile("/proc/self/cgroup").value_or(""));
    if (group.empty())
        return {};
    for (const MountEntry& mount : readMounts(readFile("/proc/self/mounts").value_or(""))) {
        const std::string options = "," + mount.options + ",";
        if (mount.type == "cgroup" && options.find(",cpu,") != std::string::npos) {
            const std::string file = mount.path + group + "/cpu.rt_runtime_us";
            return std::filesystem::path(file).lexically_normal().string();
        }
    }
    return {};
}

NeedReport probeRtRuntime() {
    const std::string file = rtRuntimeFile();
    const bool limited = !file.empty() && access(file.c_str(), R_OK) == 0;
    const std::int64_t runtime = limited ? readNumber(file, -1) : -1;
    if (limited && runtime == 0)
        return {Need::RtRuntime, NeedState::Missing, fmt::format("{} is 0", file)};
    if (RtEnvironment::probe().rtPriorityLimit == 0)
        return {Need::RtRuntime, NeedState::Limited, "cannot be tried without real-time rights"};
    if (const int error = tryRealTime(); error != 0)
        return {Need::RtRuntime, NeedState::Missing,
                fmt::format("a thread may not become SCHED_FIFO 1: {}", std::strerror(error))};
    return {Need::RtRuntime, NeedState::Met,
            limited ? fmt::format("{} us in {}; SCHED_FIFO 1 was granted", runtime, file)
                    : "no limit per cgroup; SCHED_FIFO 1 was granted"};
}

NeedReport probeNiceRights() {
    if (hasCapability(CAP_SYS_NICE))
        return {Need::NiceRights, NeedState::Met, "CAP_SYS_NICE is in effect"};
    // RLIMIT_NICE n permits nice values down to 20 - n (getrlimit(2)).
    const rlim_t limit = std::min<rlim_t>(softLimit(RLIMIT_NICE), 40);
    const auto lowest = 20 - static_cast<int>(limit);
    const std::string finding =
        fmt::format("no CAP_SYS_NICE, and the lowest permitted nice value is {}", lowest);
    if (lowest >= 0)
        return {Need::NiceRights, NeedState::Missing, finding};
    return {Need::NiceRights, lowest <= -20 ? NeedState::Met : NeedState::Limited, finding};
}

NeedReport probeLockedMemory() {
    if (hasCapability(CAP_IPC_LOCK))
        return {Need::LockedMemory, NeedState::Met, "CAP_IPC_LOCK is in effect"};
    const rlim_t limit = softLimit(RLIMIT_MEMLOCK);
    if (limit == RLIM_INFINITY)
        return {Need::LockedMemory, NeedState::Met, "no limit of locked memory"};
    return {Need::LockedMemory, limit == 0 ? NeedState::Missing : NeedState::Limited,
            fmt::format("no CAP_IPC_LOCK, and at most {} KiB may be locked", limit / 1024)};
}

std::string tracefsPath() {
    return findTracefs(readMounts(readFile("/proc/self/mounts").value_or("")));
}

bool writable(const std::string& path) {
    return faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

NeedReport probeTracefs() {
    const std::string path = tracefsPath();
    if (path.empty())
        return {Need::Tracefs, NeedState::Missing, "tracefs is not mounted"};
    if (!writable(path + "/instances"))
        return {Need::Tracefs, NeedState::Missing,
                fmt::format("{}/instances is not writable", path)};
    return {Need::Tracefs, NeedState::Met, fmt::format("mounted at {}, writable", path)};
}

/// Those of `events` ("system/name") that this kernel does not have.
std::vector<std::string_view> missingEvents(const std::string& tracefs,
                                            std::span<const std::string_view> events) {
    std::vector<std::string_view> missing;
    for (const std::string_view event : events) {
        const std::string path = fmt::format("{}/events/{}/format", tracefs, event);
        if (access(path.c_str(), F_OK) != 0)
            missing.push_back(event);
    }
    return missing;
}

NeedReport probeTraceEvents() {
    static constexpr std::array<std::string_view, 4> kNeeded{
        "sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup", "sched/sched_pi_setprio"};
    static constexpr std::array<std::string_view, 2> kUseful{"lock/contention_begin",
                                                             "syscalls/sys_enter_futex"};
    const std::string path = tracefsPath();
    if (path.empty())
        return {Need::TraceEvents, NeedState::Missing, "tracefs is not mounted"};
    const auto clocks = readFile(path + "/trace_clock");
    if (!clocks)
        return {Need::TraceEvents, NeedState::Missing, clocks.error().sentence()};
    if (!listsClock(*clocks, "mono"))
        return {Need::TraceEvents, NeedState::Missing, "the kernel has no trace clock mono"};
    if (const auto missing = missingEvents(path, kNeeded); !missing.empty())
        return {Need::TraceEvents, NeedState::Missing,
                fmt::format("the kernel has no event {}", fmt::join(missing, ", "))};
    if (const auto missing = missingEvents(path, kUseful); !missing.empty())
        return {Need::TraceEvents, NeedState::Limited,
                fmt::format("the kernel has no event {}", fmt::join(missing, ", "))};
    return {Need::TraceEvents, NeedState::Met,
            "scheduler, lock and futex events and the mono clock exist"};
}

constexpr auto kPreconditions = std::to_array<PreconditionRow>({
    {Need::Cpus, "cpus", "the workers need a CPU of their own and the recorder another",
     "allow a second CPU, e.g. `taskset -c 0,1 inversight ...`", probeCpus},
    {Need::RtRights, "rt-rights", "real-time workers are set to SCHED_FIFO",
     "run it with sudo, or add `@GROUP - rtprio 99` to /etc/security/limits.conf", probeRtRights},
    {Need::RtRuntime, "rt-runtime", "real-time workers need real-time run time in their cgroup",
     "give the cgroup a share: `echo 900000 | sudo tee /sys/fs/cgroup/cpu/GROUP/"
     "cpu.rt_runtime_us`, or start from the root cgroup",
     probeRtRuntime},
    {Need::NiceRights, "nice-rights", "workers with a negative nice value are to be favoured",
     "run it with sudo, or add `@GROUP - nice -20` to /etc/security/limits.conf", probeNiceRights},
    {Need::LockedMemory, "locked-memory", "a page fault inside a measurement would falsify it",
     "run it with sudo, or add `@GROUP - memlock unlimited` to /etc/security/limits.conf",
     probeLockedMemory},
    {Need::Tracefs, "tracefs", "the kernel's events are recorded through it",
     "run as root after `sudo mount -t tracefs tracefs /sys/kernel/tracing`", probeTracefs},
    {Need::TraceEvents, "trace-events", "waits, boosts and switches are explained from them",
     "needs tracefs and a kernel with CONFIG_FTRACE and CONFIG_ENABLE_DEFAULT_TRACERS: "
     "`sudo mount -t tracefs tracefs /sys/kernel/tracing`",
     probeTraceEvents},
});

ErrorCode codeOf(Need need) {
    switch (need) {
    case Need::Cpus:
    case Need::TraceEvents:
        return ErrorCode::Unsupported;
    case Need::Tracefs:
        return ErrorCode::NotFound;
    case Need::RtRights:
    case Need::RtRuntime:
    case Need::NiceRights:
    case Need::LockedMemory:
        return ErrorCode::PermissionDenied;
    }
    return ErrorCode::Unsupported;
}

} // namespace

std::span<const PreconditionRow> preconditions() {
    return kPreconditions;
}

Result<void> require(std::span<const Need> needs) {
    for (const Need need : needs) {
        const auto row = std::ranges::find(kPreconditions, need, &PreconditionRow::need);
        const NeedReport report = row->probe();
        if (report.state == NeedState::Missing)
            return std::unexpected(Error{codeOf(need),
                                         fmt::format("{}, but {}", report.finding, row->reason), "",
                                         std::string(row->remedy)});
    }
    return {};
}

} // namespace inversight
