// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/file/record_store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace inversight {

/// How a file as a whole is compressed, by its first bytes; trace.dat's own compression, of parts,
/// is not meant.
enum class WholeCompression {
    None,
    Gzip,
    Zstd,
    Xz,
    Atrace, ///< "TRACE:", a newline, a zlib stream: atrace -z
};
[[nodiscard]] WholeCompression wholeCompressionOf(std::span<const std::byte> bytes);
/// "gzip"
[[nodiscard]] const char* wholeCompressionName(WholeCompression compression);

/// What an unpacked file may need. A few bytes can be made to unpack to terabytes: a file is
/// refused when it has become both larger than `freeBytes` and more than `ratio` times what it was,
/// or larger than `mostBytes`. Traces that were recorded unpack to 5 to 130 times their size.
struct UnpackLimits {
    std::uint64_t freeBytes = std::uint64_t{256} << 20;
    std::uint64_t ratio = 300;
    std::uint64_t mostBytes = std::uint64_t{64} << 30;
};

struct UnpackedFile {
    std::shared_ptr<const RecordStore> records;
    std::optional<Error> damage; ///< why nothing after `records` could be unpacked
};

/// Unpacks into an unlinked file in the folder for temporary files ($TMPDIR) and maps that. What
/// was unpacked before damage or a cut is kept. Unsupported beyond the limits, Corrupt if not even
/// the begin can be unpacked, Cancelled when the job was stopped.
[[nodiscard]] Result<UnpackedFile> unpackWholeFile(const RecordStore& packed, const JobContext& job,
                                                   const UnpackLimits& limits = {});

} // namespace inversight
