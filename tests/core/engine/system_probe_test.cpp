// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/system_probe.h"

#include <gtest/gtest.h>

namespace inversight {
namespace {

TEST(Mounts, AreReadWithTheirEscapes) {
    const auto mounts = readMounts("proc /proc proc rw 0 0\n"
                                   "none /mnt/a\\040b\\134c tmpfs rw,size=1k 0 0\n"
                                   "short line\n"
                                   "x /broken\\04 ext4 rw 0 0");
    ASSERT_EQ(mounts.size(), 3u);
    EXPECT_EQ(mounts[0].path, "/proc");
    EXPECT_EQ(mounts[1].path, "/mnt/a b\\c");
    EXPECT_EQ(mounts[1].type, "tmpfs");
    EXPECT_EQ(mounts[1].options, "rw,size=1k");
    EXPECT_EQ(mounts[2].path, "/broken\\04");
}

TEST(Mounts, TracefsAtItsOwnPlaceComesFirst) {
    EXPECT_EQ(findTracefs(readMounts("proc /proc proc rw 0 0\n")), "");
    EXPECT_EQ(findTracefs(readMounts("t /sys/kernel/debug/tracing tracefs rw 0 0\n"
                                     "t /sys/kernel/tracing tracefs rw 0 0\n")),
              "/sys/kernel/tracing");
    EXPECT_EQ(findTracefs(readMounts("t /sys/kernel/debug/tracing tracefs rw 0 0\n")),
              "/sys/kernel/debug/tracing");
}

TEST(CpuCgroup, IsTheOneWithTheCpuController) {
    EXPECT_EQ(cpuCgroupPath("9:name=systemd:/x\n4:cpuset:/set\n2:cpuacct,cpu:/a:b\n0::/\n"),
              "/a:b");
    EXPECT_EQ(cpuCgroupPath("0::/user.slice\n"), "");
    EXPECT_EQ(cpuCgroupPath("nonsense\n\n:\n"), "");
    EXPECT_EQ(cpuCgroupPath(""), "");
}

TEST(TraceClock, IsAWholeWord) {
    EXPECT_TRUE(listsClock("[local] global mono mono_raw\n", "mono"));
    EXPECT_TRUE(listsClock("local [mono]\n", "mono"));
    EXPECT_FALSE(listsClock("[local] global mono_raw\n", "mono"));
}

TEST(ReadNumber, FallsBackWhereThereIsNone) {
    EXPECT_EQ(readNumber("/nonexistent/file", -7), -7);
    EXPECT_EQ(readNumber("/proc/self/cmdline", -7), -7);
    EXPECT_GT(readNumber("/proc/sys/kernel/sched_rt_period_us", -7), 0);
}

} // namespace
} // namespace inversight
