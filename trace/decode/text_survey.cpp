// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_survey.h"

#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>

namespace inversight {

namespace {

/// Collects names: what a body says counts more than the column in front, which latency-format
/// cuts to 8 characters.
class NameCollector {
public:
    void fromColumn(std::int32_t tid, std::string_view name) {
        Slot& slot = slots_[static_cast<std::uint32_t>(tid) % kSlots];
        if (slot.tid == tid && slot.name == name) [[likely]]
            return;
        slot = {tid, name};
        if (tid > 0 && !isPlaceholderTask(name))
            columns_[tid] = name;
    }
    void fromBody(std::string_view body) {
        TextNaming naming;
        while (takeNaming(body, naming)) {
            if (naming.tid > 0 && !isPlaceholderTask(naming.name))
                bodies_[naming.tid] = naming.name;
        }
    }
    [[nodiscard]] std::unordered_map<std::int32_t, std::string_view> names() && {
        bodies_.merge(columns_);
        return std::move(bodies_);
    }

private:
    struct Slot {
        std::int32_t tid = 0;
        std::string_view name;
    };
    static constexpr std::size_t kSlots = 256;

    std::array<Slot, kSlots> slots_;
    std::unordered_map<std::int32_t, std::string_view> columns_;
    std::unordered_map<std::int32_t, std::string_view> bodies_;
};

/// Thread-bound.
class Surveyor {
public:
    explicit Surveyor(const TextDialect& dialect) : dialect_(dialect) {
        survey_.buffers.emplace_back();
    }

    void event(const TextLine& line) {
        const TextHeader& header = line.header;
        TextBuffer& buffer = survey_.buffers[placeOf(line)];
        buffer.cpus[cpuPlace(header.cpu)] = true;
        survey_.ascending &= survey_.eventCount == 0 || header.time >= lastTime_;
        lastTime_ = header.time;
        ++survey_.eventCount;
        survey_.wholeTimeCount += header.wholeTime ? 1 : 0;
        survey_.goneCount += header.tid < 0 ? 1 : 0;
        names_.fromColumn(header.tid, header.task);
        if (header.tgid > 0 && header.tid > 0)
            threadGroup(header.tid, header.tgid);
        const std::uint16_t type = survey_.types.indexOf(line);
        if (survey_.types.types()[type].kind == EventKind::Other)
            names_.fromBody(line.body);
    }
    void loss(const TextLoss& loss) { survey_.buffers.front().cpus[cpuPlace(loss.cpu)] = true; }
    void frame(std::string_view line);
    void unparsed(const TextLineReader& lines) {
        if (!survey_.unparsed)
            survey_.unparsed = exampleOf(lines);
    }

    [[nodiscard]] TextSurvey finish() && {
        survey_.names = std::move(names_).names();
        for (const TextBuffer& buffer : survey_.buffers) {
            for (std::int32_t cpu = survey_.cpuCount; cpu < kMostCpus; ++cpu) {
                if (buffer.cpus[cpuPlace(cpu)])
                    survey_.cpuCount = cpu + 1;
            }
        }
        return std::move(survey_);
    }

private:
    std::size_t placeOf(const TextLine& line) {
        const std::size_t place = survey_.bufferOf(line, dialect_);
        const bool isNew = dialect_.hasBuffers && line.header.buffer != survey_.buffers[place].name;
        if (!isNew || survey_.buffers.size() >= TextSurvey::kMostBuffers)
            return place;
        survey_.buffers.push_back(TextBuffer{line.header.buffer});
        return survey_.buffers.size() - 1;
    }
    void threadGroup(std::int32_t tid, std::int32_t tgid) {
        if (tid == lastTid_ && tgid == lastGroup_)
            return;
        lastTid_ = tid;
        lastGroup_ = tgid;
        survey_.threadGroups[tid] = tgid;
    }

    const TextDialect& dialect_;
    TextSurvey survey_;
    NameCollector names_;
    std::int64_t lastTime_ = 0;
    std::int32_t lastTid_ = 0;
    std::int32_t lastGroup_ = 0;
};

/// "cpus=2", "# entries-in-buffer/entries-written: 156/1872   #P:2".
void Surveyor::frame(std::string_view line) {
    std::uint64_t count = 0;
    const auto isCpuCount = [&](std::string_view digits) {
        return takeDecimal(digits, count) && count <= static_cast<std::uint64_t>(kMostCpus);
    };
    std::string_view rest = line;
    if (takeText(rest, "cpus=") && isCpuCount(rest))
        survey_.cpuCount = static_cast<int>(count);
    const std::size_t processors =
        line.starts_with('#') ? line.find("#P:") : std::string_view::npos;
    if (processors != std::string_view::npos && isCpuCount(line.substr(processors + 3)))
        survey_.cpuCount = static_cast<int>(count);
    std::uint64_t kept = 0;
    std::uint64_t written = 0;
    rest = line;
    if (takeText(rest, "# entries-in-buffer/entries-written: ") && takeDecimal(rest, kept) &&
        takeText(rest, "/") && takeDecimal(rest, written) && written > kept)
        survey_.overwrittenCount = written - kept;
}

} // namespace

TextExample exampleOf(const TextLineReader& lines) {
    constexpr std::size_t kMostBytes = 60;
    std::string text(withoutLeadingBlanks(lines.line()).substr(0, kMostBytes));
    // Whatever the bytes are, they end on a terminal and in a report.
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return {lines.number(), std::move(text)};
}

std::size_t TextSurvey::bufferOf(const TextLine& line, const TextDialect& dialect) const {
    if (!dialect.hasBuffers || line.header.buffer.empty()) [[likely]]
        return 0;
    const auto buffer = std::ranges::find(buffers, line.header.buffer, &TextBuffer::name);
    return buffer == buffers.end() ? 0 : static_cast<std::size_t>(buffer - buffers.begin());
}

Result<TextSurvey> surveyText(std::string_view text, const TextDialect& dialect,
                              const JobContext& job) {
    Surveyor surveyor(dialect);
    TextProgress progress("looking through the text", text.size(), job);
    TextLineReader lines(text, dialect);
    while (lines.next()) {
        TRY(progress.at(lines.offset()));
        if (lines.kind() == TextLineKind::Event)
            surveyor.event(lines.event());
        else if (lines.kind() == TextLineKind::Loss)
            surveyor.loss(lines.loss());
        else if (lines.kind() == TextLineKind::Frame)
            surveyor.frame(lines.line());
        else if (lines.kind() == TextLineKind::Unparsed)
            surveyor.unparsed(lines);
    }
    TextSurvey survey = std::move(surveyor).finish();
    survey.flags = flagLayoutOf(text);
    return survey;
}

} // namespace inversight
