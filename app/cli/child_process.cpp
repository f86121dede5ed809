// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/child_process.h"

#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace inversight {

namespace {

/// posix_spawn's two attribute objects, destroyed with the scope.
struct SpawnAttributes {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;

    SpawnAttributes() {
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_init(&files);
    }
    ~SpawnAttributes() {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;

    void setDefaultSignals() {
        sigset_t none;
        sigemptyset(&none);
        sigset_t ours;
        sigemptyset(&ours);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE})
            sigaddset(&ours, signal);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &ours);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
};

} // namespace

Result<ChildProcess> ChildProcess::spawn(const std::vector<std::string>& command,
                                         ChildOutput output, ChildInput input) {
    assert(!command.empty());
    SpawnAttributes spawn;
    spawn.setDefaultSignals();
    if (output == ChildOutput::ToStderr)
        posix_spawn_file_actions_adddup2(&spawn.files, STDERR_FILENO, STDOUT_FILENO);
    if (input == ChildInput::Null)
        posix_spawn_file_actions_addopen(&spawn.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    std::vector<std::string> words = command; // exec wants char*
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, arguments[0], &spawn.files, &spawn.attributes,
                                   arguments.data(), environ);
    if (error != 0)
        return std::unexpected(Error::fromErrno(error, "cannot run the command", command[0]));
    UniqueFd pidFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    return ChildProcess(pid, std::move(pidFd));
}

ChildProcess::~ChildProcess() {
    if (pidFd_ && !status_) [[maybe_unused]]
        const auto last = wait(std::chrono::milliseconds(0));
}

std::optional<ChildStatus> ChildProcess::wait(std::chrono::milliseconds timeout) {
    if (status_)
        return status_;
    pollfd fd{pidFd_.get(), POLLIN, 0};
    poll(&fd, 1, static_cast<int>(timeout.count()));
    int raw = 0;
    if (waitpid(pid_, &raw, WNOHANG) != pid_)
        return std::nullopt;
    status_.emplace();
    if (WIFEXITED(raw))
        status_->exitStatus = WEXITSTATUS(raw);
    else
        status_->signal = WTERMSIG(raw);
    return status_;
}

ChildStatus ChildProcess::waitForEnd() {
    for (;;) {
        if (const auto status = wait(std::chrono::minutes(1)))
            return *status;
    }
}

void ChildProcess::terminate() {
    if (!status_)
        kill(pid_, SIGTERM);
}

} // namespace inversight
