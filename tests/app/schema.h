// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace inversight {

/// Whether every one of `documents` (JSON texts) is valid by resources/schema/NAME.schema.json.
/// Judged by Python's jsonschema, which is not ours.
testing::AssertionResult validBySchema(const std::string& name,
                                       const std::vector<std::string>& documents);

/// The objects of NDJSON text, one a line; a test failure where a line is none.
std::vector<nlohmann::json> parseLines(const std::string& text);

} // namespace inversight
