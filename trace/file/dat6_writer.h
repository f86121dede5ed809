// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/dat_output.h"

namespace inversight {

/// What writeTraceDat() does for version 6.
[[nodiscard]] Result<void> writeDatV6(const TraceMetadata& metadata,
                                      std::span<const BufferToWrite> buffers, DatOutput& out);

} // namespace inversight
