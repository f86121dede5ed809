// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/model/trace_store.h"

namespace inversight {

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
