// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "tests/support/trace_script.h"
#include "trace/analysis/analysis.h"

#include <gmock/gmock.h>

#include <memory>

namespace inversight::test {

/// A trace with all its analyses run.
class AnalyzedStore {
public:
    explicit AnalyzedStore(std::shared_ptr<const TraceStore> traceStore)
        : store(std::move(traceStore)) {
        const auto done = runAnalyses(*store, results, JobContext());
        EXPECT_TRUE(done.has_value());
        for (const AnalysisRow& row : analyses())
            EXPECT_EQ(results.state(row.id), AnalysisState::Ready) << row.name;
    }
    explicit AnalyzedStore(const TraceScript& script) : AnalyzedStore(script.toStore()) {}

    template <class T>
    [[nodiscard]] const T& get() const {
        return *results.get<T>(); // kept alive by `results`
    }
    [[nodiscard]] ThreadId thread(std::int32_t tid, std::int64_t time = 0,
                                  std::int32_t cpu = 0) const {
        return store->threads().find(tid, cpu, time);
    }

    std::shared_ptr<const TraceStore> store;
    AnalysisResults results;
};

/// Addresses of two kernel locks.
inline constexpr std::uint64_t kA = 0xffff00a0;
inline constexpr std::uint64_t kB = 0xffff00b0;

inline constexpr std::uint32_t kFutexWait = 0x80;
inline constexpr std::uint32_t kLockPi = 0x86;
inline constexpr std::uint32_t kUnlockPi = 0x87;

} // namespace inversight::test
