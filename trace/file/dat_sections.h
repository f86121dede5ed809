// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_cursor.h"
#include "trace/file/dat_file.h"

#include <cstdint>
#include <string_view>

namespace inversight {

/// The parts of a trace.dat whose bytes are the same in both versions: in version 6 they follow
/// each other, in version 7 each is a section. Every function reads one part at the cursor into
/// `file`. Thread-bound.
class DatSections {
public:
    DatSections(ByteCursor& cursor, DatFile& file) : cursor_(cursor), file_(file) {}

    /// Byte order, size of a long, page size.
    [[nodiscard]] Result<void> readInitial();
    /// header_page and header_event.
    [[nodiscard]] Result<void> readHeaders();
    [[nodiscard]] Result<void> readFtraceFormats();
    [[nodiscard]] Result<void> readEventFormats();
    [[nodiscard]] Result<void> readKallsyms();
    [[nodiscard]] Result<void> readPrintkFormats();
    [[nodiscard]] Result<void> readSavedCmdlines();

private:
    [[nodiscard]] Result<void> readFormats(std::string_view system, std::uint32_t count);

    ByteCursor& cursor_;
    DatFile& file_;
};

} // namespace inversight
