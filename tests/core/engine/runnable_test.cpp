// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/runnable.h"

#include "core/workload/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inversight {
namespace {

WorkloadSpec specOf(const char* name) {
    return loadScenario(name)->spec;
}

TEST(Runnable, TheBusOf2009Is) {
    EXPECT_TRUE(checkRealThreadsCanRun(specOf("i2c-bus-2009")));
}

TEST(Runnable, WhatExistsInVirtualTimeOnlyIsRefusedByName) {
    const auto locks = checkRealThreadsCanRun(specOf("deadlock"));
    ASSERT_FALSE(locks);
    EXPECT_EQ(locks.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(locks.error().sentence(), "step 1 of the body cannot be run on real threads "
                                        "(thread L); run the scenario with --engine virtual");
    const auto cpus = checkRealThreadsCanRun(specOf("two-cpus"));
    ASSERT_FALSE(cpus);
    EXPECT_EQ(cpus.error().what, "more than one CPU cannot be run on real threads");
    const auto bus = checkRealThreadsCanRun(specOf("bus"));
    ASSERT_FALSE(bus);
    EXPECT_EQ(bus.error().where, "bus B");
    const auto start = checkRealThreadsCanRun(specOf("pathfinder"));
    ASSERT_FALSE(start);
    EXPECT_EQ(start.error().where, "thread bc_sched");
}

} // namespace
} // namespace inversight
