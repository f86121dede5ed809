// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/workload/json_reader.h"
#include "core/workload/scenario.h"

namespace inversight {

/// Changes the document itself, so that what is recorded as the scenario is what ran. `document`
/// must be valid (readWorkload); afterwards it need not be, so it is to be read again.
[[nodiscard]] Result<void> applyOverrides(Json& document, const ScenarioOverrides& overrides);

} // namespace inversight
