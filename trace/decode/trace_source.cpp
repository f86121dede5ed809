// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/trace_source.h"

#include "trace/decode/source_formats.h"
#include "trace/decode/text_dialect.h"
#include "trace/decode/text_source.h"
#include "trace/file/whole_file_compression.h"
#include "trace/model/trace_store_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace inversight {

namespace {

/// The streams of a file share its event types: declares each once in the store.
class SharedTypesSink final : public EventSink {
public:
    enum class Streams { One, Several };

    SharedTypesSink(EventSink& sink, Streams streams) : sink_(sink), streams_(streams) {}

    StreamId declareStream(const StreamInfo& info) override { return sink_.declareStream(info); }
    EventTypeId declareType(const EventTypeInfo& info) override {
        const auto [place, isNew] =
            ids_.try_emplace({info.rawId, info.system, info.name, info.kind}, EventTypeId{});
        if (isNew)
            place->second = sink_.declareType(info);
        return place->second;
    }
    void nameThread(std::int32_t tid, std::string_view comm) override {
        sink_.nameThread(tid, comm);
    }
    void threadGroup(std::int32_t tid, std::int32_t tgid) override { sink_.threadGroup(tid, tgid); }
    CpuEventSink& cpuSink(StreamId stream, int cpu) override { return sink_.cpuSink(stream, cpu); }
    [[nodiscard]] bool takesParts() const override { return sink_.takesParts(); }
    CpuEventSink& cpuPart(StreamId stream, int cpu) override { return sink_.cpuPart(stream, cpu); }
    /// One stream cannot speak for those that are loaded after it.
    [[nodiscard]] Result<void> settle(std::int64_t time, const JobContext& job) override {
        return streams_ == Streams::One ? sink_.settle(time, job) : Result<void>();
    }

private:
    EventSink& sink_;
    Streams streams_;
    std::map<std::tuple<std::uint16_t, std::string, std::string, EventKind>, EventTypeId> ids_;
};

void addTo(LoadReport& total, LoadReport part) {
    total.complete &= part.complete;
    for (std::string& warning : part.warnings) {
        // What concerns the file as a whole is said by every stream.
        if (std::ranges::find(total.warnings, warning) == total.warnings.end())
            total.warnings.push_back(std::move(warning));
    }
    if (!total.manifest)
        total.manifest = std::move(part.manifest);
}

std::string otherClockWarning(const StreamInfo& stream, const StreamInfo& first) {
    return fmt::format("buffer \"{}\" was left out: its clock is {}, that of buffer \"{}\" is {}",
                       stream.name, stream.clock.name, first.name, first.clock.name);
}

/// Loads what shares the first stream's clock.
Result<LoadReport> loadStreams(TraceSource& source, EventSink& sink, const JobContext& job) {
    LoadReport report;
    const std::vector<StreamInfo>& infos = source.info().streams;
    SharedTypesSink shared(sink, infos.size() == 1 ? SharedTypesSink::Streams::One
                                                   : SharedTypesSink::Streams::Several);
    for (const StreamId stream : source.streams()) {
        const StreamInfo& info = infos[stream.index()];
        if (info.clock == infos.front().clock)
            addTo(report, TRY(source.load(stream, shared, job)));
        else
            report.warnings.push_back(otherClockWarning(info, infos.front()));
    }
    return report;
}

std::string whatWasLookedFor() {
    std::string text = "not a trace this version reads; looked for ";
    for (const SourceFormat& format : sourceFormats())
        text += fmt::format("{} ({}), ", format.name, format.lookedFor);
    return text + "each also compressed with gzip, zstd or xz";
}

Result<std::unique_ptr<TraceSource>> createSource(std::shared_ptr<const RecordStore> records,
                                                  const JobContext& job) {
    if (records->bytes().empty())
        return std::unexpected(Error{ErrorCode::Truncated, "the file is empty", records->path()});
    for (const SourceFormat& format : sourceFormats()) {
        if (format.looksLike(records->bytes()))
            return format.create(std::move(records), job);
    }
    if (std::optional<Error> refusal = refuseText(*records))
        return std::unexpected(*std::move(refusal));
    return std::unexpected(Error{ErrorCode::Unsupported, whatWasLookedFor(), records->path()});
}

/// A source whose file was compressed as a whole. Thread-bound.
class UnpackedSource final : public TraceSource {
public:
    UnpackedSource(std::unique_ptr<TraceSource> source, std::string compression,
                   std::optional<Error> damage)
        : source_(std::move(source)), info_(source_->info()), damage_(std::move(damage)) {
        info_.compression = info_.compression == "none" || info_.compression.empty()
                                ? compression
                                : compression + ", inside " + info_.compression;
    }

    [[nodiscard]] const SourceInfo& info() const override { return info_; }
    [[nodiscard]] std::vector<StreamId> streams() const override { return source_->streams(); }
    [[nodiscard]] Result<LoadReport> load(StreamId stream, EventSink& sink,
                                          const JobContext& job) override {
        LoadReport report = TRY(source_->load(stream, sink, job));
        if (damage_) {
            report.complete = false;
            report.warnings.insert(report.warnings.begin(), damage_->what);
        }
        return report;
    }
    [[nodiscard]] Result<std::string> text(RecordRef record) const override {
        return source_->text(record);
    }
    [[nodiscard]] Result<void> appendText(RecordRef record, std::string& out) const override {
        return source_->appendText(record, out);
    }
    [[nodiscard]] const DatFile* pages() const override { return source_->pages(); }

private:
    std::unique_ptr<TraceSource> source_;
    SourceInfo info_;
    std::optional<Error> damage_;
};

} // namespace

void LoadReport::takeManifest(const ManifestAssembler& parts) {
    if (!parts.complete())
        return;
    Result<RunManifest> found = parts.manifest();
    if (found)
        manifest = *std::move(found);
    else
        warnings.push_back("the run's manifest cannot be used: " + found.error().sentence());
}

Result<std::unique_ptr<TraceSource>> openTraceSource(const std::string& path,
                                                     const JobContext& job) {
    return openTraceSource(TRY(RecordStore::open(path)), job);
}

Result<std::unique_ptr<TraceSource>> openTraceSource(std::shared_ptr<const RecordStore> records,
                                                     const JobContext& job) {
    const WholeCompression compression = wholeCompressionOf(records->bytes());
    if (compression == WholeCompression::None)
        return createSource(std::move(records), job);
    UnpackedFile unpacked = TRY(unpackWholeFile(*records, job));
    return std::unique_ptr<TraceSource>(
        new UnpackedSource(TRY(createSource(std::move(unpacked.records), job)),
                           wholeCompressionName(compression), std::move(unpacked.damage)));
}

Result<LoadedTrace> loadTrace(const std::string& path, const JobContext& job) {
    std::shared_ptr<TraceSource> source = TRY(openTraceSource(path, job));
    TraceStoreBuilder builder;
    LoadReport report = TRY(loadStreams(*source, builder, job));
    std::shared_ptr<const TraceStore> store = TRY(std::move(builder).finish(job));
    SourceInfo info = source->info();
    return LoadedTrace{std::move(info), std::move(report), std::move(store), std::move(source)};
}

} // namespace inversight
