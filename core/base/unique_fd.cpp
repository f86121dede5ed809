// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "core/base/unique_fd.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace inversight {

Result<UniqueFd> UniqueFd::open(const std::string& path, int flags, unsigned mode) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    if (fd < 0)
        return std::unexpected(Error::fromErrno(errno, "cannot open", path));
    return UniqueFd(fd);
}

void UniqueFd::reset() {
    if (fd_ >= 0)
        ::close(std::exchange(fd_, -1));
}

Result<void> writeAll(int fd, std::span<const std::byte> bytes, std::string_view where) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return std::unexpected(Error::fromErrno(errno, "cannot write", std::string(where)));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> writeAll(int fd, std::string_view text, std::string_view where) {
    return writeAll(fd, std::as_bytes(std::span(text.data(), text.size())), where);
}

Result<std::string> readFile(const std::string& path) {
    const UniqueFd fd = TRY(UniqueFd::open(path, O_RDONLY));
    std::string content;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return std::unexpected(Error::fromErrno(errno, "cannot read", path));
        if (count == 0)
            return content;
        content.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace inversight
