// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/source_formats.h"

#include "trace/decode/page_source.h"
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_source.h"
#include "trace/file/dat_file.h"

#include <array>
#include <utility>

namespace inversight {

namespace {

bool looksLikeTraceDat(std::span<const std::byte> bytes) {
    return looksLikeDat(bytes);
}

Result<std::unique_ptr<TraceSource>> createPages(std::shared_ptr<const RecordStore> records,
                                                 const JobContext&) {
    return PageSource::create(TRY(readDat(std::move(records))));
}

/// A text of one dialect: the dialects are a table of their own.
template <std::size_t dialect>
bool looksLikeText(std::span<const std::byte> bytes) {
    const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    return textDialects()[dialect].looksLike(withoutByteOrderMark(text));
}

template <std::size_t dialect>
Result<std::unique_ptr<TraceSource>> createText(std::shared_ptr<const RecordStore> records,
                                                const JobContext& job) {
    return TextSource::create(std::move(records), textDialects()[dialect], job);
}

template <std::size_t dialect>
SourceFormat textFormat() {
    return {textDialects()[dialect].format, textDialects()[dialect].lookedFor,
            looksLikeText<dialect>, createText<dialect>};
}

template <std::size_t... dialect>
auto allFormats(std::index_sequence<dialect...>) {
    return std::to_array<SourceFormat>(
        {{"trace.dat", "the bytes 17 08 44 \"tracing\"", looksLikeTraceDat, createPages},
         textFormat<dialect>()...});
}

} // namespace

std::span<const SourceFormat> sourceFormats() {
    static const auto formats = allFormats(std::make_index_sequence<kMostDialects>());
    return formats;
}

} // namespace inversight
