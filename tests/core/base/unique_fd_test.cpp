// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace inversight {

TEST(UniqueFd, OpenErrorNamesThePath) {
    const auto fd = UniqueFd::open("/no/such/file", O_RDONLY);
    ASSERT_FALSE(fd);
    EXPECT_EQ(fd.error().code, ErrorCode::NotFound);
    EXPECT_EQ(fd.error().where, "/no/such/file");
}

TEST(UniqueFd, ClosesOnceAndMoves) {
    int pipeEnds[2];
    ASSERT_EQ(::pipe(pipeEnds), 0);
    UniqueFd reader(pipeEnds[0]);
    {
        UniqueFd writer(pipeEnds[1]);
        const UniqueFd moved = std::move(writer);
        ASSERT_TRUE(writeAll(moved.get(), std::string_view("abc"), "pipe"));
    }
    char buffer[8];
    EXPECT_EQ(::read(reader.get(), buffer, sizeof buffer), 3);
    EXPECT_EQ(::read(reader.get(), buffer, sizeof buffer), 0) << "the writing end is still open";
}

TEST(WriteAll, ErrorNamesTheFile) {
    const auto fd = UniqueFd::open("/dev/full", O_WRONLY);
    ASSERT_TRUE(fd);
    const auto written = writeAll(fd->get(), std::string_view("x"), "/dev/full");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().where, "/dev/full");
    EXPECT_EQ(written.error().code, ErrorCode::Io);
}

TEST(ReadFile, ReadsFilesOfUnknownSize) {
    const auto text = readFile("/proc/self/status");
    ASSERT_TRUE(text);
    EXPECT_NE(text->find("\nPid:\t" + std::to_string(::getpid()) + "\n"), std::string::npos);
}

} // namespace inversight
