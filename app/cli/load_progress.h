// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/job_reporter.h"
#include "core/base/job_context.h"

#include <string>

namespace inversight {

/// A context for work on a file that tells `reporter`, which must outlive it, how far it is.
/// `policy` says of which run; empty for none.
[[nodiscard]] JobContext reportingContext(JobReporter& reporter, std::stop_token stop,
                                          const std::string& policy = {});

} // namespace inversight
