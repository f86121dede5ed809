// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/lock/lock_policies.h"

#include <atomic>
#include <cctype>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace inversight {

/// A test that runs for every row of the policy table with a real lock.
class EveryPolicy : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] const LockPolicyRow& row() const { return **findLockPolicy(GetParam()); }
    std::unique_ptr<LockPolicy> lock_ = row().makeReal();
};

/// The policies with a real lock; only those that make the promise `trait`, if one is given.
inline std::vector<std::string> realPolicyNames(bool LockTraits::* trait = nullptr) {
    std::vector<std::string> names;
    for (const LockPolicyRow& row : lockPolicies()) {
        if (row.makeReal && (!trait || row.traits.*trait))
            names.emplace_back(row.name);
    }
    return names;
}

inline std::string testNameOf(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c)))
            c = '_';
    }
    return name;
}

inline Waiter self(std::string name = "test") {
    return {.tid = gettid(), .name = std::move(name)};
}

inline bool acquired(const AcquireOutcome& outcome) {
    return std::holds_alternative<Acquired>(outcome);
}

/// The state letter of a thread of this process, from /proc.
inline char threadState(int tid) {
    std::ifstream file("/proc/self/task/" + std::to_string(tid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::size_t end = text.rfind(") ");
    return end == std::string::npos || end + 2 >= text.size() ? '?' : text[end + 2];
}

/// Whether `condition` comes true within `limit`.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition,
                              std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return true;
}

/// Waits until the thread whose tid appears in `tid` sleeps, in its wait for the lock.
[[nodiscard]] inline bool becomesBlocked(const std::atomic<int>& tid) {
    return eventually([&] { return tid.load() != 0 && threadState(tid.load()) == 'S'; });
}

} // namespace inversight
