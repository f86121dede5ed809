// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/wait_document.h"

#include "trace/export/trace_summary.h"

namespace inversight {

namespace {

class WaitWriter {
public:
    explicit WaitWriter(const AnalyzedTrace& analyzed)
        : analyzed_(analyzed), store_(analyzed.store()), origin_(store_.range().begin),
          events_(analyzed.results.get<LockEvents>()),
          lockWaits_(analyzed.results.get<LockWaits>()),
          helperWaits_(analyzed.results.get<HelperWaits>()),
          decomposition_(analyzed.results.get<Decomposition>()),
          boosts_(analyzed.results.get<Boosts>()) {}

    Json waits() const;
    Json inversions(const Inversions& all) const;

private:
    std::int64_t relative(std::int64_t time) const { return relativeTime(time, origin_); }
    Json thread(ThreadId id) const { return jsonThread(store_, id); }
    Json lock(LockId id) const {
        const auto name = events_ ? lockName(*events_, id) : std::nullopt;
        return name ? Json(*name) : Json(nullptr);
    }
    Json parts(std::size_t lockWait) const;
    Json holds(std::uint32_t row) const;
    Json lockWait(std::size_t index) const;
    Json helperWait(std::size_t index) const;
    Json inversion(const Inversion& inversion) const;
    static Json partsObject(const PartTotals& totals);

