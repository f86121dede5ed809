// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/dat_options.h"

#include "trace/file/field_line.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace inversight {

namespace {

/// A number as C writes it, decimal or with 0x, after an optional sign.
std::optional<std::int64_t> parseNumber(std::string_view text) {
    text = trimBlanks(withoutZeros(text));
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::int64_t value = 0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (failure != std::errc() || end == text.data())
        return std::nullopt;
    return negative ? -value : value;
}

void warn(DatFile& file, std::string text) {
    file.warnings.push_back(std::move(text));
}

void readTimeOffset(DatFile& file, std::int64_t& sum, std::int64_t unit, std::string_view content) {
    const std::optional<std::int64_t> value = parseNumber(content);
    std::int64_t offset = 0;
    if (!value || __builtin_mul_overflow(*value, unit, &offset) ||
        __builtin_add_overflow(sum, offset, &offset))
        return warn(file, "the time offset of the file is not a number; times are as recorded");
    sum = offset;
}

void readCalibration(DatFile& file, std::string_view content) {
    if (content.size() < 8)
        return warn(file, "the TSC calibration of the file is too short; times stay ticks");
    const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
    file.time.multiplier = loadInteger<std::uint32_t>(bytes, file.order);
    file.time.shift = loadInteger<std::uint32_t>(bytes + 4, file.order) & 63;
}

void readTimeShift(DatFile& file, std::string_view content) {
    Result<TimeShift> shift = TimeShift::parse(content, file.order);
    if (shift)
        file.time.guest = *std::move(shift);
    else
        file.warnings.push_back("the time shift of this guest's file is damaged, its times stay "
                                "the guest's: " +
                                shift.error().sentence());
}

} // namespace

std::string_view withoutZeros(std::string_view text) {
    return text.substr(0, std::min(text.find('\0'), text.size()));
}

std::optional<std::string> plausibleClock(std::string_view name) {
    const bool plausible =
        !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
    return plausible ? std::optional<std::string>(name) : std::nullopt;
}

std::optional<std::string> markedClock(std::string_view text) {
    const std::size_t begin = text.find('[');
    const std::size_t end = text.find(']', begin == std::string_view::npos ? 0 : begin);
    if (begin == std::string_view::npos || end == std::string_view::npos)
        return std::nullopt;
    return plausibleClock(text.substr(begin + 1, end - begin - 1));
}

void readPlainOption(DatFile& file, std::uint16_t id, std::string_view content) {
    constexpr std::int64_t kNsPerUs = 1000;
    // Those behind it lead to places in the file, or are not known.
    if (id <= kOptionTscCalibration)
        file.options.push_back({id, content});
    switch (id) {
    case kOptionCpuStat:
        file.cpuStats.push_back(withoutZeros(content));
        break;
    case kOptionUname:
        file.systemName = withoutZeros(content);
        break;
    case kOptionVersion:
        file.writerVersion = withoutZeros(content);
        break;
    case kOptionDate:
        return readTimeOffset(file, file.time.date, kNsPerUs, content);
    case kOptionTimeOffset:
        return readTimeOffset(file, file.time.offset, 1, content);
    case kOptionTimeShift:
        return readTimeShift(file, content);
    case kOptionTscCalibration:
        return readCalibration(file, content);
    default:
        break;
    }
}

} // namespace inversight
