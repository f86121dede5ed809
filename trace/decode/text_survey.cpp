// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/decode/text_survey.h"

#include "core/base/worker_pool.h"
#include "trace/decode/text_scan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

namespace inversight {

namespace {

using NamesByTid = std::unordered_map<std::int32_t, std::string>;

/// Collects names: what a body says counts more than the column in front, which latency-format
/// cuts to 8 characters.
struct NameCollector {
    void fromColumn(std::int32_t tid, std::string_view name) {
        Slot& slot = slots[static_cast<std::uint32_t>(tid) % kSlots];
        if (slot.tid == tid && slot.name == name) [[likely]]
            return;
        slot = {tid, name};
        if (tid > 0 && !isPlaceholderTask(name))
            columns[tid] = name;
    }
    void fromBody(std::string_view body) {
        TextNaming naming;
        while (takeNaming(body, naming)) {
            if (naming.tid > 0 && !isPlaceholderTask(naming.name))
                bodies[naming.tid] = naming.name;
        }
    }

    struct Slot {
        std::int32_t tid = 0;
        std::string_view name;
    };
    static constexpr std::size_t kSlots = 256;

    std::array<Slot, kSlots> slots;
    NamesByTid columns;
    NamesByTid bodies;
};

/// What one chunk says.
struct ChunkSurvey {
    TextEventTypes types;
    std::vector<TextBuffer> buffers;
    std::uint64_t lineCount = 0;
    std::uint64_t eventCount = 0;
    std::uint64_t wholeTimeCount = 0;
    std::uint64_t goneCount = 0;
    std::int64_t leastTime = std::numeric_limits<std::int64_t>::max();
    std::optional<int> cpuCount; ///< as a heading says
    std::optional<std::uint64_t> overwrittenCount;
    std::optional<TextExample> unparsed; ///< its line counted from the chunk's begin
    NamesByTid columnNames;
    NamesByTid bodyNames;
    std::unordered_map<std::int32_t, std::int32_t> threadGroups;
};

/// The place of a line's buffer among those known, which it joins while there is room.
std::size_t bufferPlace(std::string_view name, std::vector<TextBuffer>& buffers) {
    const auto known = std::ranges::find(buffers, name, &TextBuffer::name);
    if (known != buffers.end())
        return static_cast<std::size_t>(known - buffers.begin());
    if (buffers.size() >= TextSurvey::kMostBuffers)
        return 0;
    buffers.push_back(TextBuffer{std::string(name)});
    return buffers.size() - 1;
}

/// Looks at the lines of a chunk. Thread-bound.
class Surveyor {
public:
    explicit Surveyor(const TextDialect& dialect) : dialect_(dialect) {
        survey_.buffers.emplace_back();
    }

    void run(std::string_view bytes, const TextChunk& chunk, TextProgress& shared);
    [[nodiscard]] ChunkSurvey finish() && {
        survey_.columnNames = std::move(names_.columns);
        survey_.bodyNames = std::move(names_.bodies);
        return std::move(survey_);
    }

private:
    void event(const TextLine& line) {
        const TextHeader& header = line.header;
        const std::size_t buffer = dialect_.hasBuffers && !header.buffer.empty()
                                       ? bufferPlace(header.buffer, survey_.buffers)
                                       : 0;
        survey_.buffers[buffer].cpus[cpuPlace(header.cpu)] = true;
        survey_.leastTime = std::min(survey_.leastTime, header.time);
        ++survey_.eventCount;
        survey_.wholeTimeCount += header.wholeTime ? 1 : 0;
        survey_.goneCount += header.tid < 0 ? 1 : 0;
        names_.fromColumn(header.tid, header.task);
        if (header.tgid > 0 && header.tid > 0)
            threadGroup(header.tid, header.tgid);
        const std::uint16_t type = types_.indexOf(
            line, [this](const TextEventKey& key) { return survey_.types.add(key); });
        if (survey_.types.types()[type].kind == EventKind::Other)
            names_.fromBody(line.body);
    }
    void frame(std::string_view line);
    void threadGroup(std::int32_t tid, std::int32_t tgid) {
        if (tid == lastTid_ && tgid == lastGroup_)
            return;
        lastTid_ = tid;
        lastGroup_ = tgid;
        survey_.threadGroups[tid] = tgid;
    }

    const TextDialect& dialect_;
    ChunkSurvey survey_;
    TextTypeCache types_;
    TextColumnCache columns_;
    NameCollector names_;
    std::int32_t lastTid_ = 0;
    std::int32_t lastGroup_ = 0;
};

void Surveyor::run(std::string_view bytes, const TextChunk& chunk, TextProgress& shared) {
    ChunkProgress progress(shared, chunk);
    TextLineReader lines(bytes, dialect_, chunk, columns_);
    while (lines.next() && progress.at(lines.offset())) {
        if (lines.kind() == TextLineKind::Event)
            event(lines.event());
        else if (lines.kind() == TextLineKind::Loss)
            survey_.buffers.front().cpus[cpuPlace(lines.loss().cpu)] = true;
        else if (lines.kind() == TextLineKind::Frame)
            frame(lines.line());
        else if (lines.kind() == TextLineKind::Unparsed && !survey_.unparsed)
            survey_.unparsed = exampleOf(lines);
    }
    survey_.lineCount = lines.number();
    progress.done();
}

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

/// Joins what chunks say, in their order. Thread-bound.
class SurveyJoiner {
public:
    SurveyJoiner() { survey_.buffers.emplace_back(); }

