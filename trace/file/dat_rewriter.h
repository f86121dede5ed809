// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/file/dat_file.h"
#include "trace/file/trace_dat_writer.h"

namespace inversight {

/// What a writer needs to write the same file again. Options that lead to places in the file, and
/// those nobody here knows, are left out.
[[nodiscard]] TraceMetadata metadataOf(const DatFile& file);

/// Writes what was read, page for page, as a file of the given form: losses, padding and times stay
/// as the kernel wrote them. Errors are those of writeTraceDat(), and Corrupt where a chunk of the
/// file is damaged. Reentrant.
[[nodiscard]] Result<void> rewriteDat(const DatFile& file, const DatForm& form,
                                      const JobContext& job, std::ostream& out);

} // namespace inversight
