// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/job_context.h"
#include "core/base/result.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace inversight {
namespace {

Result<std::unique_ptr<int>> make(bool good) {
    if (!good)
        return std::unexpected(Error{ErrorCode::Io, "made to fail"});
    return std::make_unique<int>(7);
}

Result<int> use(bool good) {
    const std::unique_ptr<int> value = TRY(make(good));
    return *value + 1;
}

Result<void> stopIfAsked(const JobContext& job) {
    TRY(job.check("loading"));
    return {};
}

TEST(Try, YieldsMoveOnlyValuesAndReturnsErrors) {
    EXPECT_EQ(use(true).value(), 8);
    const auto failed = use(false);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().what, "made to fail");
}

TEST(JobContext, CheckFailsOnlyAfterAStopRequest) {
    EXPECT_TRUE(stopIfAsked(JobContext()));
    std::stop_source source;
    const JobContext job(source.get_token());
    EXPECT_TRUE(stopIfAsked(job));
    source.request_stop();
    const auto stopped = stopIfAsked(job);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(stopped.error().what, "loading was stopped before it was done");
}

TEST(JobContext, ReportReachesTheCallback) {
    std::string phase;
    std::uint64_t done = 0;
    const JobContext job({}, [&](const Progress& progress) {
        phase = progress.phase;
        done = progress.done;
    });
    job.report({"merging", 3, 10});
    EXPECT_EQ(phase, "merging");
    EXPECT_EQ(done, 3u);
}

} // namespace
} // namespace inversight
