// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <string>
#include <vector>

/// The independent reader of what we write: the trace-cmd program.
namespace inversight {

struct ProgramOutput {
    int exitCode = -1;
    std::vector<std::string> lines; ///< of stdout
};

/// Runs `trace-cmd` with arguments that need no quoting; its stderr is dropped.
[[nodiscard]] ProgramOutput runTraceCmd(const std::string& arguments);

/// The event and loss lines of `trace-cmd report -t` (times in ns); fails the test if it fails.
[[nodiscard]] std::vector<std::string> reportTrace(const std::string& path,
                                                   const std::string& options = "-t");

/// The part of a report line behind the task name: "[000]  1.000000001: event:  text", with runs
/// of blanks as one.
[[nodiscard]] std::string withoutTask(const std::string& line);

[[nodiscard]] std::string readBytes(const std::string& path);

} // namespace inversight
