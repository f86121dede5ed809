// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/job_reporter.h"

#include <chrono>
#include <mutex>

namespace inversight {

/// Progress for a person: one line of standard error that is written over, and only if that is a
/// terminal; warnings always. Results and errors are the verb's to print. Thread-safe.
class TerminalProgress final : public JobReporter {
public:
    TerminalProgress();
    ~TerminalProgress() override;

    void hello(const std::optional<std::string>&) override {}
    void plan(nlohmann::ordered_json) override {}
    void progress(const JobProgress& progress) override;
    void warning(std::string_view text) override;
    void result(const nlohmann::ordered_json&) override {}
    void error(const Error&) override {}
    void finish(std::stop_token) override;

private:
    void clearLine();

    std::mutex mutex_;
    bool terminal_ = false;
    bool lineShown_ = false;
    std::chrono::steady_clock::time_point lastShown_{};
};

} // namespace inversight
