// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "app/cli/policy_run.h"
#include "trace/export/json_document.h"

#include <span>

namespace inversight {

/// The whole of `inversight run` as a JSON document (resources/schema/run.schema.json).
[[nodiscard]] JsonDocument runDocument(const RunPlan& plan, std::span<const PolicyRun> runs);

/// What is about to be run, as the fields of a `plan` line of the child protocol.
[[nodiscard]] Json runPlanFields(const RunPlan& plan);

} // namespace inversight
