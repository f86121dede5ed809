// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/job_reporter.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

namespace inversight {

inline constexpr int kProtocolVersion = 1;

/// Writes the child protocol, version 1 (resources/schema/protocol.schema.json): one JSON object
/// per line, `type` in hello, plan, progress, warning, result, error.
///
/// Lines go through a queue to a thread of their own, so a reader that is slow, or has stopped
/// reading, never holds up a recording. Of progress lines only the newest waits in the queue; all
/// others are kept in order. A reader that is gone ends the writing, not the job. Thread-safe.
class ProgressWriter final : public JobReporter {
public:
    /// Borrows `fd`.
    explicit ProgressWriter(int fd);
    /// Drops what a reader has not taken within a moment; call finish() to wait.
    ~ProgressWriter() override;

    void hello(const std::optional<std::string>& instance) override;
    void plan(nlohmann::ordered_json plan) override;
    void progress(const JobProgress& progress) override;
    void warning(std::string_view text) override;
    void result(const nlohmann::ordered_json& document) override;
    void error(const Error& error) override;
    void finish(std::stop_token abandon) override;

private:
    struct Line {
        std::string text;
        bool progress = false;
    };
    void send(const nlohmann::ordered_json& object, bool progress);
    void writeLoop();
    /// False when the reader is gone or the writer was told to give up.
    [[nodiscard]] bool writeLine(const std::string& text);

    int fd_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Line> lines_;
    bool closed_ = false; ///< no more lines will come
    bool idle_ = true;    ///< nothing queued and nothing half written
    bool readerGone_ = false;
    std::atomic<bool> giveUp_{false};
    std::thread thread_;
};

} // namespace inversight
