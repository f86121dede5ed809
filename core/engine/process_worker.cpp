// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/process_worker.h"

#include "core/engine/figures_codec.h"

#include <array>
#include <cerrno>
#include <thread>
#include <utility>

#include <csignal>
#include <fcntl.h>
#include <memory>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inversight {

namespace {

/// Turns the word that all processes share into this one's stop token. Fair, and in time: the
/// workers' own waits look at their token as seldom.
void forwardStop(WorkersShared& shared, std::stop_source& stop) {
    while (shared.stopWord.load() == 0)
        static_cast<void>(
            futexWait(shared.stopWord, 0, LockPolicy::kWaitSliceNs, LockScope::SharedMemory));
    stop.request_stop();
}

std::string readToEnd(int fd) {
    std::string bytes;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = read(fd, buffer.data(), buffer.size());
        if (count > 0)
            bytes.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            return bytes;
    }
}

int waitForProcess(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

} // namespace

Result<void> ProcessWorker::start() {
    const auto failed = [this] {
        return std::unexpected(
            Error::fromErrno(errno, fmt::format("worker {} could not be made", spec().name)));
    };
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return failed();
    in_ = UniqueFd(ends[0]);
    UniqueFd out(ends[1]);
    const pid_t engine = getpid();
    process_ = fork();
    if (process_ < 0) {
        process_ = 0;
        return failed();
    }
    if (process_ > 0)
        return {};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != engine) // it died before the line above
        _exit(1);
    live(std::move(out));
}

/// In the new process, whose only thread this is: the engine's other threads do not exist here, and
/// no destructor of theirs may run.
void ProcessWorker::live(UniqueFd out) {
    WorkerEnvironment& own = environment();
    own.tgid = getpid();
    own.stop.swap(
        *std::make_unique<std::stop_source>()); // on the stack GCC 12 takes it for uninitialized
    own.resources.announce(own.tgid, own.markers);
    std::jthread stopForwarder([&own] { forwardStop(*own.shared, own.stop); });
    const std::string bytes = encodeFigures(work());
    const auto written = writeAll(out.get(), std::as_bytes(std::span(bytes)), "the engine's pipe");
    _exit(written ? 0 : 1);
}

/// Locks of memory are not inherited, and the first write to each page would be a fault.
void ProcessWorker::onReady() {
    lockedMemory_.emplace();
}

void ProcessWorker::join() {
    const pid_t process = std::exchange(process_, 0);
    if (process == 0)
        return;
    const std::string bytes = readToEnd(in_.get());
    const int status = waitForProcess(process);
    Result<ThreadFigures> figures = decodeFigures(bytes);
    if (figures && status == 0) {
        setFigures(*std::move(figures));
        return;
    }
    ThreadFigures none;
    none.failure = Error{ErrorCode::Io,
                         fmt::format("worker {} died without its figures ({} {})", spec().name,
                                     WIFSIGNALED(status) ? "signal" : "exit code",
                                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status))};
    setFigures(std::move(none));
}

} // namespace inversight
