// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/dat_file.h"

namespace inversight {

/// Leaves of every CPU's data the whole pages that are inside the file, and reads the chunk tables
/// of compressed ones. What is missing is a warning and makes the file incomplete. Corrupt where
/// CPUs share bytes: that would let a small file claim any amount of work.
[[nodiscard]] Result<void> limitToFile(DatFile& file);

} // namespace inversight
