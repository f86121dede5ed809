// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace inversight {

/// A state of a long job. Fields that a phase does not know stay empty.
struct JobProgress {
    std::string phase;  ///< "run", "record", "load", "analyze"
    std::string policy; ///< of a run
    std::uint64_t done = 0;
    std::uint64_t total = 0; ///< 0 = unknown
    std::optional<std::uint64_t> operations;
    std::optional<std::int64_t> maxLatencyNs;
    std::optional<std::uint64_t> events;
    std::optional<std::uint64_t> lost;
};

/// Whom a long job tells what it does. None of the calls ever waits for a reader, so a job may
/// report from where it records. Thread-safe.
class JobReporter {
public:
    virtual ~JobReporter() = default;
    /// The first line. `instance`: the tracefs instance this process will use, if any.
    virtual void hello(const std::optional<std::string>& instance) = 0;
    virtual void plan(nlohmann::ordered_json plan) = 0;
    virtual void progress(const JobProgress& progress) = 0;
    virtual void warning(std::string_view text) = 0;
    virtual void result(const nlohmann::ordered_json& document) = 0;
    virtual void error(const Error& error) = 0;
    /// Waits until all that matters is delivered, the reader is gone, or `abandon` is requested.
    virtual void finish(std::stop_token abandon) = 0;
};

/// How a job reports: the child protocol on standard output, or for a person on standard error.
enum class ProgressStyle { Terminal, Json };
[[nodiscard]] std::unique_ptr<JobReporter> makeJobReporter(ProgressStyle style);

} // namespace inversight
