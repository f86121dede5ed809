// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_loader.h"

#include <fmt/format.h>

#include <utility>

namespace inversight {

TextLoader::TextLoader(const TextDialect& dialect, TextSurvey& survey, std::size_t buffer)
    : dialect_(dialect), survey_(survey), buffer_(buffer), sinks_(kMostCpus + 1, nullptr),
      running_(kMostCpus + 1, 0), malformed_(survey.types.types().size()) {
    context_.letters = dialect.oldStyle;
}

void TextLoader::declare(const StreamInfo& info, EventSink& sink) {
    sink_ = &sink;
    const StreamId id = sink.declareStream(info);
    for (const TextEventType& type : survey_.types.types())
        typeIds_.push_back(sink.declareType({0, type.system, type.name, type.kind}));
    for (const auto& [tid, name] : survey_.names)
        sink.nameThread(tid, name);
    for (const auto& [tid, tgid] : survey_.threadGroups)
        sink.threadGroup(tid, tgid);
    const std::vector<bool>& cpus = survey_.buffers[buffer_].cpus;
    for (std::size_t place = 0; place < cpus.size(); ++place) {
        if (cpus[place])
            sinks_[place] = &sink.cpuSink(id, place == kMostCpus ? -1 : static_cast<int>(place));
    }
}

Result<void> TextLoader::read(std::string_view text, const JobContext& job) {
    TextProgress progress("decoding events", text.size(), job);
    TextLineReader lines(text, dialect_);
    while (lines.next()) {
        TRY(progress.at(lines.offset()));
        if (lines.kind() == TextLineKind::Event) {
            event(lines);
            TRY(settle(job));
        } else if (lines.kind() == TextLineKind::Unparsed) {
            unparsed(lines);
        } else if (lines.kind() == TextLineKind::Loss && buffer_ == 0) {
            sinks_[cpuPlace(lines.loss().cpu)]->lost(
                lines.loss().counted ? std::optional(lines.loss().count) : std::nullopt);
        }
    }
    job.report({"decoding events", text.size(), text.size()});
    return {};
}

/// In a text whose times ascend, as most do, every line settles what is before it.
Result<void> TextLoader::settle(const JobContext& job) {
    constexpr std::uint64_t kSettleEvery = 1 << 16;
    if (!survey_.ascending || ++unsettledCount_ < kSettleEvery)
        return {};
    unsettledCount_ = 0;
    return sink_->settle(context_.header.time, job);
}

void TextLoader::event(TextLineReader& lines) {
    const TextLine& line = lines.event();
    if (survey_.bufferOf(line, dialect_) != buffer_)
        return;
    const std::uint16_t index = survey_.types.indexOf(line);
    TextHeader header = line.header;
    decodeFlags(survey_.flags, header);
    const std::size_t place = cpuPlace(header.cpu);
    context_.sink = sinks_[place];
    context_.nextTid = -1;
    context_.header = {
        header.time,     lines.offset(),     header.tid >= 0 ? header.tid : running_[place],
        typeIds_[index], header.commonFlags, header.preemptCount};
    unknownCpuCount_ += header.cpu < 0 ? 1 : 0;
    deliver(survey_.types.types()[index], index, lines);
    if (context_.nextTid >= 0)
        running_[place] = context_.nextTid;
}

void TextLoader::deliver(const TextEventType& type, std::uint16_t index, TextLineReader& lines) {
    const std::string_view body = lines.event().body;
    if (type.read == nullptr)
        return context_.sink->event(context_.header);
    if (type.read(body, context_) || readJoined(type.read, body, lines))
        return;
    context_.sink->event(context_.header);
    malformed(index, lines);
}

/// A name with a newline in it has at most a few.
bool TextLoader::readJoined(TextBodyReader read, std::string_view body, TextLineReader& lines) {
    constexpr int kMostLines = 4;
    TextLineReader ahead = lines;
    for (int count = 0; count < kMostLines && ahead.joinNext(body); ++count) {
        if (read(body, context_)) {
            lines = ahead;
            return true;
        }
    }
    return false;
}

void TextLoader::malformed(std::uint16_t type, const TextLineReader& lines) {
    if (malformed_[type].count++ == 0)
        malformed_[type].first = exampleOf(lines);
    if (!lines.isWhole())
        cutLine_ = lines.number();
}

void TextLoader::unparsed(const TextLineReader& lines) {
    if (unparsedCount_++ == 0)
        firstUnparsed_ = exampleOf(lines);
    if (!lines.isWhole())
        cutLine_ = lines.number();
}

LoadReport TextLoader::report() && {
    LoadReport report;
    report.complete = !cutLine_;
    reportLines(report);
    reportMeanings(report);
    reportManifest(report);
    return report;
}

void TextLoader::reportLines(LoadReport& report) const {
    if (cutLine_)
        report.warnings.push_back(fmt::format("the file ends in the middle of line {}", *cutLine_));
    if (unparsedCount_ > 0)
        report.warnings.push_back(fmt::format(
            "{} lines are neither event nor heading; the first is line {}, \"{}\", expected {}",
            unparsedCount_, firstUnparsed_->line, firstUnparsed_->text, kExpectedTextLine));
    for (std::size_t type = 0; type < malformed_.size(); ++type) {
        const Malformed& lines = malformed_[type];
        if (lines.count > 0)
            report.warnings.push_back(fmt::format(
                "{} lines of {} are shown without fields, which were not found; the first is line "
                "{}, \"{}\"",
                lines.count, survey_.types.types()[type].name, lines.first.line, lines.first.text));
    }
    if (survey_.overwrittenCount > 0)
        report.warnings.push_back(
            fmt::format("{} events before the first one were overwritten in the ring buffer",
                        survey_.overwrittenCount));
    if (unknownCpuCount_ > 0)
        report.warnings.push_back(fmt::format("{} events do not say their CPU", unknownCpuCount_));
}

void TextLoader::reportMeanings(LoadReport& report) const {
    if (context_.pluginStates > 0)
        report.warnings.push_back(fmt::format(
            "task states of {} switches are libtraceevent's letters, taken as Linux 4.14 "
            "and later mean them, and do not tell R+ from R; trace-cmd report -N "
            "writes the kernel's own",
            context_.pluginStates));
    if (context_.numericStates > 0)
        report.warnings.push_back(fmt::format(
            "task states of {} switches are numbers, taken as Linux 4.14 and later mean them",
            context_.numericStates));
    if (context_.wholeCalls > 0)
        report.warnings.push_back(
            fmt::format("{} calls of the graph tracer stand in one line each, with their duration; "
                        "the ends of these calls are not events of this text",
                        context_.wholeCalls));
    if (survey_.wholeTimeCount > 0 && !dialect_.wholeTimesAreTicks)
        report.warnings.push_back(
            fmt::format("{} times have neither point nor unit and were taken as nanoseconds",
                        survey_.wholeTimeCount));
}

void TextLoader::reportManifest(LoadReport& report) const {
    ManifestAssembler assembler;
    for (const TextBodyContext::ManifestText& part : context_.manifestTexts)
        assembler.add(part.place.index, part.place.count, part.text);
    report.takeManifest(assembler);
}

} // namespace inversight
