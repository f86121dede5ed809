// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "text_samples.h"

#include "trace/model/trace_store_builder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace inversight::test {

namespace {

std::unique_ptr<LoadedText> load(Result<std::unique_ptr<TraceSource>> source) {
    auto loaded = std::make_unique<LoadedText>();
    if (!source) {
        ADD_FAILURE() << source.error().sentence();
        return loaded;
    }
    for (const StreamId stream : (*source)->streams()) {
        auto report = (*source)->load(stream, loaded->sink, {});
        if (!report) {
            ADD_FAILURE() << report.error().sentence();
            continue;
        }
        loaded->report.complete &= report->complete;
        std::ranges::move(report->warnings, std::back_inserter(loaded->report.warnings));
        if (report->manifest)
            loaded->report.manifest = std::move(report->manifest);
    }
    loaded->info = (*source)->info();
    return loaded;
}

} // namespace

std::unique_ptr<LoadedText> loadText(const std::string& text) {
    return load(openTraceSource(RecordStore::fromBytes(text, "sample")));
}

std::unique_ptr<LoadedText> loadTextFile(const std::string& path) {
    return load(openTraceSource(path));
}

Error refusedText(const std::string& text) {
    auto source = openTraceSource(RecordStore::fromBytes(text, "sample"));
    if (!source)
        return source.error();
    ADD_FAILURE() << "was opened as " << (*source)->info().format;
    return {};
}

std::shared_ptr<const TraceStore> storeOf(const std::string& text) {
    auto source = openTraceSource(RecordStore::fromBytes(text, "sample"));
    TraceStoreBuilder builder;
    if (!source || !(*source)->load(StreamId{0}, builder, {}))
        ADD_FAILURE() << "cannot be loaded";
    auto store = std::move(builder).finish({});
    return store ? *store : nullptr;
}

std::string nameOf(const TraceStore& store, std::int32_t tid) {
    for (const ThreadInfo& thread : store.threads().all()) {
        if (thread.tid == tid)
            return std::string(store.text(thread.name));
    }
    return "no such thread";
}

} // namespace inversight::test
