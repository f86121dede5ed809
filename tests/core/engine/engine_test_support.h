// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/engine/workload_engine.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inversight {

inline CpuPlan cpusOfThisMachine() {
    return planCpus(RtEnvironment::probe().allowedCpus);
}

inline std::size_t threadCount() {
    // A sanitizer begins a thread of its own with a program's first, and keeps it.
    pid_t tid = 0;
    std::thread([&tid] { tid = ::gettid(); }).join();
    // Joined is not yet gone from /proc.
    while (std::filesystem::exists("/proc/self/task/" + std::to_string(tid)))
        std::this_thread::yield();
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

/// A scenario of one fair thread over one fast bus.
inline std::string fairScenario(int loops, int nice = 0, const std::string& backend = "sim-i2c") {
    return R"({"scenario":1,"name":"fair","buses":[{"name":"i2c-2","backend":")" + backend +
           R"(","clock_hz":1000000}],"threads":[{"name":"lonely","class":"other","nice":)" +
           std::to_string(nice) + R"(,"loops":)" + std::to_string(loops) +
           R"(,"body":[{"transfer":{"bus":"i2c-2","operation":"quick"}}]}]})";
}

/// Runs `body` in a thread without CAP_SYS_NICE; its own threads inherit that. False if the limits
/// of this process would grant the rights all the same.
template <class Body>
[[nodiscard]] bool withoutSchedulingRights(Body body) {
    rlimit rtprio{};
    rlimit nice{};
    getrlimit(RLIMIT_RTPRIO, &rtprio);
    getrlimit(RLIMIT_NICE, &nice);
    if (rtprio.rlim_cur != 0 || nice.rlim_cur > 20)
        return false;
    std::thread([&] {
        __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
        std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
        syscall(SYS_capget, &header, data.data());
        data[0].effective &= ~(1U << CAP_SYS_NICE);
        syscall(SYS_capset, &header, data.data());
        body();
    }).join();
    return true;
}

} // namespace inversight
