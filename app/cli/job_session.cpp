// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/job_session.h"

#include "app/cli/output.h"
#include "trace/record/instance_name.h"

#include <cstdio>

namespace inversight {

Result<JobSession> JobSession::begin(const JobOptions& options,
                                     const std::optional<std::string>& instance) {
    JobSession session;
    session.options_ = options;
    session.stop_ = TRY(StopControl::create(options.control));
    session.reporter_ = makeJobReporter(options.progress);
    session.reporter_->hello(instance);
    return session;
}

Result<ExitCode> JobSession::run(const std::function<Result<ExitCode>()>& job) {
    auto result = job();
    if (!result)
        reporter_->error(result.error());
    reporter_->finish(stop_->abandonToken());
    return result;
}

void JobSession::deliver(const JsonDocument& document, const std::string& text) {
    reporter_->result(document.toJson());
    if (options_.progress == ProgressStyle::Json)
        return;
    reporter_->finish(stop_->abandonToken()); // the progress line, before the result's text
    print(options_.format == "json" ? document.toText() : text);
}

void JobSession::show(const std::string& text) {
    reporter_->finish(stop_->abandonToken()); // the progress line
    print(text);
    std::fflush(stdout);
}

bool JobSession::textWanted() const {
    return options_.progress == ProgressStyle::Terminal && options_.format == "text";
}

std::optional<std::string> ownInstanceName() {
    const auto self = thisProcess();
    return self ? std::optional(instanceName(*self)) : std::nullopt;
}

} // namespace inversight
