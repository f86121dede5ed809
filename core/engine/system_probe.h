// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Questions to the running system; none of them changes it. The text readers are apart from the
/// files they read, for tests.
namespace inversight {

/// A line of /proc/self/mounts (fstab(5)), its octal escapes resolved.
struct MountEntry {
    std::string path;
    std::string type;
    std::string options;
};
[[nodiscard]] std::vector<MountEntry> readMounts(std::string_view text);

/// Where tracefs is mounted: /sys/kernel/tracing if it is there, else the first place, else empty.
[[nodiscard]] std::string findTracefs(const std::vector<MountEntry>& mounts);

/// The cgroup v1 path of the `cpu` controller in /proc/self/cgroup's text; empty without one.
[[nodiscard]] std::string cpuCgroupPath(std::string_view cgroupText);

/// Whether a trace_clock file ("[local] global mono mono_raw") offers the clock.
[[nodiscard]] bool listsClock(std::string_view traceClockText, std::string_view clock);

/// The first integer in the file, or `fallback` if it cannot be read.
[[nodiscard]] std::int64_t readNumber(const std::string& path, std::int64_t fallback);

/// Whether the calling thread has the capability (CAP_SYS_NICE, ... of linux/capability.h) in
/// effect.
[[nodiscard]] bool hasCapability(int capability);

/// The errno of really setting SCHED_FIFO 1, tried in a thread that ends at once; 0 if permitted.
[[nodiscard]] int tryRealTime();

} // namespace inversight
