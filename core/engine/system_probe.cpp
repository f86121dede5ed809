// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/engine/system_probe.h"

#include "core/base/unique_fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <thread>

#include <linux/capability.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inversight {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

bool isOctal(char c) {
    return c >= '0' && c <= '7';
}

/// Blanks and backslashes stand as \040 and the like in /proc/self/mounts.
std::string resolveEscapes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 3 < text.size() &&
                            std::ranges::all_of(text.substr(i + 1, 3), isOctal);
        if (!escape) {
            result += text[i];
            continue;
        }
        result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                    (text[i + 3] - '0'));
        i += 3;
    }
    return result;
}

} // namespace

std::vector<MountEntry> readMounts(std::string_view text) {
    std::vector<MountEntry> mounts;
    for (const std::string_view line : split(text, '\n')) {
        const auto fields = split(line, ' ');
        if (fields.size() >= 4)
            mounts.push_back(
                {resolveEscapes(fields[1]), std::string(fields[2]), std::string(fields[3])});
    }
    return mounts;
}

std::string findTracefs(const std::vector<MountEntry>& mounts) {
    std::string first;
    for (const MountEntry& mount : mounts) {
        if (mount.type != "tracefs")
            continue;
        if (mount.path == "/sys/kernel/tracing")
            return mount.path;
        if (first.empty())
            first = mount.path;
    }
    return first;
}

std::string cpuCgroupPath(std::string_view cgroupText) {
    for (const std::string_view line : split(cgroupText, '\n')) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', std::min(first, line.size() - 1) + 1);
        if (second == std::string_view::npos)
            continue;
        const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
        if (std::ranges::find(controllers, "cpu") != controllers.end())
            return std::string(line.substr(second + 1));
    }
    return {};
}

bool listsClock(std::string_view traceClockText, std::string_view clock) {
    std::string words(traceClockText);
    // The clock in use stands in brackets.
    std::ranges::replace_if(words, [](char c) { return c == '[' || c == ']' || c == '\n'; }, ' ');
    return std::ranges::count(split(words, ' '), clock) > 0;
}

std::int64_t readNumber(const std::string& path, std::int64_t fallback) {
    const Result<std::string> text = readFile(path);
    std::int64_t number = 0;
    if (!text ||
        std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
        return fallback;
    return number;
}

bool hasCapability(int capability) {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
    if (syscall(SYS_capget, &header, data.data()) != 0)
        return false;
    const auto bit = static_cast<unsigned>(capability);
    return (data.at(bit / 32).effective >> (bit % 32)) & 1U;
}

int tryRealTime() {
    int result = EAGAIN;
    try {
        std::thread([&result] {
            const sched_param parameters{.sched_priority = 1};
            result = sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno;
        }).join();
    } catch (const std::system_error&) {
        return EAGAIN; // no thread could be made
    }
    return result;
}

} // namespace inversight
