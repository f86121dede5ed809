// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/time_correction.h"

#include "trace/file/byte_cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace inversight {

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

using Samples = std::vector<TimeSample>;

/// Room for a list of `count` numbers of 8 bytes, or an error: what is claimed is not allocated.
Result<void> expectNumbers(const ByteCursor& cursor, std::uint64_t count, std::uint64_t lists) {
    if (cursor.remaining() / 8 / lists >= count)
        return {};
    return std::unexpected(cursor.error(
        ErrorCode::Truncated, fmt::format("expected {} lists of {} numbers, the option has {} "
                                          "bytes left",
                                          lists, count, cursor.remaining())));
}

Result<Samples> readPairs(ByteCursor& cursor, std::uint64_t lists) {
    const std::uint32_t count = TRY(cursor.u32("the number of time samples"));
    TRY(expectNumbers(cursor, count, lists));
    Samples samples(count);
    for (TimeSample& sample : samples)
        sample.time = static_cast<std::int64_t>(TRY(cursor.u64("a sample's time")));
    for (TimeSample& sample : samples)
        sample.offset = static_cast<std::int64_t>(TRY(cursor.u64("a sample's offset")));
    return samples;
}

/// Sorted, one sample per time: what the arithmetic divides by is never 0.
void normalize(Samples& samples) {
    std::ranges::stable_sort(samples, {}, &TimeSample::time);
    const auto same = std::ranges::unique(samples, {}, &TimeSample::time);
    samples.erase(same.begin(), same.end());
}

Result<TimeShift> parseOne(ByteCursor cursor) {
    TRY(cursor.u64("the host's session"));
    TimeShift shift{.interpolate = true, .sameForAll = true, .cpus = {TRY(readPairs(cursor, 2))}};
    if (cursor.remaining() != 0)
        return std::unexpected(cursor.error(ErrorCode::Corrupt, "expected the option's end"));
    normalize(shift.cpus.front());
    return shift;
}

Result<void> readFractions(ByteCursor& cursor, TimeShift& shift) {
    constexpr std::uint64_t kMostBits = 63;
    for (Samples& samples : shift.cpus) {
        for (TimeSample& sample : samples) {
            const std::uint64_t bits = TRY(cursor.u64("the fraction bits of a scaling"));
            if (bits > kMostBits)
                return std::unexpected(cursor.error(
                    ErrorCode::Corrupt,
                    fmt::format("expected at most {} fraction bits, found {}", kMostBits, bits)));
            sample.fraction = static_cast<std::uint32_t>(bits);
        }
    }
    return {};
}

Result<TimeShift> parsePerCpu(ByteCursor cursor) {
    constexpr std::uint32_t kInterpolate = 1;
    TRY(cursor.u64("the host's session"));
    const std::uint32_t flags = TRY(cursor.u32("the flags of the synchronization"));
    const std::uint32_t cpus = TRY(cursor.u32("the number of CPUs"));
    TimeShift shift{.interpolate = (flags & kInterpolate) != 0, .sameForAll = false, .cpus = {}};
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
        shift.cpus.push_back(TRY(readPairs(cursor, 3)));
        for (TimeSample& sample : shift.cpus.back())
            sample.scaling = TRY(cursor.u64("a sample's scaling"));
    }
    if (cursor.remaining() > 0)
        TRY(readFractions(cursor, shift));
    std::ranges::for_each(shift.cpus, normalize);
    return shift;
}

} // namespace

Result<TimeShift> TimeShift::parse(std::string_view content, ByteOrder order) {
    ByteCursor cursor(std::as_bytes(std::span(content.data(), content.size())), order);
    cursor.enter("TIME_SHIFT");
    // The old layout has no mark of its own, but its size follows from its count.
    if (auto one = parseOne(cursor))
        return one;
    return parsePerCpu(cursor);
}

std::span<const TimeSample> TimeShift::ofCpu(int cpu) const {
    const auto index = sameForAll ? 0 : static_cast<std::size_t>(cpu);
    if (index >= cpus.size())
        return {};
    return cpus[index];
}

/// The samples around the time, or the two nearest ones; then as trace-cmd computes it.
std::uint64_t CpuTime::toHost(std::uint64_t time) const {
    if (samples_.size() == 1)
        return time + static_cast<std::uint64_t>(samples_.front().offset);
    const auto signedTime = static_cast<std::int64_t>(time);
    const auto after = std::upper_bound(
        samples_.begin() + 1, samples_.end() - 1, signedTime,
        [](std::int64_t value, const TimeSample& sample) { return value < sample.time; });
    const TimeSample& from = *std::prev(after);
    Wide offset = from.offset;
    if (interpolate_) {
        const Wide span = Wide{after->time} - from.time;
        offset +=
            ((Wide{signedTime} - from.time) * (Wide{after->offset} - from.offset) + span / 2) /
            span;
    }
    const auto scaled = static_cast<std::uint64_t>(
        (static_cast<UnsignedWide>(time) * from.scaling) >> from.fraction);
    return scaled + static_cast<std::uint64_t>(offset);
}

} // namespace inversight
