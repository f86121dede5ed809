// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Any bytes through the text path into a store. libFuzzer's entry point; build with
// -fsanitize=fuzzer,address.
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_source.h"
#include "trace/file/record_store.h"
#include "trace/model/trace_store_builder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace inversight;

void load(const std::shared_ptr<const RecordStore>& records, const TextDialect& dialect,
          std::size_t chunkBytes) {
    auto source = TextSource::create(records, dialect, {}, chunkBytes);
    if (!source)
        return;
    TraceStoreBuilder builder;
    for (const StreamId stream : (*source)->streams()) {
        if (!(*source)->load(stream, builder, {}))
            return;
    }
    (void)std::move(builder).finish({});
}

} // namespace

/// The first byte chooses the dialect and whether the text, which is the rest, is cut into chunks.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const TextDialect& dialect = textDialects()[data[0] % kMostDialects];
    const auto records = RecordStore::fromBytes(
        std::string(reinterpret_cast<const char*>(data + 1), size - 1), "fuzz");
    (void)findTextDialect(withoutByteOrderMark(textOf(*records)));
    (void)refuseText(*records);
    load(records, dialect, data[0] / kMostDialects % 2 == 0 ? kTextChunkBytes : 200);
    return 0;
}
