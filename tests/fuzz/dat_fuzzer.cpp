// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Any bytes as a trace.dat, read as the application reads a file: the container, every page of
// every stream, the finished store, and records found again by their reference.
#include "trace/decode/page_source.h"
#include "trace/file/dat_file.h"
#include "trace/model/trace_store_builder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace inversight {

namespace {

void load(const std::shared_ptr<const RecordStore>& records) {
    Result<DatFile> file = readDat(records);
    if (!file)
        return;
    const ByteOrder order = file->order;
    const Result<std::unique_ptr<TraceSource>> source = PageSource::create(*std::move(file));
    if (!source)
        return;
    for (const StreamId stream : (*source)->streams()) {
        TraceStoreBuilder builder;
        const JobContext job;
        if (!(*source)->load(stream, builder, job))
            continue;
        const auto store = std::move(builder).finish(job);
        (void)store;
    }
    // References that no event had must be refused, not followed.
    for (std::uint64_t offset = 0; offset < records->bytes().size() + 4096; offset += 509)
        (void)records->record(order, offset);
}

} // namespace

} // namespace inversight

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    inversight::load(inversight::RecordStore::fromBytes(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz"));
    return 0;
}
