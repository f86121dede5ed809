// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/trace_store.h"

namespace inversight {

std::uint32_t TraceStore::row(EventIndex event) const {
    const auto kind = static_cast<std::size_t>(types_[type(event).index()].kind);
    std::uint32_t found = kNoRow;
    if (kind == static_cast<std::size_t>(EventKind::Other))
        return found;
    visitRowType(kind - 1, [&]<class Row>(std::type_identity<Row>) {
        const EventTable<Row>& rows = table<Row>();
        if (const std::size_t row = rows.find(event); row < rows.size())
            found = static_cast<std::uint32_t>(row);
    });
    return found;
}

std::string TraceStore::threadName(ThreadId id) const {
    if (id.index() >= threads_.size())
        return "unknown";
    const ThreadInfo& thread = threads_[id];
    if (thread.isIdle())
        return thread.idleCpu < 0 ? "idle" : "idle/" + std::to_string(thread.idleCpu);
    if (!thread.name.valid())
        return "<" + std::to_string(thread.tid) + ">";
    return std::string(text(thread.name));
}

} // namespace inversight
