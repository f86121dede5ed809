// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/run_guards.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>

namespace inversight {

LockedMemory::LockedMemory() {
    if (mlockall(MCL_CURRENT) != 0)
        warning_ =
            fmt::format("memory could not be locked ({}): page faults may lengthen latencies",
                        std::strerror(errno));
}

LockedMemory::~LockedMemory() {
    if (warning_.empty())
        munlockall();
}

CpuLatencyRequest::CpuLatencyRequest() {
    Result<UniqueFd> fd = UniqueFd::open("/dev/cpu_dma_latency", O_WRONLY);
    const std::int32_t microseconds = 0;
    Result<void> written;
    if (fd)
        written =
            writeAll(fd->get(), std::as_bytes(std::span(&microseconds, 1)), "/dev/cpu_dma_latency");
    if (!fd || !written) {
        const Error& error = fd ? written.error() : fd.error();
        warning_ = fmt::format("deep idle states stay allowed ({}): wake-ups may take longer",
                               error.sentence());
        return;
    }
    fd_ = std::move(*fd); // the request holds as long as the file is open
}

CallerPlacement::CallerPlacement(const std::vector<int>& cpus) {
    CPU_ZERO(&previous_);
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    for (const int cpu : cpus)
        CPU_SET(static_cast<std::size_t>(cpu), &wanted);
    moved_ = sched_getaffinity(0, sizeof(previous_), &previous_) == 0 &&
             sched_setaffinity(0, sizeof(wanted), &wanted) == 0;
    if (!moved_)
        warning_ = fmt::format("the main thread could not leave the workers' CPU ({})",
                               std::strerror(errno));
}

CallerPlacement::~CallerPlacement() {
    if (moved_)
        sched_setaffinity(0, sizeof(previous_), &previous_);
}

BlockedSignals::BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous_);
}

BlockedSignals::~BlockedSignals() {
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

} // namespace inversight
