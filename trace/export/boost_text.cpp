// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/boost_text.h"

#include "core/base/time_format.h"
#include "trace/export/json_document.h"
#include "trace/export/text_table.h"
#include "trace/export/trace_summary.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace inversight {

namespace {

class BoostReport {
public:
    BoostReport(const AnalyzedTrace& analyzed, const Boosts& boosts)
        : store_(analyzed.store()), events_(analyzed.results.get<LockEvents>()) {
        for (const Boost& boost : boosts.boosts)
            if (analyzed.includes(boost.range) && analyzed.includes({boost.target, boost.donor}) &&
                analyzed.includes(boost.lock))
                boosts_.push_back(&boost);
    }

    std::string text() const {
        if (boosts_.empty())
            return "Boosts: none\n";
        return fmt::format("Boosts: {}\n", boosts_.size()) + summary() + "\n" + lines();
    }

private:
    std::string lock(LockId id) const {
        const auto name = events_ ? lockName(*events_, id) : std::nullopt;
        return name ? printable(*name) : "an unknown lock";
    }
    /// Each level that raised it further than the ones before.
    static std::vector<BoostLevel> rises(const Boost& boost) {
        std::vector<BoostLevel> list;
        for (const BoostLevel& level : boost.levels)
            if (list.empty() || level.prio < list.back().prio)
                list.push_back(level);
        return list;
    }
    /// "prio-m5 (105), then fifo-99 (106)"
    std::string donors(const Boost& boost) const {
        std::string text;
        ThreadId last;
        for (const BoostLevel& level : rises(boost)) {
            if (!text.empty() && level.donor == last)
                continue;
            text += text.empty() ? "" : ", then ";
            text += level.donor.valid() ? threadLabel(store_, level.donor) : "an unknown thread";
            last = level.donor;
        }
        return text;
    }
    /// "nice 0 -> nice -5 -> RT 99"
    static std::string rise(const Boost& boost) {
        std::string text = formatKernelPriority(boost.fromPrio);
        for (const BoostLevel& level : rises(boost))
            text += " -> " + formatKernelPriority(level.prio);
        return text + (boost.nominal ? " (nominal)" : "");
    }

    std::string summary() const;
    std::string lines() const;
    static std::string remarks(const Boost& boost);

    const TraceStore& store_;
    const std::shared_ptr<const LockEvents> events_;
    std::vector<const Boost*> boosts_;
};

std::string BoostReport::summary() const {
    using Key = std::tuple<std::string, std::string, std::string, std::string>;
    struct Sum {
        std::uint64_t count = 0;
        std::int64_t totalNs = 0;
        std::int64_t longestNs = 0;
    };
    std::map<Key, Sum> sums;
    for (const Boost* boost : boosts_) {
        Sum& sum = sums[{threadLabel(store_, boost->target), rise(*boost), donors(*boost),
                         lock(boost->lock)}];
        const std::int64_t length = relativeTime(boost->range.end, boost->range.begin);
        ++sum.count;
        sum.totalNs += length;
        sum.longestNs = std::max(sum.longestNs, length);
    }
    std::vector<std::pair<Key, Sum>> order(sums.begin(), sums.end());
    std::ranges::stable_sort(order, std::greater{},
                             [](const auto& entry) { return entry.second.count; });
    TextTable table({{"count", Align::Right},
                     {"boosted"},
                     {"priority"},
                     {"because of"},
                     {"on"},
                     {"total", Align::Right},
                     {"longest", Align::Right}});
    for (const auto& [key, sum] : order)
        table.addRow({std::to_string(sum.count), std::get<0>(key), std::get<1>(key),
                      std::get<2>(key), std::get<3>(key), formatDuration(sum.totalNs),
                      formatDuration(sum.longestNs)});
    return table.toText();
}

std::string BoostReport::remarks(const Boost& boost) {
    std::string text = confidenceName(boost.confidence);
    if (!boost.beginSeen)
        text += ", began unseen";
    if (!boost.endSeen)
        text += ", end not seen";
    return text;
}

std::string BoostReport::lines() const {
    TextTable table({{"from (s)", Align::Right},
                     {"to (s)", Align::Right},
                     {"duration", Align::Right},
                     {"boosted"},
                     {"priority"},
                     {"because of"},
                     {"on"},
                     {"confidence"}});
    const std::int64_t origin = store_.range().begin;
    for (const Boost* boost : boosts_)
        table.addRow({formatSeconds(relativeTime(boost->range.begin, origin)),
                      formatSeconds(relativeTime(boost->range.end, origin)),
                      formatDuration(relativeTime(boost->range.end, boost->range.begin)),
                      threadLabel(store_, boost->target), rise(*boost), donors(*boost),
                      lock(boost->lock), remarks(*boost)});
    return table.toText();
}

} // namespace

std::string boostsText(const AnalyzedTrace& analyzed) {
    const auto boosts = analyzed.results.get<Boosts>();
    if (!boosts)
        return "Boosts: not available\n";
    return BoostReport(analyzed, *boosts).text();
}

} // namespace inversight
