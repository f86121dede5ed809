// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/explain_text.h"

#include "core/base/time_format.h"
#include "trace/export/stream_output.h"
#include "trace/export/text_table.h"
#include "trace/export/thread_words.h"
#include "trace/export/trace_summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>

namespace inversight {

namespace {

/// Three decimals of a millisecond always, so that the parts can be added up by eye.
std::string length(std::int64_t ns) {
    constexpr std::int64_t kMicrosecond = 1000;
    return ns < kMicrosecond ? formatDuration(ns)
                             : fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6);
}

/// What one thread, or nobody, contributed to a wait in one way.
struct Contribution {
    WaitPart part = WaitPart::Unknown;
    ThreadId by;
    ThreadId owner;
    std::int64_t ns = 0;
    std::int64_t wireNs = 0;    ///< of it, on the wire
    std::int64_t firstTime = 0; ///< where it began
};

/// Writes one sentence.
class SentenceWriter {
public:
    SentenceWriter(const AnalyzedTrace& analyzed, const Inversion& inversion)
        : analyzed_(analyzed), words_(analyzed), inversion_(inversion),
          runs_(analyzed.results.get<SchedRuns>()), boosts_(analyzed.results.get<Boosts>()),
          decomposition_(analyzed.results.get<Decomposition>()) {}

    std::string write() const {
        if (inversion_.is(InversionKind::PushThrough))
            return pushThrough();
        std::string text = beginning();
        const char* separator = ": ";
        for (const Contribution& contribution : contributions()) {
            text += separator + length(contribution.ns) + " " + clause(contribution);
            separator = ", ";
        }
        return text + ending() + ".";
    }

private:
    std::string pushThrough() const {
        const ThreadId donor = boosts_->boosts[inversion_.boost].donor;
        return fmt::format("{} could not run for {}: {} ran on its CPU at the priority lent by {} "
                           "for {}; that is what inheritance costs.",
                           thread(inversion_.victim), length(inversion_.invertedNs),
                           thread(inversion_.owner), words_.name(donor),
                           words_.lock(inversion_.lock));
    }
    std::string thread(ThreadId id) const {
        return words_.withPriority(id, inversion_.range.begin);
    }
    std::string beginning() const {
        const bool helper = inversion_.is(InversionKind::ThroughHelper);
        return fmt::format(
            "{} waited {} for {}", thread(inversion_.victim), length(inversion_.range.length()),
            helper ? thread(inversion_.owner) + " to do its work" : words_.lock(inversion_.lock));
    }
    std::vector<Contribution> contributions() const;
    std::string clause(const Contribution& contribution) const;
    std::string needed(const Contribution& contribution) const;
    std::string onCpu(const Contribution& contribution) const;
    std::string ending() const;

    const AnalyzedTrace& analyzed_;
    ThreadWords words_;
    const Inversion& inversion_;
    std::shared_ptr<const SchedRuns> runs_;
    std::shared_ptr<const Boosts> boosts_;
    std::shared_ptr<const Decomposition> decomposition_;
};

/// In the order in which they began; an owner's running and its wire time are one.
std::vector<Contribution> SentenceWriter::contributions() const {
    std::vector<Contribution> list;
    const auto segments = decomposition_->segmentsOf(inversion_.wait);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const WaitSegment& segment = segments[i];
        const bool wire = segment.part == WaitPart::Wire;
        const WaitPart part = wire ? WaitPart::CriticalSection : segment.part;
        const std::int64_t ns = decomposition_->endOf(inversion_.wait, i) - segment.begin;
        auto same = std::ranges::find_if(
            list, [&](const Contribution& c) { return c.part == part && c.by == segment.by; });
        if (same == list.end())
            same = list.insert(list.end(), {part, segment.by, segment.owner, 0, 0, segment.begin});
        same->ns += ns;
        same->wireNs += wire ? ns : 0;
    }
    return list;
}

std::string SentenceWriter::needed(const Contribution& contribution) const {
    std::string text = contribution.by == inversion_.owner ? "its holder " : "";
    if (inversion_.is(InversionKind::ThroughHelper))
        text.clear();
    text += thread(contribution.by) + " needed";
    if (contribution.wireNs == contribution.ns)
        text += " on the wire";
    else if (contribution.wireNs > 0)
        text += fmt::format(" ({} of it on the wire)", length(contribution.wireNs));
    return text;
}

std::string SentenceWriter::onCpu(const Contribution& contribution) const {
    if (!runs_ || !contribution.by.valid())
        return "";
    const auto& ids = runs_->byThread[contribution.by.index()];
    auto after = std::ranges::upper_bound(ids, contribution.firstTime, {}, [&](std::uint32_t i) {
        return runs_->runs[i].range.begin;
    });
    return after == ids.begin() ? ""
                                : fmt::format(" on CPU {}", runs_->runs[*std::prev(after)].cpu);
}

