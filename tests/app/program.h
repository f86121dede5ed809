// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace inversight {

struct ProgramResult {
    int exitStatus = -1; ///< -SIGNAL when a signal ended it
    std::string out;
    std::string err;
};

/// A program under test with its three streams on pipes. One that outlives its time limit or the
/// object is killed, by its pid. Thread-bound.
class Program {
public:
    /// Found on PATH unless it has a slash.
    explicit Program(const std::vector<std::string>& command);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    void signal(int number) const;
    void write(const std::string& text) const;
    void closeInput();
    /// What it printed so far.
    [[nodiscard]] std::string outputSoFar();
    /// Waits for its end; a test failure and SIGKILL when that takes longer than `limit`.
    ProgramResult wait(std::chrono::seconds limit = std::chrono::seconds(60));

private:
    struct Capture;
    pid_t pid_ = -1;
    int input_ = -1;
    std::unique_ptr<Capture> out_;
    std::unique_ptr<Capture> err_;
};

/// Runs `command` to its end with `input` on standard input.
ProgramResult runProgram(const std::vector<std::string>& command, const std::string& input = "",
                         std::chrono::seconds limit = std::chrono::seconds(60));

/// The `inversight` that this build made, with arguments.
std::vector<std::string> inversight(std::vector<std::string> arguments);
ProgramResult runInversight(std::vector<std::string> arguments,
                            std::chrono::seconds limit = std::chrono::seconds(60));

/// The number of newlines.
std::size_t lineCount(const std::string& text);

} // namespace inversight
