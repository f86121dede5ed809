// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "trace/decode/text_survey.h"
#include "trace/decode/trace_source.h"
#include "trace/file/record_store.h"

#include <memory>
#include <string_view>
#include <vector>

namespace inversight {

/// A trace written as text: by ftrace itself, trace-cmd report, perf script, systrace, or a
/// console. EventHeader::offset is where the event's line begins. Thread-bound.
///
///     auto source = TRY(TextSource::create(records, *findTextDialect(text), job));
///
/// create() looks at every line once, so that info() is exact and load() can declare CPUs, types
/// and names before the first event; load() then reads the bodies. Both read several chunks at the
/// same time, are linear in the text, allocate nothing per line and say every MiB how far they are.
/// What is loaded does not depend on the size of the chunks.
class TextSource final : public TraceSource {
public:
    /// Unsupported if there are lines, but no event among them: the error shows the first and says
    /// what was expected. Cancelled when the job was stopped.
    [[nodiscard]] static Result<std::unique_ptr<TraceSource>>
    create(std::shared_ptr<const RecordStore> records, const TextDialect& dialect,
           const JobContext& job, std::size_t chunkBytes = kTextChunkBytes);

    [[nodiscard]] const SourceInfo& info() const override { return info_; }
    [[nodiscard]] std::vector<StreamId> streams() const override;
    [[nodiscard]] Result<LoadReport> load(StreamId stream, EventSink& sink,
                                          const JobContext& job) override;
    /// What the event's line says behind the event's name. Corrupt if no event's line begins there.
    [[nodiscard]] Result<std::string> text(RecordRef record) const override;

private:
    TextSource(std::shared_ptr<const RecordStore> records, const TextDialect& dialect,
               TextSurvey survey);

    std::shared_ptr<const RecordStore> records_;
    const TextDialect& dialect_;
    TextSurvey survey_;
    SourceInfo info_;
};

} // namespace inversight
