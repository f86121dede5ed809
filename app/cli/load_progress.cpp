// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/load_progress.h"

namespace inversight {

JobContext reportingContext(JobReporter& reporter, std::stop_token stop,
                            const std::string& policy) {
    return JobContext(std::move(stop), [&reporter, policy](const Progress& progress) {
        JobProgress state;
        state.phase = progress.phase;
        state.policy = policy;
        state.done = progress.done;
        state.total = progress.total;
        reporter.progress(state);
    });
}

} // namespace inversight
