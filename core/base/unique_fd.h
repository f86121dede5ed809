// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace inversight {

/// Owns a file descriptor and closes it. Thread-bound.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) {
            reset();
            fd_ = std::exchange(other.fd_, -1);
        }
        return *this;
    }
    ~UniqueFd() { reset(); }

    /// open(2) with O_CLOEXEC added; the error names the path.
    [[nodiscard]] static Result<UniqueFd> open(const std::string& path, int flags,
                                               unsigned mode = 0644);

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
    [[nodiscard]] int release() { return std::exchange(fd_, -1); }
    void reset();

private:
    int fd_ = -1;
};

/// Writes all bytes (retrying after EINTR and short writes); `where` names the file in an error.
[[nodiscard]] Result<void> writeAll(int fd, std::span<const std::byte> bytes,
                                    std::string_view where);
[[nodiscard]] Result<void> writeAll(int fd, std::string_view text, std::string_view where);

/// The whole content of a file, also of one whose size is unknown (procfs, tracefs).
[[nodiscard]] Result<std::string> readFile(const std::string& path);

} // namespace inversight
