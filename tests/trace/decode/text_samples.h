// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "collecting_sink.h"
#include "core/base/job_context.h"
#include "trace/decode/trace_source.h"

#include <memory>
#include <string>

/// Texts in memory, on their way through openTraceSource().
namespace inversight::test {

/// What came of a text, or why nothing did.
struct LoadedText {
    SourceInfo info;
    LoadReport report;
    CollectingSink sink;

    [[nodiscard]] const CollectedEvent& event(int cpu, std::size_t index) const {
        return sink.events(StreamId{0}, cpu).at(index);
    }
    [[nodiscard]] std::size_t count(int cpu) const { return sink.events(StreamId{0}, cpu).size(); }
};

/// Loads all streams; a failure fails the test.
[[nodiscard]] std::unique_ptr<LoadedText> loadText(const std::string& text);
[[nodiscard]] std::unique_ptr<LoadedText> loadTextFile(const std::string& path);
/// The error of a text that cannot be opened.
[[nodiscard]] Error refusedText(const std::string& text);
/// The same text as a store.
[[nodiscard]] std::shared_ptr<const TraceStore> storeOf(const std::string& text);
/// The name the store has for a thread, "" without one.
[[nodiscard]] std::string nameOf(const TraceStore& store, std::int32_t tid);

} // namespace inversight::test
