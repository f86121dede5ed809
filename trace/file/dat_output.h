// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "trace/file/byte_order.h"
#include "trace/file/trace_dat_writer.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>

namespace inversight {

/// The stream a trace.dat is written to, and how far it is. Thread-bound.
class DatOutput {
public:
    DatOutput(std::ostream& out, const JobContext& job);

    /// Bytes since the file's begin, which is where the stream stood.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    void put(std::string_view bytes);
    void put(std::span<const std::byte> bytes);
    /// Zeros up to the next multiple.
    void align(std::uint64_t alignment);
    /// Zeros up to a position that was not passed yet.
    void fillTo(std::uint64_t position);
    /// Whether what was written can be completed.
    [[nodiscard]] bool canPatch() const { return begin_ >= 0; }
    /// Writes over a number of 8 bytes.
    void patch(std::uint64_t position, std::uint64_t value, ByteOrder order);

    /// Calls `use` with all pages of a CPU, batch by batch. Truncated unless there are as many as
    /// was said; Cancelled; Io.
    template <class Use>
    [[nodiscard]] Result<void> supply(const BufferToWrite::Cpu& cpu, Use&& use) {
        std::uint64_t done = 0;
        while (true) {
            const std::span<const std::byte> pages = TRY(cpu.pages());
            if (pages.empty())
                return checkSupplied(cpu, done);
            done += pages.size();
            TRY(use(pages));
            TRY(check());
        }
    }
    [[nodiscard]] Result<void> finish();

private:
    [[nodiscard]] Result<void> check() const;
    [[nodiscard]] static Result<void> checkSupplied(const BufferToWrite::Cpu& cpu,
                                                    std::uint64_t size);

    std::ostream& out_;
    const JobContext& job_;
    std::int64_t begin_; ///< in the stream; below 0: it is a pipe
    std::uint64_t position_ = 0;
};

} // namespace inversight
