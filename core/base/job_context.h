// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace inversight {

/// How far a long job is. `total` 0 means unknown.
struct Progress {
    std::string_view phase;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

/// Passed to every long job: how to stop it and whom to tell about its progress.
///
/// Copyable and cheap. `report` may be called from any thread; the callback given by the creator
/// must then be thread-safe. A default-made context never stops and tells nobody.
class JobContext {
public:
    using ProgressCallback = std::function<void(const Progress&)>;

    JobContext() = default;
    explicit JobContext(std::stop_token stop, ProgressCallback callback = {})
        : stop_(std::move(stop)), callback_(std::move(callback)) {}

    [[nodiscard]] bool cancelled() const { return stop_.stop_requested(); }
    [[nodiscard]] std::stop_token stopToken() const { return stop_; }
    void report(const Progress& progress) const;

    /// An error of code Cancelled once the job was asked to stop: `TRY(job.check("loading"))`.
    [[nodiscard]] Result<void> check(std::string_view phase) const;

private:
    std::stop_token stop_;
    ProgressCallback callback_;
};

} // namespace inversight
