// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_cursor.h"
#include "trace/file/dat_file.h"

namespace inversight {

/// Reads the container of version 7 into `file`, whose records are set. `cursor` stands behind the
/// version text. Source of the layout: trace-cmd.dat.v7(5).
///
/// Without header_page nothing can be read. Whatever else is damaged or missing is a warning and
/// makes the file incomplete; where the options cannot be found, which is how a recorder that died
/// leaves its file, the sections are looked for one behind the other.
[[nodiscard]] Result<void> readDatV7(ByteCursor& cursor, DatFile& file);

} // namespace inversight