    void add(const TextChunk& chunk, ChunkSurvey part);
    [[nodiscard]] TextSurvey finish() &&;

private:
    void addCpus(const std::vector<TextBuffer>& buffers, SurveyedChunk& chunk);
    void addCpus(const TextBuffer& from, std::size_t buffer, SurveyedChunk& chunk);

    TextSurvey survey_;
    NamesByTid columnNames_;
    NamesByTid bodyNames_;
    std::vector<std::int64_t> leastTimes_; ///< by chunk
    std::uint64_t lineCount_ = 0;
};

void SurveyJoiner::add(const TextChunk& chunk, ChunkSurvey part) {
    SurveyedChunk& joined = survey_.chunks.emplace_back(chunk);
    joined.chunk.linesBefore = lineCount_;
    addCpus(part.buffers, joined);
    survey_.types.add(part.types);
    survey_.eventCount += part.eventCount;
    survey_.wholeTimeCount += part.wholeTimeCount;
    survey_.goneCount += part.goneCount;
    survey_.cpuCount = part.cpuCount.value_or(survey_.cpuCount);
    survey_.overwrittenCount = part.overwrittenCount.value_or(survey_.overwrittenCount);
    if (part.unparsed && !survey_.unparsed)
        survey_.unparsed =
            TextExample{part.unparsed->line + lineCount_, std::move(part.unparsed->text)};
    for (const auto& [tid, name] : part.columnNames)
        columnNames_[tid] = name;
    for (const auto& [tid, name] : part.bodyNames)
        bodyNames_[tid] = name;
    for (const auto& [tid, tgid] : part.threadGroups)
        survey_.threadGroups[tid] = tgid;
    leastTimes_.push_back(part.leastTime);
    lineCount_ += part.lineCount;
}

void SurveyJoiner::addCpus(const std::vector<TextBuffer>& buffers, SurveyedChunk& chunk) {
    for (const TextBuffer& buffer : buffers)
        addCpus(buffer, bufferPlace(buffer.name, survey_.buffers), chunk);
    // A chunk that knows as many buffers as may be counted some to its first that are known here.
    for (std::size_t buffer = 1;
         buffers.size() >= TextSurvey::kMostBuffers && buffer < survey_.buffers.size(); ++buffer)
        addCpus(buffers.front(), buffer, chunk);
    std::ranges::sort(chunk.cpus);
    const auto repeated = std::ranges::unique(chunk.cpus);
    chunk.cpus.erase(repeated.begin(), repeated.end());
}

void SurveyJoiner::addCpus(const TextBuffer& from, std::size_t buffer, SurveyedChunk& chunk) {
    for (std::size_t place = 0; place < from.cpus.size(); ++place) {
        if (!from.cpus[place])
            continue;
        survey_.buffers[buffer].cpus[place] = true;
        chunk.cpus.push_back(
            {static_cast<std::uint16_t>(buffer), static_cast<std::uint16_t>(place)});
    }
}

TextSurvey SurveyJoiner::finish() && {
    survey_.names.insert(bodyNames_.begin(), bodyNames_.end());
    survey_.names.insert(columnNames_.begin(), columnNames_.end());
    for (const SurveyedChunk& chunk : survey_.chunks) {
        for (const TextCpu& cpu : chunk.cpus) {
            if (cpu.place < kMostCpus)
                survey_.cpuCount = std::max<int>(survey_.cpuCount, cpu.place + 1);
        }
    }
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t chunk = survey_.chunks.size(); chunk-- > 0;) {
        if (least != std::numeric_limits<std::int64_t>::max())
            survey_.chunks[chunk].nextTime = least;
        least = std::min(least, leastTimes_[chunk]);
    }
    return std::move(survey_);
}

constexpr std::string_view kSurveyPhase = "looking through the text";

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

Result<TextSurvey> surveyText(const RecordStore& records, const TextDialect& dialect,
                              std::size_t chunkBytes, const JobContext& job) {
    const std::string_view text = textOf(records);
    const std::vector<TextChunk> chunks = cutText(text, dialect, chunkBytes);
    std::vector<ChunkSurvey> parts(chunks.size());
    TextBytes source(records);
    TextProgress progress(kSurveyPhase, text.size(), job);
    const auto look = [&](std::size_t index) {
        if (progress.cancelled())
            return;
        Surveyor surveyor(dialect);
        source.read(chunks[index],
                    [&](std::string_view bytes) { surveyor.run(bytes, chunks[index], progress); });
        parts[index] = std::move(surveyor).finish();
    };
    if (chunks.size() > 1)
        WorkerPool().forEach(chunks.size(), look);
    else if (!chunks.empty())
        look(0);
    TRY(job.check(kSurveyPhase));
    SurveyJoiner joiner;
    for (std::size_t index = 0; index < chunks.size(); ++index)
        joiner.add(chunks[index], std::move(parts[index]));
    TextSurvey survey = std::move(joiner).finish();
    survey.flags = flagLayoutOf(text);
    return survey;
}

} // namespace inversight
