// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace inversight {

namespace {

constexpr std::string_view kLoadPhase = "decoding events";

int cpuAt(std::size_t place) {
    return place == kMostCpus ? -1 : static_cast<int>(place);
}

} // namespace

TextLoader::TextLoader(const RecordStore& records, const TextDialect& dialect,
                       const TextSurvey& survey, std::size_t buffer)
    : records_(records), reading_{dialect, survey, buffer} {}

void TextLoader::declare(const StreamInfo& info, EventSink& sink) {
    const TextSurvey& survey = reading_.survey;
    sink_ = &sink;
    stream_ = sink.declareStream(info);
    for (const TextEventType& type : survey.types.types())
        reading_.typeIds.push_back(sink.declareType({0, type.system, type.name, type.kind}));
    for (const auto& [tid, name] : survey.names)
        sink.nameThread(tid, name);
    for (const auto& [tid, tgid] : survey.threadGroups)
        sink.threadGroup(tid, tgid);
    for (std::size_t count = chunksAtATime(); count > 0; --count)
        loaders_.emplace_back(reading_);
    const std::vector<bool>& cpus = survey.buffers[reading_.buffer].cpus;
    for (std::size_t place = 0; place < cpus.size() && !sink.takesParts(); ++place) {
        if (cpus[place])
            loaders_.front().setSink(place, sink.cpuSink(stream_, cpuAt(place)));
    }
}

/// One, where a chunk depends on what happened before it: a sink of a CPU takes events in order,
/// and of a task that perf calls -1 only the switch before says who it was.
std::size_t TextLoader::chunksAtATime() const {
    const std::size_t chunks = std::max<std::size_t>(reading_.survey.chunks.size(), 1);
    if (!sink_->takesParts() || reading_.survey.goneCount > 0)
        return 1;
    return std::min<std::size_t>(chunks, std::size_t{2} *
                                             std::max(1U, std::thread::hardware_concurrency()));
}

Result<void> TextLoader::read(const JobContext& job) {
    const std::vector<SurveyedChunk>& chunks = reading_.survey.chunks;
    TextProgress progress(kLoadPhase, records_.bytes().size(), job);
    TextBytes source(records_);
    std::optional<WorkerPool> pool;
    if (loaders_.size() > 1)
        pool.emplace();
    for (std::size_t first = 0; first < chunks.size(); first += loaders_.size()) {
        const std::size_t count = std::min(loaders_.size(), chunks.size() - first);
        takeParts(first, count);
        const auto readOne = [&](std::size_t index) {
            const TextChunk& chunk = chunks[first + index].chunk;
            if (progress.cancelled())
                return;
            source.read(chunk, [&](std::string_view bytes) {
                loaders_[index].read(bytes, chunk, progress);
            });
        };
        if (pool)
            pool->forEach(count, readOne);
        else
            readOne(0);
        TRY(job.check(kLoadPhase));
        for (std::size_t index = 0; index < count; ++index)
            findings_.add(loaders_[index].takeFindings());
        TRY(settle(chunks[first + count - 1], job));
    }
    return {};
}

void TextLoader::takeParts(std::size_t first, std::size_t count) {
    for (std::size_t index = 0; index < count && sink_->takesParts(); ++index) {
        loaders_[index].clearSinks();
        for (const TextCpu& cpu : reading_.survey.chunks[first + index].cpus) {
            if (cpu.buffer == reading_.buffer)
                loaders_[index].setSink(cpu.place, sink_->cpuPart(stream_, cpuAt(cpu.place)));
        }
    }
}

/// In a text whose times ascend, as in most, every chunk settles what is before its end.
Result<void> TextLoader::settle(const SurveyedChunk& last, const JobContext& job) {
    if (!last.nextTime || (settled_ && *last.nextTime <= *settled_))
        return {};
    settled_ = last.nextTime;
    return sink_->settle(*last.nextTime, job);
}

LoadReport TextLoader::report() const {
    LoadReport report;
    report.complete = !findings_.cutLine;
    reportLines(report);
    reportMeanings(report);
    reportManifest(report);
    return report;
}

void TextLoader::reportLines(LoadReport& report) const {
    if (findings_.cutLine)
        report.warnings.push_back(
            fmt::format("the file ends in the middle of line {}", *findings_.cutLine));
    if (findings_.unparsedCount > 0)
        report.warnings.push_back(fmt::format(
            "{} lines are neither event nor heading; the first is line {}, \"{}\", expected {}",
            findings_.unparsedCount, findings_.firstUnparsed->line, findings_.firstUnparsed->text,
            kExpectedTextLine));
    for (std::size_t type = 0; type < findings_.malformed.size(); ++type) {
        const TextFindings::Malformed& lines = findings_.malformed[type];
        if (lines.count > 0)
            report.warnings.push_back(fmt::format(
                "{} lines of {} are shown without fields, which were not found; the first is line "
                "{}, \"{}\"",
                lines.count, reading_.survey.types.types()[type].name, lines.first.line,
                lines.first.text));
    }
    if (reading_.survey.overwrittenCount > 0)
        report.warnings.push_back(
            fmt::format("{} events before the first one were overwritten in the ring buffer",
                        reading_.survey.overwrittenCount));
    if (findings_.unknownCpuCount > 0)
        report.warnings.push_back(
            fmt::format("{} events do not say their CPU", findings_.unknownCpuCount));
}

void TextLoader::reportMeanings(LoadReport& report) const {
    if (findings_.pluginStates > 0)
        report.warnings.push_back(fmt::format(
            "task states of {} switches are libtraceevent's letters, taken as Linux 4.14 "
            "and later mean them, and do not tell R+ from R; trace-cmd report -N "
            "writes the kernel's own",
            findings_.pluginStates));
    if (findings_.numericStates > 0)
        report.warnings.push_back(fmt::format(
            "task states of {} switches are numbers, taken as Linux 4.14 and later mean them",
            findings_.numericStates));
    if (findings_.wholeCalls > 0)
        report.warnings.push_back(
            fmt::format("{} calls of the graph tracer stand in one line each, with their duration; "
                        "the ends of these calls are not events of this text",
                        findings_.wholeCalls));
    if (reading_.survey.wholeTimeCount > 0 && !reading_.dialect.wholeTimesAreTicks)
        report.warnings.push_back(
            fmt::format("{} times have neither point nor unit and were taken as nanoseconds",
                        reading_.survey.wholeTimeCount));
}

void TextLoader::reportManifest(LoadReport& report) const {
    ManifestAssembler assembler;
    for (const TextBodyContext::ManifestText& part : findings_.manifestTexts)
        assembler.add(part.place.index, part.place.count, part.text);
    report.takeManifest(assembler);
}

} // namespace inversight
