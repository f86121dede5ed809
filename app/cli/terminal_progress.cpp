// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/terminal_progress.h"

#include "core/base/time_format.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace inversight {

namespace {

constexpr std::chrono::milliseconds kBetweenLines{100};

std::string progressLine(const JobProgress& progress) {
    std::string line = progress.phase;
    if (!progress.policy.empty())
        line += " " + progress.policy;
    if (progress.total > 0)
        line += fmt::format(": {} %", 100 * progress.done / progress.total);
    if (progress.operations)
        line += fmt::format(", {} operations", *progress.operations);
    if (progress.maxLatencyNs && *progress.maxLatencyNs > 0)
        line += ", longest " + formatDuration(*progress.maxLatencyNs);
    if (progress.events)
        line += fmt::format(", {} events", *progress.events);
    if (progress.lost && *progress.lost > 0)
        line += fmt::format(", {} LOST", *progress.lost);
    return line;
}

} // namespace

TerminalProgress::TerminalProgress() : terminal_(isatty(STDERR_FILENO) == 1) {}

TerminalProgress::~TerminalProgress() {
    clearLine();
}

void TerminalProgress::progress(const JobProgress& progress) {
    if (!terminal_)
        return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (lineShown_ && now - lastShown_ < kBetweenLines)
        return;
    lastShown_ = now;
    fmt::print(stderr, "\r{}\x1b[K", progressLine(progress));
    std::fflush(stderr);
    lineShown_ = true;
}

void TerminalProgress::warning(std::string_view text) {
    const std::lock_guard lock(mutex_);
    clearLine();
    fmt::print(stderr, "inversight: warning: {}\n", text);
}

void TerminalProgress::finish(std::stop_token) {
    const std::lock_guard lock(mutex_);
    clearLine();
}

void TerminalProgress::clearLine() {
    if (lineShown_)
        fmt::print(stderr, "\r\x1b[K");
    lineShown_ = false;
}

} // namespace inversight
