// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "tests/app/program.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace inversight {

namespace {

struct Pipe {
    int read = -1;
    int write = -1;
    Pipe() {
        std::array<int, 2> fds{};
        if (pipe2(fds.data(), O_CLOEXEC) != 0)
            std::abort();
        read = fds[0];
        write = fds[1];
    }
};

} // namespace

/// Reads a pipe to its end on a thread of its own.
struct Program::Capture {
    explicit Capture(int descriptor) : fd(descriptor), thread([this] { readAll(); }) {}
    ~Capture() {
        thread.join();
        close(fd);
    }

    void readAll() {
        std::array<char, 4096> bytes{};
        for (ssize_t count; (count = read(fd, bytes.data(), bytes.size())) > 0;) {
            const std::lock_guard lock(mutex);
            text.append(bytes.data(), static_cast<std::size_t>(count));
        }
    }

    std::string take() {
        thread.join();
        thread = std::thread([] {});
        return text;
    }

    int fd;
    std::mutex mutex;
    std::string text;
    std::thread thread;
};

Program::Program(const std::vector<std::string>& command) {
    const Pipe in;
    const Pipe out;
    const Pipe err;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in.read, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out.write, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err.write, STDERR_FILENO);
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int error = posix_spawnp(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    for (const int fd : {in.read, out.write, err.write})
        close(fd);
    EXPECT_EQ(error, 0) << "cannot run " << command[0];
    input_ = in.write;
    out_ = std::make_unique<Capture>(out.read);
    err_ = std::make_unique<Capture>(err.read);
}

Program::~Program() {
    closeInput();
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

void Program::signal(int number) const {
    kill(pid_, number);
}

void Program::write(const std::string& text) const {
    EXPECT_EQ(::write(input_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

void Program::closeInput() {
    if (input_ >= 0)
        close(input_);
    input_ = -1;
}

std::string Program::outputSoFar() {
    const std::lock_guard lock(out_->mutex);
    return out_->text;
}

ProgramResult Program::wait(std::chrono::seconds limit) {
    const int pidFd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
    pollfd fd{pidFd, POLLIN, 0};
    const auto limitMs = std::chrono::duration_cast<std::chrono::milliseconds>(limit);
    if (poll(&fd, 1, static_cast<int>(limitMs.count())) != 1) {
        ADD_FAILURE() << "the program did not end within " << limit.count() << " s";
        kill(pid_, SIGKILL);
    }
    close(pidFd);
    int raw = 0;
    waitpid(pid_, &raw, 0);
    pid_ = -1;
    return {WIFEXITED(raw) ? WEXITSTATUS(raw) : -WTERMSIG(raw), out_->take(), err_->take()};
}

ProgramResult runProgram(const std::vector<std::string>& command, const std::string& input,
                         std::chrono::seconds limit) {
    Program program(command);
    if (!input.empty())
        program.write(input);
    program.closeInput();
    return program.wait(limit);
}

std::vector<std::string> inversight(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), INVERSIGHT_PROGRAM);
    return arguments;
}

ProgramResult runInversight(std::vector<std::string> arguments, std::chrono::seconds limit) {
    return runProgram(inversight(std::move(arguments)), "", limit);
}

std::size_t lineCount(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

} // namespace inversight
