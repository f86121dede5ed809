// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#pragma once

#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "trace/file/byte_order.h"
#include "trace/file/chunk_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace inversight {

/// A record's bytes, from its common fields on, and what keeps them where they are.
struct RecordBytes {
    std::span<const std::byte> data;
    std::shared_ptr<const void> owner; ///< null: the RecordStore itself
};

/// Keeps a file's bytes reachable for as long as somebody refers to them: a read-only mapping of
/// the size the file had when it was opened, or bytes in memory. Reentrant; share it.
///
/// Offsets (RecordRef, EventHeader::offset) below the file's size are the file's own. Those behind
/// it are in trace data that is compressed in the file: readDat() registers its chunk tables here,
/// and record() unpacks what is asked for and keeps the last of it.
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
    /// Bytes that are in no file, for fuzzers and tests; `path` names them in errors.
    [[nodiscard]] static std::shared_ptr<const RecordStore> fromBytes(std::string bytes,
                                                                      std::string path);
    ~RecordStore();
    RecordStore(const RecordStore&) = delete;
    RecordStore& operator=(const RecordStore&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// Truncated if the file has become shorter than its mapping.
    [[nodiscard]] Result<void> checkSize() const;

    /// The file's bytes from `offset` on, copied to `out` by one system call where that is cheaper
    /// than touching a mapping page by page: for reading it all once. `out` lies inside bytes().
    /// False if the system could not; then bytes() is the way.
    [[nodiscard]] bool read(std::uint64_t offset, std::span<std::byte> out) const;

    /// Makes compressed trace data reachable; yields the offset of its first byte. What a store
    /// holds does not change by it, so a shared const store may be told.
    [[nodiscard]] std::uint64_t addChunks(std::shared_ptr<const ChunkTable> table) const;

    /// The record at the offset an event was delivered with. Corrupt if no data record is there.
    [[nodiscard]] Result<RecordBytes> record(ByteOrder order, std::uint64_t offset) const;

private:
    RecordStore(std::string path, UniqueFd fd, std::span<const std::byte> mapping);
    RecordStore(std::string path, std::string bytes);

    std::string path_;
    UniqueFd fd_; ///< none: the bytes are owned_
    std::string owned_;
    std::span<const std::byte> bytes_;
    std::unique_ptr<ChunkCache> chunks_;
};

} // namespace inversight
