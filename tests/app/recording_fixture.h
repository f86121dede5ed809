// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/temporary_folder.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace inversight {

/// Tests that record this machine: each in a directory of its own, skipped with the reason where
/// recording is impossible, and each proves afterwards that tracefs is as it was before.
class RecordingTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] std::string path(const std::string& name) const { return folder_.file(name); }

private:
    TemporaryFolder folder_;
    std::map<std::string, std::string> globalSettings_;
};

/// Names of tracefs instances that process `pid` made.
std::vector<std::string> instancesOf(pid_t pid);

/// Asks until it is true; a test failure after `limit`.
void waitUntil(const std::string& what, const std::function<bool()>& condition,
               std::chrono::seconds limit = std::chrono::seconds(20));

/// Files in a directory, by name, sorted.
std::vector<std::string> filesIn(const std::string& directory);

/// Per event name, how many lines `trace-cmd report` prints.
std::map<std::string, std::uint64_t> countsByTraceCmd(const std::string& file);
/// ... and what `inversight info` says.
std::map<std::string, std::uint64_t> countsByInfo(const std::string& file);

} // namespace inversight
