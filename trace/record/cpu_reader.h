// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "trace/file/page_layout.h"
#include "trace/file/spool.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace inversight {

/// Events missing before a raw ring-buffer page, by its own flags: 0 if none, 1 if the kernel does
/// not say how many. `page` is a whole page.
[[nodiscard]] std::uint64_t lostBeforePage(const PageLayout& layout,
                                           std::span<const std::byte> page);

/// Moves the raw pages of one CPU's ring buffer into the spool, on a thread of its own that blocks
/// all signals. It sleeps until the kernel's buffer is as full as the instance's buffer_percent
/// says, and at most 100 ms, so that little is lost if the whole process is killed. Thread-bound,
/// but for the counters.
class CpuReader {
public:
    /// `spool` must outlive the reader. `tracePipe` is trace_pipe_raw, open for non-blocking reads.
    [[nodiscard]] static Result<std::unique_ptr<CpuReader>> start(int cpu, UniqueFd tracePipe,
                                                                  const PageLayout& layout,
                                                                  Spool& spool,
                                                                  std::span<const int> allowedCpus);
    /// Stops without asking for the result.
    ~CpuReader();
    CpuReader(const CpuReader&) = delete;
    CpuReader& operator=(const CpuReader&) = delete;

    /// Reads what is left (switch tracing off before), and ends the thread. The error is the first
    /// one met while reading or spooling; everything before it is in the spool.
    [[nodiscard]] Result<void> stop();

    [[nodiscard]] int cpu() const { return cpu_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    /// By the pages' own flags.
    [[nodiscard]] std::uint64_t lostCount() const {
        return lostCount_.load(std::memory_order_relaxed);
    }

private:
    CpuReader(int cpu, UniqueFd tracePipe, UniqueFd stopEvent, const PageLayout& layout,
              Spool& spool);
    [[nodiscard]] Result<void> launch(std::span<const int> allowedCpus);
    void join();
    void run();
    [[nodiscard]] Result<void> readUntilStopped();
    [[nodiscard]] Result<void> drain();
    [[nodiscard]] Result<std::size_t> readPages();

    const int cpu_;
    UniqueFd tracePipe_;
    UniqueFd stopEvent_;
    const PageLayout layout_;
    Spool& spool_;
    std::vector<std::byte> buffer_;
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<std::uint64_t> lostCount_{0};
    std::optional<Error> error_; ///< the thread's, until it has ended
    std::thread thread_;
};

} // namespace inversight
