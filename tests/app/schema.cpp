// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/schema.h"

#include "tests/app/program.h"

#include <sstream>

namespace inversight {

namespace {

constexpr const char* kValidator = R"(
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)
documents = json.load(sys.stdin)
assert documents, "nothing to validate"
bad = [e for d in documents for e in validator.iter_errors(d)]
for e in bad[:5]:
    print("/".join(map(str, e.absolute_path)), ":", e.message[:400])
sys.exit(1 if bad else 0)
)";

} // namespace

testing::AssertionResult validBySchema(const std::string& name,
                                       const std::vector<std::string>& documents) {
    std::string array = "[";
    for (const std::string& document : documents)
        array += (array.size() > 1 ? "," : "") + document;
    const std::string schema = std::string(INVERSIGHT_SCHEMAS) + "/" + name + ".schema.json";
    const ProgramResult result = runProgram({"python3", "-c", kValidator, schema}, array + "]");
    if (result.exitStatus == 0)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << result.out << result.err;
}

std::vector<nlohmann::json> parseLines(const std::string& text) {
    std::vector<nlohmann::json> objects;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto object = nlohmann::json::parse(line, nullptr, false);
        EXPECT_TRUE(object.is_object()) << "not a JSON object: " << line;
        if (object.is_object())
            objects.push_back(std::move(object));
    }
    return objects;
}

} // namespace inversight
