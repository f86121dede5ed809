// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/page_source.h"

#include "trace/decode/cpu_loader.h"
#include "trace/file/field_line.h"
#include "trace/file/page_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace inversight {

namespace {

ClockDomain clockOf(const DatBuffer& buffer, const DatFile& file) {
    ClockDomain clock = ClockDomain::fromName(buffer.clock);
    if (file.time.multiplier != 0) // the file says how to make ns of its ticks
        clock.unit = ClockUnit::Nanoseconds;
    return clock;
}

SourceInfo describe(const DatFile& file) {
    SourceInfo info{.path = file.records->path(),
                    .format = "trace.dat",
                    .version = file.version,
                    .compression = file.compression,
                    .bigEndian = file.order == ByteOrder::Big,
                    .longSize = file.longSize,
                    .pageSize = file.layout.pageSize,
                    .cpuCount = file.cpuCount,
                    .systemName = file.systemName,
                    .streams = {}};
    for (const DatBuffer& buffer : file.buffers)
        info.streams.push_back({buffer.name, clockOf(buffer, file), file.cpuCount});
    return info;
}

/// "PID NAME" lines; a name may hold anything but a newline.
void nameThreads(std::string_view savedCmdlines, EventSink& sink) {
    while (!savedCmdlines.empty()) {
        const std::size_t end = std::min(savedCmdlines.find('\n'), savedCmdlines.size());
        const std::string_view line = trimBlanks(savedCmdlines.substr(0, end));
        savedCmdlines.remove_prefix(std::min(end + 1, savedCmdlines.size()));
        std::int32_t tid = 0;
        const auto [rest, failure] = std::from_chars(line.data(), line.data() + line.size(), tid);
        const std::string_view name = line.substr(static_cast<std::size_t>(rest - line.data()));
        if (failure == std::errc() && tid > 0 && name.size() > 1 && name.front() == ' ')
            sink.nameThread(tid, name.substr(1));
    }
}

/// Sums what all CPUs found into a few sentences.
class FindingsReport {
public:
    void add(const CpuFindings& findings) {
        for (const auto& [id, count] : findings.unknownIds)
            unknownIds_[id] += count;
        for (const auto& [type, count] : findings.shortRecords)
            shortRecords_[type] += count;
        headless_ += findings.headlessRecords;
        for (const CpuFindings::ManifestText& part : findings.manifestTexts)
            manifest_.add(part.index, part.count, part.text);
    }

    void write(const EventCatalog& catalog, LoadReport& report) const {
        writeUnknown(report);
        for (const auto& [type, count] : shortRecords_)
            report.warnings.push_back(fmt::format("{} records of {} are too short for their fields",
                                                  count, catalog.types()[type].info.name));
        if (headless_ > 0)
            report.warnings.push_back(
                fmt::format("{} records are too short for any event and were left out", headless_));
        report.takeManifest(manifest_);
    }

private:
    static constexpr std::size_t kMostIds = 10;

    void writeUnknown(LoadReport& report) const {
        std::size_t written = 0;
        for (const auto& [id, count] : unknownIds_) {
            if (written++ == kMostIds)
                break;
            report.warnings.push_back(fmt::format(
                "{} records of unknown event {}: the file has no format for it", count, id));
        }
        if (unknownIds_.size() > kMostIds)
            report.warnings.push_back(
                fmt::format("{} more unknown event numbers", unknownIds_.size() - kMostIds));
    }

    std::map<std::uint16_t, std::uint64_t> unknownIds_;
    std::map<std::size_t, std::uint64_t> shortRecords_;
    std::uint64_t headless_ = 0;
    ManifestAssembler manifest_;
};

std::vector<EventTypeId> declareTypes(const EventCatalog& catalog, EventSink& sink) {
    std::vector<EventTypeId> ids;
    ids.reserve(catalog.types().size());
    for (const CatalogType& type : catalog.types())
        ids.push_back(sink.declareType(type.info));
    return ids;
}

} // namespace

PageSource::PageSource(DatFile file)
    : file_(std::move(file)), warnings_(file_.warnings),
      catalog_(EventCatalog::build(file_.formats, warnings_)),
      printer_(catalog_, file_.order, file_.longSize, file_.kallsyms, file_.printkFormats),
      info_(describe(file_)) {}

Result<std::unique_ptr<TraceSource>> PageSource::create(DatFile file) {
    if (!file.latencyText.empty())
        return std::unexpected(Error{ErrorCode::Unsupported,
                                     "holds the text of a latency tracer, no events",
                                     file.records->path(), "read it with trace-cmd report"});
    return std::unique_ptr<TraceSource>(new PageSource(std::move(file)));
}

/// The only place that goes from an event back to its bytes. All streams are in one file, so the
/// offset alone says where.
Result<RecordBytes> PageSource::bytesOf(RecordRef record) const {
    return file_.records->record(file_.order, record.offset);
}

Result<std::string> PageSource::text(RecordRef record) const {
    std::string text;
    TRY(appendText(record, text));
    return text;
}

Result<void> PageSource::appendText(RecordRef record, std::string& out) const {
    const RecordBytes bytes = TRY(bytesOf(record));
    printer_.append(bytes.data, out);
    return {};
}

std::vector<StreamId> PageSource::streams() const {
    std::vector<StreamId> ids;
    for (std::size_t index = 0; index < file_.buffers.size(); ++index)
        ids.push_back(StreamId{static_cast<std::uint16_t>(index)});
    return ids;
}

Result<LoadReport> PageSource::load(StreamId stream, EventSink& sink, const JobContext& job) {
    if (stream.index() >= file_.buffers.size())
        return std::unexpected(Error{ErrorCode::NotFound,
                                     fmt::format("there is no stream {}, the file has {}",
                                                 stream.value, file_.buffers.size()),
                                     info_.path});
    TRY(file_.records->checkSize());

    const StreamId id = sink.declareStream(info_.streams[stream.index()]);
    const std::vector<EventTypeId> typeIds = declareTypes(catalog_, sink);
    nameThreads(file_.savedCmdlines, sink);
    std::vector<CpuTask> tasks;
    const DatBuffer& buffer = file_.buffers[stream.index()];
    const CpuTime::Date date = clockOf(buffer, file_).unit == ClockUnit::Ticks
                                   ? CpuTime::Date::Ignore
                                   : CpuTime::Date::Add;
    for (const CpuPages& pages : buffer.cpus) {
        // A hostile file lists more CPUs than it has pages.
        if (pages.size > 0)
            tasks.push_back({&pages, &buffer.layout, CpuTime(file_.time, pages.cpu, date)});
    }
    const std::vector<CpuOutcome> outcomes =
        TRY(loadCpus(file_, catalog_, typeIds, tasks, id, sink, job));

    LoadReport report{file_.complete, warnings_, std::nullopt};
    if (date == CpuTime::Date::Ignore && file_.time.date != 0)
        report.warnings.push_back("the date in the file was not added: its clock counts ticks");
    FindingsReport findings;
    for (const CpuOutcome& outcome : outcomes) {
        report.complete &= outcome.warnings.empty();
        std::ranges::copy(outcome.warnings, std::back_inserter(report.warnings));
        findings.add(outcome.findings);
    }
    findings.write(catalog_, report);
    return report;
}

} // namespace inversight
