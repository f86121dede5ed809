// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Inversight developers
#include "trace/file/record_store.h"

#include "trace/file/page_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inversight {

namespace {

Result<std::size_t> regularFileSize(int fd, const std::string& path) {
    struct stat status = {};
    if (fstat(fd, &status) != 0)
        return std::unexpected(Error::fromErrno(errno, "cannot look at the file", path));
    if (!S_ISREG(status.st_mode))
        return std::unexpected(Error{ErrorCode::InvalidArgument, "is not a regular file", path,
                                     "save what it yields to a file and open that"});
    return static_cast<std::size_t>(status.st_size);
}

} // namespace

RecordStore::RecordStore(std::string path, UniqueFd fd, std::span<const std::byte> mapping)
    : path_(std::move(path)), fd_(std::move(fd)), bytes_(mapping),
      chunks_(std::make_unique<ChunkCache>(bytes_)) {}

RecordStore::RecordStore(std::string path, std::string bytes)
    : path_(std::move(path)), owned_(std::move(bytes)),
      bytes_(std::as_bytes(std::span(owned_.data(), owned_.size()))),
      chunks_(std::make_unique<ChunkCache>(bytes_)) {}

Result<std::shared_ptr<const RecordStore>> RecordStore::open(const std::string& path) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer. It means nothing for regular files.
    return fromFile(TRY(UniqueFd::open(path, O_RDONLY | O_NONBLOCK)), path);
}

Result<std::shared_ptr<const RecordStore>> RecordStore::fromFile(UniqueFd fd, std::string path) {
    const std::size_t size = TRY(regularFileSize(fd.get(), path));
    std::span<const std::byte> bytes;
    if (size > 0) { // an empty mapping is an error to mmap
        void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
        if (address == MAP_FAILED)
            return std::unexpected(Error::fromErrno(errno, "cannot map the file", path));
        bytes = {static_cast<const std::byte*>(address), size};
    }
    return std::shared_ptr<const RecordStore>(
        new RecordStore(std::move(path), std::move(fd), bytes));
}

std::shared_ptr<const RecordStore> RecordStore::fromBytes(std::string bytes, std::string path) {
    return std::shared_ptr<const RecordStore>(new RecordStore(std::move(path), std::move(bytes)));
}

RecordStore::~RecordStore() {
    if (fd_ && !bytes_.empty())
        munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<void> RecordStore::checkSize() const {
    if (!fd_)
        return {};
    const std::size_t size = TRY(regularFileSize(fd_.get(), path_));
    if (size >= bytes_.size())
        return {};
    return std::unexpected(
        Error{ErrorCode::Truncated,
              fmt::format("the file was shortened from {} to {} bytes while it was open",
                          bytes_.size(), size),
              path_, "open it again"});
}

bool RecordStore::read(std::uint64_t offset, std::span<std::byte> out) const {
    while (fd_ && !out.empty()) {
        const ssize_t size = ::pread(fd_.get(), out.data(), out.size(), static_cast<off_t>(offset));
        if (size <= 0)
            return false;
        offset += static_cast<std::uint64_t>(size);
        out = out.subspan(static_cast<std::size_t>(size));
    }
    return out.empty();
}

std::uint64_t RecordStore::addChunks(std::shared_ptr<const ChunkTable> table) const {
    return chunks_->add(std::move(table));
}

Result<RecordBytes> RecordStore::record(ByteOrder order, std::uint64_t offset) const {
    if (offset < bytes_.size())
        return RecordBytes{TRY(recordAt(bytes_, order, offset)), nullptr};
    const ChunkCache::Found found = TRY(chunks_->at(offset));
    return RecordBytes{TRY(recordAt(*found.bytes, order, found.offset)), found.bytes};
}

} // namespace inversight
