// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/stop_control.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace inversight {

namespace {

constexpr std::size_t kMaxControlLine = 256;

sigset_t watchedSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    struct sigaction hangup{};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN)
        sigaddset(&set, SIGHUP);
    return set;
}

void raiseEvent(const UniqueFd& event) {
    const std::uint64_t one = 1;
    // An eventfd refuses only when its counter is full, and then it is readable anyway.
    [[maybe_unused]] const auto written = write(event.get(), &one, sizeof one);
}

} // namespace

Result<std::unique_ptr<StopControl>> StopControl::create(ControlInput input) {
    std::unique_ptr<StopControl> control(new StopControl);
    const sigset_t set = watchedSignals();
    control->signals_ = UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    control->stopEvent_ = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    control->endEvent_ = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!control->signals_ || !control->stopEvent_ || !control->endEvent_)
        return std::unexpected(Error::fromErrno(errno, "cannot watch for signals"));
    pthread_sigmask(SIG_BLOCK, &set, &control->previousMask_);
    control->thread_ = std::thread([raw = control.get(), input] { raw->watch(input); });
    return control;
}

StopControl::~StopControl() {
    if (!thread_.joinable())
        return;
    raiseEvent(endEvent_);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &previousMask_, nullptr);
}

void StopControl::watch(ControlInput input) {
    std::array<pollfd, 3> fds{{{endEvent_.get(), POLLIN, 0},
                               {signals_.get(), POLLIN, 0},
                               {input == ControlInput::Stdin ? STDIN_FILENO : -1, POLLIN, 0}}};
    for (;;) {
        if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR)
            return;
        if (fds[0].revents != 0)
            return;
        if (fds[1].revents != 0)
            onSignal();
        if (fds[2].revents != 0 && !readControl())
            fds[2].fd = -1;
    }
}

void StopControl::onSignal() {
    signalfd_siginfo info{};
    while (read(signals_.get(), &info, sizeof info) == sizeof info) {
        if (cause_.load() == StopCause::Signal)
            abandon_.request_stop();
        request(StopCause::Signal);
    }
}

bool StopControl::readControl() {
    std::array<char, 256> bytes{};
    const auto count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (count <= 0) {
        request(StopCause::Control);
        return false;
    }
    pendingLine_.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end; (end = pendingLine_.find('\n')) != std::string::npos;) {
        std::string_view line(pendingLine_.data(), end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line == "stop")
            request(StopCause::Control);
        pendingLine_.erase(0, end + 1);
    }
    if (pendingLine_.size() > kMaxControlLine)
        pendingLine_.resize(kMaxControlLine); // no command is that long
    return true;
}

void StopControl::request(StopCause cause) {
    // A signal outranks the control line: it is what the exit status must tell.
    if (cause == StopCause::Signal || cause_.load() == StopCause::None)
        cause_.store(cause);
    stop_.request_stop();
    raiseEvent(stopEvent_);
}

} // namespace inversight
