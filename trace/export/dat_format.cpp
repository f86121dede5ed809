// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/dat_format.h"

#include "trace/file/dat_rewriter.h"

namespace inversight {

namespace {

Result<void> writeAs(const DatForm& form, const LoadedTrace& trace, const JobContext& job,
                     std::ostream& out) {
    const DatFile* file = trace.source == nullptr ? nullptr : trace.source->pages();
    if (file == nullptr)
        return std::unexpected(Error{ErrorCode::Unavailable,
                                     "only a trace.dat holds the pages that another one is made of",
                                     trace.info.path, "export it as text"});
    return rewriteDat(*file, form, job, out);
}

} // namespace

Result<void> writeTraceDat6(const LoadedTrace& trace, const JobContext& job, std::ostream& out) {
    return writeAs({.version = 6, .compression = Compression::None}, trace, job, out);
}

Result<void> writeTraceDat7(const LoadedTrace& trace, const JobContext& job, std::ostream& out) {
    return writeAs({.version = 7, .compression = Compression::Zstd}, trace, job, out);
}

} // namespace inversight
