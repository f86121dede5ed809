// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_source.h"

#include "trace/decode/text_graph.h"
#include "trace/decode/text_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace inversight {

namespace {

/// Texts seldom say their clock. Kernels write ns as seconds with a point, only ticks without;
/// trace-cmd report writes clocks it does not know without point, and most of those are ns.
ClockDomain clockOf(const TextSurvey& survey, const TextDialect& dialect) {
    ClockDomain clock;
    const bool whole = survey.wholeTimeCount > 0 && survey.wholeTimeCount == survey.eventCount;
    if (whole && dialect.wholeTimesAreTicks)
        clock.unit = ClockUnit::Ticks;
    return clock;
}

SourceInfo describe(const RecordStore& records, const TextSurvey& survey,
                    const TextDialect& dialect) {
    SourceInfo info;
    info.path = records.path();
    info.format = dialect.format;
    info.compression = "none";
    info.longSize = 0; // a text has none of these
    info.pageSize = 0;
    info.cpuCount = survey.cpuCount;
    for (const TextBuffer& buffer : survey.buffers)
        info.streams.push_back(
            {std::string(buffer.name), clockOf(survey, dialect), survey.cpuCount});
    return info;
}

} // namespace

TextSource::TextSource(std::shared_ptr<const RecordStore> records, const TextDialect& dialect,
                       TextSurvey survey)
    : records_(std::move(records)), dialect_(dialect), survey_(std::move(survey)),
      info_(describe(*records_, survey_, dialect)) {}

Result<std::unique_ptr<TraceSource>> TextSource::create(std::shared_ptr<const RecordStore> records,
                                                        const TextDialect& dialect,
                                                        const JobContext& job,
                                                        std::size_t chunkBytes) {
    TRY(records->checkSize());
    TextSurvey survey = TRY(surveyText(*records, dialect, chunkBytes, job));
    if (survey.eventCount > 0 || !survey.unparsed)
        return std::unique_ptr<TraceSource>(
            new TextSource(std::move(records), dialect, std::move(survey)));
    if (std::optional<Error> known = refuseText(*records))
        return std::unexpected(*std::move(known));
    return std::unexpected(Error{
        ErrorCode::Unsupported,
        fmt::format("{} without a single event: line {} is \"{}\", expected {}", dialect.format,
                    survey.unparsed->line, survey.unparsed->text, kExpectedTextLine),
        records->path(), "save the whole output of the tool that wrote it"});
}

std::vector<StreamId> TextSource::streams() const {
    std::vector<StreamId> ids;
    for (std::size_t index = 0; index < survey_.buffers.size(); ++index)
        ids.push_back(StreamId{static_cast<std::uint16_t>(index)});
    return ids;
}

Result<std::string> TextSource::text(RecordRef record) const {
    const std::string_view all = textOf(*records_);
    std::string_view line;
    TextLine event;
    LineReader lines(all, std::min<std::size_t>(record.offset, all.size()));
    if (!lines.next(line) ||
        !(dialect_.graph ? parseGraphLine(line, event) : parseTextLine(line, event)))
        return std::unexpected(Error{ErrorCode::Corrupt, "expected an event's line",
                                     fmt::format("{}, offset {}", info_.path, record.offset)});
    return std::string(event.body);
}

Result<LoadReport> TextSource::load(StreamId stream, EventSink& sink, const JobContext& job) {
    if (stream.index() >= survey_.buffers.size())
        return std::unexpected(Error{ErrorCode::NotFound,
                                     fmt::format("there is no stream {}, the file has {}",
                                                 stream.value, survey_.buffers.size()),
                                     info_.path});
    TRY(records_->checkSize());
    TextLoader loader(*records_, dialect_, survey_, stream.index());
    loader.declare(info_.streams[stream.index()], sink);
    TRY(loader.read(job));
    return loader.report();
}

} // namespace inversight
