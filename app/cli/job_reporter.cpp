// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "app/cli/job_reporter.h"

#include "app/cli/progress_writer.h"
#include "app/cli/terminal_progress.h"

#include <unistd.h>

namespace inversight {

std::unique_ptr<JobReporter> makeJobReporter(ProgressStyle style) {
    if (style == ProgressStyle::Json)
        return std::make_unique<ProgressWriter>(STDOUT_FILENO);
    return std::make_unique<TerminalProgress>();
}

} // namespace inversight
