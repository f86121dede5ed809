// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_file.h"

#include "trace/file/byte_cursor.h"
#include "trace/file/dat_v6.h"
#include "trace/file/dat_v7.h"

#include <fmt/format.h>

#include <cstring>

namespace inversight {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x17\x08\x44tracing"sv;

Result<void> readContainer(DatFile& file) {
    ByteCursor cursor(file.records->bytes());
    cursor.enter("magic");
    TRY(cursor.expect(kMagic, "the bytes 17 08 44 \"tracing\""));
    cursor.enter("version");
    const std::string_view version = TRY(cursor.terminatedText("the file's version"));
    if (version != "6" && version != "7")
        return std::unexpected(
            Error{ErrorCode::Unsupported,
                  fmt::format("trace.dat version \"{}\" is unknown, versions 6 and 7 can be read",
                              version.substr(0, 16)),
                  file.records->path()});
    file.version = version == "6" ? 6 : 7;
    return file.version == 6 ? readDatV6(cursor, file) : readDatV7(cursor, file);
}

} // namespace

bool looksLikeDat(std::span<const std::byte> bytes) {
    return bytes.size() >= kMagic.size() &&
           std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<DatFile> readDat(std::shared_ptr<const RecordStore> records) {
    DatFile file;
    file.records = std::move(records);
    Result<void> result = readContainer(file);
    if (result)
        return file;
    Error error = std::move(result).error();
    const std::string& path = file.records->path();
    if (error.where != path)
        error.where = path + ", " + error.where;
    if (error.code == ErrorCode::Truncated && error.remedy.empty())
        error.remedy = "if this recording was interrupted and its per-CPU files are still there, "
                       "trace-cmd restore makes a whole file of them";
    return std::unexpected(std::move(error));
}

} // namespace inversight
