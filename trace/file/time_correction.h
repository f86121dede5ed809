// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "trace/file/byte_order.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace inversight {

/// How far a guest's clock was from its host's at one time.
struct TimeSample {
    std::int64_t time = 0;
    std::int64_t offset = 0;
    std::uint64_t scaling = 1; ///< with `fraction` binary places
    std::uint32_t fraction = 0;
};

/// The TIME_SHIFT option: per CPU of a guest, samples in the order of their times.
struct TimeShift {
    bool interpolate = false; ///< offsets change evenly between samples
    bool sameForAll = false;  ///< there is one list
    std::vector<std::vector<TimeSample>> cpus;

    /// Both layouts trace-cmd has written: up to 2.9 one list of times and offsets for all CPUs,
    /// later a list per CPU with scalings, since 3.0 followed by the scalings' fraction bits.
    [[nodiscard]] static Result<TimeShift> parse(std::string_view content, ByteOrder order);
    [[nodiscard]] std::span<const TimeSample> ofCpu(int cpu) const;
};

/// How recorded times become the times to show, in trace-cmd's order: a guest's time is shifted to
/// its host's; then, where a TSC calibration was saved, (time * multiplier) >> shift; then the
/// offsets of --date and --ts-offset are added.
struct TimeCorrection {
    std::int64_t date = 0;        ///< ns from the clock to the time of day
    std::int64_t offset = 0;      ///< in the clock's unit
    std::uint32_t multiplier = 0; ///< 0: no calibration
    std::uint32_t shift = 0;
    TimeShift guest;

    /// Of a file without TIME_SHIFT.
    [[nodiscard]] std::int64_t apply(std::uint64_t time) const {
        __extension__ typedef unsigned __int128 Wide;
        if (multiplier != 0)
            time = static_cast<std::uint64_t>((Wide{time} * multiplier) >> shift);
        return static_cast<std::int64_t>(time + static_cast<std::uint64_t>(offset) +
                                         static_cast<std::uint64_t>(date));
    }
};

/// The correction of one CPU's times. Refers to the TimeCorrection it was made from.
class CpuTime {
public:
    /// A clock that counts ticks stays what it is: a date in ns means nothing to it.
    enum class Date { Add, Ignore };
    CpuTime(const TimeCorrection& correction, int cpu, Date date)
        : correction_(&correction), samples_(correction.guest.ofCpu(cpu)),
          interpolate_(correction.guest.interpolate),
          undo_(date == Date::Add ? 0 : static_cast<std::uint64_t>(correction.date)) {}

    [[nodiscard]] std::int64_t apply(std::uint64_t time) const {
        if (!samples_.empty()) [[unlikely]]
            time = toHost(time);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(correction_->apply(time)) -
                                         undo_);
    }

private:
    [[nodiscard]] std::uint64_t toHost(std::uint64_t time) const;

    const TimeCorrection* correction_;
    std::span<const TimeSample> samples_;
    bool interpolate_;
    std::uint64_t undo_;
};

} // namespace inversight
