// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/temporary_folder.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Where the shared traces are, what is expected of them, and files of our own making.
namespace inversight::test {

/// The folder $INVERSIGHT_TRACES names, by default ../shared/traces beside the checkout.
[[nodiscard]] std::string tracesFolder();

/// Names (without .dat) in fixtures/dat whose file has this version ("6" or "7"), sorted; empty if
/// the folder is absent.
[[nodiscard]] std::vector<std::string> fixtureNames(const std::string& version);

[[nodiscard]] std::string fixturePath(const std::string& name);

/// The records of expected/NAME.ndjson.gz per buffer and CPU, in file order.
using ExpectedRecords = std::map<std::pair<std::string, int>, std::vector<nlohmann::json>>;
[[nodiscard]] ExpectedRecords readExpected(const std::string& name);

/// A file in a folder of its own that is removed with it.
class TemporaryFile {
public:
    [[nodiscard]] const std::string& path() const { return path_; }
    void write(const std::string& bytes) const;

private:
    TemporaryFolder folder_;
    std::string path_ = folder_.file("trace.dat");
};

[[nodiscard]] std::string readBytes(const std::string& path);

/// `trace-cmd convert --file-version 6`; false if that failed.
[[nodiscard]] bool convertToVersion6(const std::string& from, const std::string& to);

} // namespace inversight::test
