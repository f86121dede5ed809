// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/trace_dat_writer.h"

#include "trace/file/dat6_writer.h"
#include "trace/file/dat7_writer.h"

#include <cassert>

namespace inversight {

Result<void> writeTraceDat(const TraceMetadata& metadata, std::span<const BufferToWrite> buffers,
                           const DatForm& form, const JobContext& job, std::ostream& out) {
    assert(!buffers.empty() && buffers.front().name.empty());
    assert(form.version == 7 || (form.version == 6 && form.compression == Compression::None));
    DatOutput output(out, job);
    TRY(form.version == 6 ? writeDatV6(metadata, buffers, output)
                          : writeDatV7(metadata, buffers, form.compression, output));
    return output.finish();
}

} // namespace inversight
