// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/trace/file_write/trace_cmd.h"

#include "core/base/unique_fd.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>

namespace inversight {

namespace {

std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

ProgramOutput runTraceCmd(const std::string& arguments) {
    FILE* pipe = ::popen(("trace-cmd " + arguments + " 2>/dev/null").c_str(), "re");
    if (pipe == nullptr)
        return {};
    std::string text;
    char buffer[65536];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        text.append(buffer, size);
    const int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, splitLines(text)};
}

std::vector<std::string> reportTrace(const std::string& path, const std::string& options) {
    ProgramOutput output = runTraceCmd("report -i " + path + " " + options);
    EXPECT_EQ(output.exitCode, 0) << "trace-cmd report " << path;
    std::erase_if(output.lines, [](const std::string& line) { return line.starts_with("cpus="); });
    return output.lines;
}

std::string withoutTask(const std::string& line) {
    std::string text = line.substr(std::min(line.find('['), line.size()));
    const auto last =
        std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; });
    text.erase(last, text.end());
    return text;
}

std::string readBytes(const std::string& path) {
    const auto bytes = readFile(path);
    EXPECT_TRUE(bytes) << path;
    return bytes.value_or("");
}

} // namespace inversight