    const AnalyzedTrace& analyzed_;
    const TraceStore& store_;
    const std::int64_t origin_;
    const std::shared_ptr<const LockEvents> events_;
    const std::shared_ptr<const LockWaits> lockWaits_;
    const std::shared_ptr<const HelperWaits> helperWaits_;
    const std::shared_ptr<const Decomposition> decomposition_;
    const std::shared_ptr<const Boosts> boosts_;
};

Json WaitWriter::partsObject(const PartTotals& totals) {
    Json json = Json::object();
    for (std::size_t part = 0; part < kWaitPartCount; ++part)
        json[waitPartName(static_cast<WaitPart>(part))] = totals[part];
    return json;
}

Json WaitWriter::parts(std::size_t lockWait) const {
    if (!decomposition_)
        return nullptr;
    return partsObject(decomposition_->partsOfLockWait(*lockWaits_, lockWait));
}

Json WaitWriter::holds(std::uint32_t row) const {
    Json list = Json::array();
    for (const HoldShare& share : decomposition_->holds(row))
        list.push_back(
            {{"owner", thread(share.owner)}, {"kind", holdKindName(share.kind)}, {"ns", share.ns}});
    return list;
}

Json WaitWriter::lockWait(std::size_t index) const {
    const LockWait& wait = lockWaits_->waits[index];
    Json chain = nullptr;
    if (wait.owner.valid()) {
        chain = Json::array();
        for (const ThreadId owner : ownerChain(*lockWaits_, wait))
            chain.push_back(thread(owner));
    }
    const std::uint32_t row =
        decomposition_ ? decomposition_->ofLockWait[index] : Decomposition::kNone;
    Json holding = nullptr;
    if (row != Decomposition::kNone)
        holding = holds(row);
    else if (decomposition_) // nobody else's
        holding =
            Json::array({{{"owner", nullptr}, {"kind", "none"}, {"ns", wait.range.length()}}});
    const bool acquired = wait.acquired && wait.endSeen;
    const WaitOn on = row != Decomposition::kNone ? decomposition_->waits[row].on : WaitOn::Lock;
    return {{"thread", thread(wait.thread)},
            {"on", waitOnName(on)},
            {"lock", lock(wait.lock)},
            {"source", lockSourceName(wait.source)},
            {"request_ns", relative(wait.range.begin)},
            {"acquire_ns", acquired ? Json(relative(wait.range.end)) : Json(nullptr)},
            {"end_ns", relative(wait.range.end)},
            {"end_seen", wait.endSeen},
            {"contended", wait.contended},
            {"owner_chain", std::move(chain)},
            {"evidence", wait.evidence ? Json(ownerEvidenceName(*wait.evidence)) : Json(nullptr)},
            {"confidence", confidenceName(wait.confidence)},
            {"parts_ns", parts(index)},
            {"holds", std::move(holding)}};
}

Json WaitWriter::helperWait(std::size_t index) const {
    const HelperWait& wait = helperWaits_->waits[index];
    const std::uint32_t row = decomposition_->ofHelperWait[index];
    return {{"thread", thread(wait.thread)},
            {"on", waitOnName(WaitOn::Helper)},
            {"lock", nullptr},
            {"source", "wakeup"},
            {"request_ns", relative(wait.range.begin)},
            {"acquire_ns", relative(wait.range.end)},
            {"end_ns", relative(wait.range.end)},
            {"end_seen", true},
            {"contended", true},
            {"owner_chain", Json::array({thread(wait.helper)})},
            {"evidence", ownerEvidenceName(OwnerEvidence::Waker)},
            {"confidence", confidenceName(wait.confidence)},
            {"parts_ns", partsObject(decomposition_->parts(row))},
            {"holds", holds(row)}};
}

Json WaitWriter::waits() const {
    if (!lockWaits_)
        return nullptr;
    Json list = Json::array();
    for (std::size_t i = 0; i < lockWaits_->waits.size(); ++i) {
        const LockWait& wait = lockWaits_->waits[i];
        if (analyzed_.includes(wait.range) && analyzed_.includes({wait.thread, wait.owner}) &&
            analyzed_.includes(wait.lock))
            list.push_back(lockWait(i));
    }
    if (!helperWaits_ || !decomposition_)
        return list;
    for (std::size_t i = 0; i < helperWaits_->waits.size(); ++i) {
        const HelperWait& wait = helperWaits_->waits[i];
        if (analyzed_.includes(wait.range) && analyzed_.includes({wait.thread, wait.helper}) &&
            analyzed_.includes(LockId::none()))
            list.push_back(helperWait(i));
    }
    return list;
}

Json WaitWriter::inversion(const Inversion& inversion) const {
    Json kinds = Json::array();
    for (const InversionKind kind : kInversionKinds)
        if (inversion.is(kind))
            kinds.push_back(inversionKindName(kind));
    Json midBy = Json::array();
    Json midShares = Json::array();
    for (const MidShare& share : inversion.midBy) {
        midBy.push_back(thread(share.by));
        midShares.push_back({{"thread", thread(share.by)}, {"ns", share.ns}});
    }
    Json boostAfter = nullptr;
    if (boosts_ && inversion.boost != Decomposition::kNone &&
        inversion.wait != Decomposition::kNone)
        boostAfter =
            boosts_->boosts[inversion.boost].range.begin < inversion.range.begin
                ? Json(0)
                : Json(boosts_->boosts[inversion.boost].range.begin - inversion.range.begin);
    return {{"victim", thread(inversion.victim)},
            {"lock", lock(inversion.lock)},
            {"owner", thread(inversion.owner)},
            {"kinds", std::move(kinds)},
            {"begin_ns", relative(inversion.range.begin)},
            {"end_ns", relative(inversion.range.end)},
            {"inverted_ns", inversion.invertedNs},
            {"mid_ns", inversion.midNs},
            {"mid_by", std::move(midBy)},
            {"mid_shares", std::move(midShares)},
            {"boost_after_ns", std::move(boostAfter)},
            {"violation_ns", inversion.violationNs},
            {"confidence", confidenceName(inversion.confidence)}};
}

Json WaitWriter::inversions(const Inversions& all) const {
    Json list = Json::array();
    for (const Inversion& row : all.inversions)
        if (analyzed_.includes(row.range) && analyzed_.includes({row.victim, row.owner}) &&
            analyzed_.includes(row.lock))
            list.push_back(inversion(row));
    return list;
}

} // namespace

Json waitsJson(const AnalyzedTrace& analyzed) {
    return WaitWriter(analyzed).waits();
}

Json inversionsJson(const AnalyzedTrace& analyzed) {
    const auto inversions = analyzed.results.get<Inversions>();
    return inversions ? WaitWriter(analyzed).inversions(*inversions) : Json(nullptr);
}

} // namespace inversight
