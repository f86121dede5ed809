// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_cursor.h"
#include "trace/file/dat_file.h"

namespace inversight {

/// Reads the container of version 6 into `file`, whose records are set. `cursor` stands behind the
/// version text. Source of the layout: trace-cmd.dat.v6(5).
[[nodiscard]] Result<void> readDatV6(ByteCursor& cursor, DatFile& file);

} // namespace inversight
