// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/analysis/open_waits.h"

namespace inversight {

OpenWaits::OpenWaits(const LockWaits& waits) : waits_(waits), threads_(waits.byThread.size()) {}

const LockWait* OpenWaits::innermost(ThreadId thread, std::int64_t time) {
    if (thread.index() >= threads_.size())
        return nullptr;
    ThreadState& state = threads_[thread.index()];
    const std::vector<std::uint32_t>& all = waits_.byThread[thread.index()];
    const auto over = [&](std::uint32_t index) { return waits_.waits[index].range.end <= time; };
    for (; state.next < all.size() && waits_.waits[all[state.next]].range.begin <= time;
         ++state.next)
        if (!over(all[state.next]))
            state.open.push_back(all[state.next]);
    std::erase_if(state.open, over);
    return state.open.empty() ? nullptr : &waits_.waits[state.open.back()];
}

} // namespace inversight
