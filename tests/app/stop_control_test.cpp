// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/stop_control.h"

#include <csignal>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace inversight {
namespace {

bool comesTrue(const auto& condition) {
    for (int i = 0; i < 500 && !condition(); ++i)
        usleep(10'000);
    return condition();
}

TEST(StopControl, FirstSignalStopsSecondAbandons) {
    auto control = StopControl::create(ControlInput::None);
    ASSERT_TRUE(control.has_value());
    StopControl& stop = **control;
    EXPECT_FALSE(stop.stopToken().stop_requested());
    EXPECT_EQ(stop.cause(), StopCause::None);

    kill(getpid(), SIGINT);
    EXPECT_TRUE(comesTrue([&] { return stop.stopToken().stop_requested(); }));
    EXPECT_EQ(stop.cause(), StopCause::Signal);
    EXPECT_FALSE(stop.abandonToken().stop_requested());
    pollfd fd{stop.stopFd(), POLLIN, 0};
    EXPECT_EQ(poll(&fd, 1, 5000), 1);

    kill(getpid(), SIGTERM);
    EXPECT_TRUE(comesTrue([&] { return stop.abandonToken().stop_requested(); }));
}

TEST(StopControl, LeavesTheSignalMaskAsItWas) {
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, nullptr, &before);
    {
        auto control = StopControl::create(ControlInput::None);
        sigset_t during;
        pthread_sigmask(SIG_BLOCK, nullptr, &during);
        EXPECT_EQ(sigismember(&during, SIGINT), 1);
    }
    sigset_t after;
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
    EXPECT_EQ(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

} // namespace
} // namespace inversight
