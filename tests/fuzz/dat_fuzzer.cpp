// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
// Any bytes as a trace.dat, read as the application reads a file: the container, every page of
// every stream, the finished store, and records found again by their reference; and what can be
// read can be written, read and written again.
#include "trace/decode/page_source.h"
#include "trace/file/dat_rewriter.h"
#include "trace/model/trace_store_builder.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

namespace inversight {

namespace {

std::string rewritten(const DatFile& file, const DatForm& form) {
    std::ostringstream out;
    return rewriteDat(file, form, JobContext(), out) ? out.str() : std::string();
}

void rewrite(const DatFile& file, const DatForm& form) {
    if (!file.latencyText.empty())
        return;
    const std::string bytes = rewritten(file, form);
    if (bytes.empty()) // a damaged chunk, or what version 6 cannot say
        return;
    const Result<DatFile> again = readDat(RecordStore::fromBytes(bytes, "again"));
    if (!again || rewritten(*again, form) != bytes)
        std::abort();
}

void load(const std::shared_ptr<const RecordStore>& records) {
    Result<DatFile> file = readDat(records);
    if (!file)
        return;
    rewrite(*file, {.version = 6, .compression = Compression::None});
    rewrite(*file, {.version = 7, .compression = Compression::Zstd});
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
