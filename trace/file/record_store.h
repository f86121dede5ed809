// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace inversight {

/// Keeps a file's bytes reachable for as long as somebody refers to them: a read-only mapping of
/// the size the file had when it was opened, or bytes in memory. Reentrant; share it.
///
/// A file that somebody shortens while it is mapped would end the process with SIGBUS on the next
/// access, so whoever is about to walk over much of it calls checkSize() first. Files are opened
/// read-only and never changed here.
class RecordStore {
public:
    /// NotFound, PermissionDenied or Io from the system; InvalidArgument if it is no regular file.
    [[nodiscard]] static Result<std::shared_ptr<const RecordStore>> open(const std::string& path);
    /// Of a file that is open already, under the name `path`.
    [[nodiscard]] static Result<std::shared_ptr<const RecordStore>> fromFile(UniqueFd fd,
                                                                             std::string path);
    /// Of bytes in memory, under the name `path`.
    [[nodiscard]] static std::shared_ptr<const RecordStore> fromBytes(std::string bytes,
                                                                      std::string path);
    ~RecordStore();
    RecordStore(const RecordStore&) = delete;
    RecordStore& operator=(const RecordStore&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Truncated if the file has become shorter than its mapping.
    [[nodiscard]] Result<void> checkSize() const;

private:
    RecordStore(std::string path, UniqueFd fd, std::span<const std::byte> bytes)
        : path_(std::move(path)), fd_(std::move(fd)), bytes_(bytes) {}
    RecordStore(std::string path, std::string bytes)
        : path_(std::move(path)), owned_(std::move(bytes)),
          bytes_(std::as_bytes(std::span(owned_))) {}

    std::string path_;
    UniqueFd fd_;
    std::string owned_; ///< of fromBytes
    std::span<const std::byte> bytes_;
};

} // namespace inversight
