// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"
#include "tests/app/recording_fixture.h"

#include <cstdio>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

/// What was published in 2009, on this machine's threads: minutes of real time, so part of the
/// soak.
namespace inversight {
namespace {

using nlohmann::json;

const json& threadNamed(const json& run, const std::string& name) {
    for (const json& thread : run.at("threads"))
        if (thread.at("name") == name)
            return thread;
    throw std::runtime_error("the run has no thread " + name);
}

class PublishedGain : public RecordingTest {};

TEST_F(PublishedGain, Fifo99WaitsAFifthLessUnderRtMutexInEachOfFivePairs) {
    std::printf("fifo-99, us   mutex-2009 avg / max    rt_mutex avg / max   change\n");
    for (int pair = 1; pair <= 5; ++pair) {
        const std::string folder = path("pair-" + std::to_string(pair));
        const ProgramResult result =
            runInversight({"run", "i2c-bus-2009", "--policy", "mutex-2009,rt_mutex", "--loops",
                           "2000", "-o", folder, "--format", "json"},
                          std::chrono::seconds(300));
        ASSERT_EQ(result.exitStatus, 0) << result.err;
        const json runs = json::parse(result.out).at("data").at("runs");
        double average[2];
        double maximum[2];
        for (std::size_t i = 0; i < 2; ++i) {
            const json& latency = threadNamed(runs.at(i), "fifo-99").at("latency_ns");
            average[i] = latency.at("avg").get<double>() / 1e3;
            maximum[i] = latency.at("max").get<double>() / 1e3;
            EXPECT_EQ(runs.at(i).at("lost_count"), 0);
        }
        std::printf("pair %d        %9.0f / %7.0f   %9.0f / %7.0f   %+5.1f %%\n", pair, average[0],
                    maximum[0], average[1], maximum[1], 100 * (average[1] / average[0] - 1));
        EXPECT_LE(average[1], 0.8 * average[0]) << "pair " << pair;
        EXPECT_EQ(runs.at(0).at("boost_count"), 0);
        EXPECT_GT(runs.at(1).at("boost_count"), 0);
    }
}

} // namespace
} // namespace inversight
