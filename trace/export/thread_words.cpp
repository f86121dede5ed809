// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/export/thread_words.h"

#include "core/base/time_format.h"
#include "trace/export/text_table.h"

#include <fmt/format.h>

namespace inversight {

ThreadWords::ThreadWords(const AnalyzedTrace& analyzed)
    : store_(analyzed.store()), priorities_(analyzed.results.get<Priorities>()),
      events_(analyzed.results.get<LockEvents>()), classes_(classesByManifest(analyzed.trace)) {
    for (std::uint32_t i = 0; i < store_.threads().size(); ++i)
        ++nameCounts_[store_.threadName(ThreadId{i})];
}

std::string ThreadWords::name(ThreadId thread) const {
    if (!thread.valid())
        return "an unknown thread";
    const std::string name = store_.threadName(thread);
    const bool shared = nameCounts_.at(name) > 1 && !store_.threads()[thread].isIdle();
    return shared ? fmt::format("{} {}", printable(name), store_.threads()[thread].tid)
                  : printable(name);
}

std::string ThreadWords::priority(ThreadId thread, std::int64_t time) const {
    const auto named = classes_.find(store_.threads()[thread].tid);
    if (named != classes_.end())
        return named->second;
    const auto base = priorities_ ? priorities_->baseAt(thread, time) : std::nullopt;
    return base ? formatKernelPriority(*base) : "";
}

std::string ThreadWords::withPriority(ThreadId thread, std::int64_t time) const {
    if (!thread.valid())
        return "an unknown thread";
    const std::string words = priority(thread, time);
    return words.empty() ? name(thread) : fmt::format("{} ({})", name(thread), words);
}

std::string ThreadWords::lock(LockId lock) const {
    constexpr std::string_view kBusLock = " bus lock";
    const auto named = events_ ? lockName(*events_, lock) : std::nullopt;
    if (!named)
        return "an unknown lock";
    const std::string name = printable(*named);
    if (name.ends_with(kBusLock))
        return "bus lock " + name.substr(0, name.size() - kBusLock.size());
    const bool saysWhat = events_->locks[lock.index()].source != LockSource::Marker;
    return saysWhat ? name : "lock " + name;
}

} // namespace inversight
