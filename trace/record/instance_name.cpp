// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/record/instance_name.h"

#include "core/base/unique_fd.h"

#include <cerrno>
#include <charconv>
#include <unistd.h>

namespace inversight {

namespace {

constexpr std::string_view kPrefix = "inversight-";
constexpr int kStartTimeField = 22;
constexpr int kFirstFieldBehindName = 3; ///< the name in parentheses is field 2

/// The whole of `text` as a positive number without sign or leading zeros.
template <class Integer>
std::optional<Integer> parsePositive(std::string_view text) {
    Integer value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value <= 0 || text[0] == '0')
        return std::nullopt;
    return value;
}

} // namespace

std::string instanceName(const InstanceOwner& owner) {
    return std::string(kPrefix) + std::to_string(owner.pid) + "-" + std::to_string(owner.startTime);
}

std::optional<InstanceOwner> parseInstanceName(std::string_view name) {
    if (!name.starts_with(kPrefix))
        return std::nullopt;
    name.remove_prefix(kPrefix.size());
    const std::size_t dash = name.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto pid = parsePositive<pid_t>(name.substr(0, dash));
    const auto startTime = parsePositive<std::uint64_t>(name.substr(dash + 1));
    if (!pid || !startTime)
        return std::nullopt;
    return InstanceOwner{*pid, *startTime};
}

Result<std::uint64_t> processStartTime(pid_t pid) {
    const std::string path = "/proc/" + std::to_string(pid) + "/stat";
    const std::string stat = TRY(readFile(path));
    // The name may hold blanks and parentheses: count from its last one.
    std::size_t position = stat.rfind(')');
    for (int field = kFirstFieldBehindName; field <= kStartTimeField; ++field)
        if (position != std::string::npos)
            position = stat.find(' ', position + 1);
    if (position != std::string::npos) {
        const std::size_t end = stat.find(' ', position + 1);
        const auto value = parsePositive<std::uint64_t>(
            std::string_view(stat).substr(position + 1, end - position - 1));
        if (value)
            return *value;
    }
    return std::unexpected(Error{ErrorCode::Corrupt, "the process status has no start time", path});
}

Result<InstanceOwner> thisProcess() {
    const pid_t pid = ::getpid();
    return InstanceOwner{pid, TRY(processStartTime(pid))};
}

bool ownerIsDead(const InstanceOwner& owner) {
    const auto startTime = processStartTime(owner.pid);
    if (!startTime)
        return startTime.error().code == ErrorCode::NotFound;
    return *startTime != owner.startTime;
}

} // namespace inversight
