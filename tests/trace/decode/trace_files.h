// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/temporary_folder.h"
#include "trace/model/event_fields.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Where the shared traces are, what is expected of them, and files of our own making.
namespace inversight::test {

/// The folder $INVERSIGHT_TRACES names, by default ../shared/traces beside the checkout.
[[nodiscard]] std::string tracesFolder();

/// Names (without .dat) in fixtures/dat, sorted; empty if the folder is absent.
[[nodiscard]] std::vector<std::string> fixtureNames();

[[nodiscard]] std::string fixturePath(const std::string& name);

/// Stands for the files of a folder that is not there, so that its test skips instead of vanishing.
inline constexpr const char* kAbsent = "absent";
[[nodiscard]] std::vector<std::string> orAbsent(std::vector<std::string> names);

#define SKIP_WITHOUT_TRACES(name)                                                                  \
    if ((name) == kAbsent)                                                                         \
    GTEST_SKIP() << "needs the shared traces in " << tracesFolder() << " or $INVERSIGHT_TRACES"

/// A fixture's name as a test's: GoogleTest wants no dashes.
inline constexpr auto fixtureTestName = [](const auto& info) {
    std::string name = info.param;
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
};

/// The records of expected/NAME.ndjson.gz per buffer and CPU, in file order.
using ExpectedRecords = std::map<std::pair<std::string, int>, std::vector<nlohmann::json>>;
[[nodiscard]] ExpectedRecords readExpected(const std::string& name);

/// An integer of the expected file, which writes addresses as "0x..".
[[nodiscard]] std::int64_t integer(const nlohmann::json& value);
/// The state by the bit every kernel of the fixtures (5.10 to 6.12) has for it.
[[nodiscard]] TaskState modernState(std::uint64_t raw);

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

} // namespace inversight::test
