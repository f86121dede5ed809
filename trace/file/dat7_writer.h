// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/dat_output.h"

namespace inversight {

/// What writeTraceDat() does for version 7.
[[nodiscard]] Result<void> writeDatV7(const TraceMetadata& metadata,
                                      std::span<const BufferToWrite> buffers,
                                      Compression compression, DatOutput& out);

} // namespace inversight
