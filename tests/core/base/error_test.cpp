// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/error.h"

#include <cerrno>
#include <gtest/gtest.h>

namespace inversight {

TEST(Error, SentenceSaysWhatWhereAndRemedy) {
    const Error error{ErrorCode::NotFound, "no such policy", "--policy", "see `list policies`"};
    EXPECT_EQ(error.sentence(), "no such policy (--policy); see `list policies`");
    EXPECT_EQ((Error{ErrorCode::Corrupt, "bad magic"}).sentence(), "bad magic");
}

TEST(Error, FromErrnoKeepsTheKindOfFailure) {
    EXPECT_EQ(Error::fromErrno(EPERM, "x").code, ErrorCode::PermissionDenied);
    EXPECT_EQ(Error::fromErrno(EACCES, "x").code, ErrorCode::PermissionDenied);
    EXPECT_EQ(Error::fromErrno(ENOENT, "x").code, ErrorCode::NotFound);
    EXPECT_EQ(Error::fromErrno(EBUSY, "x").code, ErrorCode::Busy);
    const Error error = Error::fromErrno(ENOSPC, "cannot write", "/x/y");
    EXPECT_EQ(error.code, ErrorCode::Io);
    EXPECT_EQ(error.sentence(), "cannot write: No space left on device (/x/y)");
}

} // namespace inversight