std::string SentenceWriter::clause(const Contribution& contribution) const {
    const std::string by = thread(contribution.by);
    switch (contribution.part) {
    case WaitPart::CriticalSection:
    case WaitPart::Wire:
        return needed(contribution);
    case WaitPart::Mid:
        return by + " ran" + onCpu(contribution) + " instead";
    case WaitPart::Peer:
        return by + " ran" + onCpu(contribution) + " instead, level with the holder";
    case WaitPart::Interference:
        return by + " ran" + onCpu(contribution) + ", which is of no lower priority";
    case WaitPart::Dispatch:
        if (!contribution.by.valid())
            return "passed before an idle CPU ran the holder";
        return contribution.by == inversion_.victim
                   ? "it went on running itself"
                   : by + " ran on before the holder got its CPU back";
    case WaitPart::OwnerBlocked:
        return by + " slept, and not on a lock or the bus";
    case WaitPart::Irq:
        return "interrupts took";
    case WaitPart::Throttled:
        return "real-time threads were throttled";
    case WaitPart::Handoff:
        return "it took to run once the lock was free";
    case WaitPart::Unknown:
        break;
    }
    return "are unknown: the trace does not say who held it";
}

std::string SentenceWriter::ending() const {
    if (inversion_.is(InversionKind::ThroughHelper))
        return inversion_.confidence == Confidence::Low
                   ? "; that it waited for that thread is only likely"
                   : "; no lock is involved, so that nothing is inherited";
    if (inversion_.boost == Decomposition::kNone)
        return "; no boost was recorded";
    const Boost& boost = boosts_->boosts[inversion_.boost];
    std::string text = fmt::format("; {} was boosted to {}", words_.name(boost.target),
                                   formatKernelPriority(boost.toPrio));
    if (inversion_.violationNs > 0)
        text += fmt::format(", and yet did not run for {}", length(inversion_.violationNs));
    return text;
}

/// Those that are told, worst first.
std::vector<const Inversion*> chosen(const AnalyzedTrace& analyzed, std::size_t top) {
    std::vector<const Inversion*> list;
    const auto inversions = analyzed.results.get<Inversions>();
    if (!inversions)
        return list;
    for (const Inversion& inversion : inversions->inversions) {
        if (list.size() == top)
            break;
        if (!inversion.is(InversionKind::Nominal) && analyzed.includes(inversion.range) &&
            analyzed.includes({inversion.victim}) && analyzed.includes(inversion.lock))
            list.push_back(&inversion);
    }
    return list;
}

std::string kindWords(const Inversion& inversion) {
    std::string words;
    for (const InversionKind kind : kInversionKinds)
        if (inversion.is(kind))
            words += (words.empty() ? "" : ", ") + std::string(inversionKindName(kind));
    std::ranges::replace(words, '_', '-');
    return words;
}

Result<std::vector<const Inversion*>> chosenOrError(const AnalyzedTrace& analyzed,
                                                    std::size_t top) {
    if (!analyzed.results.get<Inversions>() || !analyzed.results.get<Decomposition>())
        return std::unexpected(
            analyzed.results.error(AnalysisId::Inversions)
                .value_or(Error{ErrorCode::Unavailable, "inversions have not been looked for"}));
    return chosen(analyzed, top);
}

constexpr const char* kNone = "No thread waited for one of lower priority.\n";

} // namespace

std::string inversionSentence(const AnalyzedTrace& analyzed, const Inversion& inversion) {
    return SentenceWriter(analyzed, inversion).write();
}

Result<void> writeExplanation(const AnalyzedTrace& analyzed, std::size_t top, std::ostream& out) {
    const auto list = TRY(chosenOrError(analyzed, top));
    const std::int64_t origin = analyzed.store().range().begin;
    out << lossText(analyzed.store());
    if (list.empty())
        out << kNone;
    for (std::size_t i = 0; i < list.size(); ++i)
        out << fmt::format("{}. At {} s ({}; confidence {}): {}\n", i + 1,
                           formatSeconds(relativeTime(list[i]->range.begin, origin)),
                           kindWords(*list[i]), confidenceName(list[i]->confidence),
                           inversionSentence(analyzed, *list[i]));
    return finishOutput(out);
}

Result<void> writeExplanationMarkdown(const AnalyzedTrace& analyzed, std::size_t top,
                                      std::ostream& out) {
    const auto list = TRY(chosenOrError(analyzed, top));
    const std::int64_t origin = analyzed.store().range().begin;
    if (const std::string lost = lossSentence(analyzed.store()); !lost.empty())
        out << "**" << lost << ".**\n\n";
    if (list.empty())
        out << kNone;
    for (std::size_t i = 0; i < list.size(); ++i)
        out << fmt::format("{}. *{} s, {}:* {}\n", i + 1,
                           formatSeconds(relativeTime(list[i]->range.begin, origin)),
                           kindWords(*list[i]), inversionSentence(analyzed, *list[i]));
    return finishOutput(out);
}

JsonDocument explainDocument(const AnalyzedTrace& analyzed, std::size_t top) {
    JsonDocument document = traceDocument(analyzed.trace, "inversight.explain/1", analyzed.tool);
    const std::int64_t origin = analyzed.store().range().begin;
    Json list = Json::array();
    for (const Inversion* inversion : chosen(analyzed, top)) {
        Json kinds = Json::array();
        for (const InversionKind kind : kInversionKinds)
            if (inversion->is(kind))
                kinds.push_back(inversionKindName(kind));
        list.push_back({{"victim", jsonThread(analyzed.store(), inversion->victim)},
                        {"kinds", std::move(kinds)},
                        {"begin_ns", relativeTime(inversion->range.begin, origin)},
                        {"end_ns", relativeTime(inversion->range.end, origin)},
                        {"confidence", confidenceName(inversion->confidence)},
                        {"sentence", inversionSentence(analyzed, *inversion)}});
    }
    document.data["explanations"] = std::move(list);
    return document;
}

} // namespace inversight
