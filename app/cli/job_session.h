// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/option_words.h"
#include "app/cli/verb.h"
#include "trace/export/json_document.h"

#include <functional>
#include <memory>

namespace inversight {

/// What a verb that runs long has around it: whom it tells, who may stop it. The session makes the
/// protocol's frame, so that a verb cannot forget it: hello first; last either the result or the
/// error; and it waits until the reader has that.
class JobSession {
public:
    /// `instance`: the tracefs instance to announce. Make it before any other thread.
    [[nodiscard]] static Result<JobSession> begin(const JobOptions& options,
                                                  const std::optional<std::string>& instance);

    /// Calls `job`; prints or sends its error.
    [[nodiscard]] Result<ExitCode> run(const std::function<Result<ExitCode>()>& job);

    /// Prints the result in the form the options ask for. The text of a run that was printed piece
    /// by piece may be empty.
    void deliver(const JsonDocument& document, const std::string& text);

    [[nodiscard]] const StopControl& stop() const { return *stop_; }
    [[nodiscard]] JobReporter& reporter() { return *reporter_; }
    /// Text of a part that is ready before the whole, at once.
    void show(const std::string& text);
    /// True when text for a person may go to standard output.
    [[nodiscard]] bool textWanted() const;

private:
    JobOptions options_;
    std::unique_ptr<StopControl> stop_;
    std::unique_ptr<JobReporter> reporter_;
};

/// The name a recording's tracefs instance will have in this process.
[[nodiscard]] std::optional<std::string> ownInstanceName();

} // namespace inversight
